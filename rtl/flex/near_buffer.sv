// Near half of the instruction buffer: which instructions each warp has, and where they are in its far row
// (docs/hardware/flex_frontend.md).
//
// A far row holds two decoded instructions; here are flags, pipe and control class of the head, and the
// operands of the second one.  A write fills an empty row and requests the same of the far row.  A pop
// requests the head's word: the first entry, or the second one (b) after the first was popped.  New heads
// are announced to the scoreboard in the cycle in which they come to be.  A flush empties the row.
// kernel_start wins over everything.
//
// pop0 serves even warps, pop1 odd ones.
//
// Illegal: a write to a row that has a head, a pop of one that has none, a flush together with a pop or
// write of that warp, a second instruction behind a branch or exit.

module near_buffer #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned OwnRows = 24
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  // Decoded instructions: the operands
  input  logic                         wr_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wr_warp_i,
  input  logic                         wr_two_i,
  input  logic [tandem_pkg::OpndW-1:0] wr_opnd0_i,
  input  logic [tandem_pkg::OpndW-1:0] wr_opnd1_i,

  // Issue
  input  logic                         pop0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pop0_warp_i,
  input  logic                         pop1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pop1_warp_i,

  // End of a pop of near_stack
  input  logic                         flush_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] flush_warp_i,

  // All heads
  output logic [Warps-1:0]             valid_o,
  output logic [Warps-1:0]             sfu_o,
  output logic [Warps-1:0]             mem_o,
  output logic [Warps-1:0]             none_o,
  output logic [Warps-1:0]             second_o,

  // New heads: of the write, of the two pops
  output logic                         nh0_valid_o,
  output logic [tandem_pkg::WarpW-1:0] nh0_warp_o,
  output logic [tandem_pkg::OpndW-1:0] nh0_opnd_o,
  output logic                         nh1_valid_o,
  output logic [tandem_pkg::WarpW-1:0] nh1_warp_o,
  output logic [tandem_pkg::OpndW-1:0] nh1_opnd_o,
  output logic                         nh2_valid_o,
  output logic [tandem_pkg::WarpW-1:0] nh2_warp_o,
  output logic [tandem_pkg::OpndW-1:0] nh2_opnd_o,

  // Requests to the far row, of the write and of the two pops: b, the second entry; the head's control class
  output logic                         own_wr_o,
  output logic                         far_wr_o,
  output logic [4:0]                   wr_row_o,
  output logic                         own_rd0_o,
  output logic                         far_rd0_o,
  output logic [4:0]                   rd0_row_o,
  output logic                         rd0_b_o,
  output logic [1:0]                   rd0_ctl_o,
  output logic                         own_rd1_o,
  output logic                         far_rd1_o,
  output logic [4:0]                   rd1_row_o,
  output logic                         rd1_b_o,
  output logic [1:0]                   rd1_ctl_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned OpndW = tandem_pkg::OpndW;
  localparam bit Borrows = Warps > OwnRows;

  logic [Warps-1:0] valid_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] second_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] b_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] sfu_q, mem_q, none_q, bra_q, exit_q;  // of the head: CtlBar is both bra and exit
  logic [OpndW-1:0] opnd_q [Warps];

  near_row #(.Borrows(Borrows), .OwnRows(OwnRows)) u_wr_row (
    .valid_i(wr_valid_i), .warp_i(wr_warp_i), .own_o(own_wr_o), .far_o(far_wr_o), .row_o(wr_row_o)
  );
  near_row #(.Borrows(Borrows), .OwnRows(OwnRows)) u_rd0_row (
    .valid_i(pop0_valid_i), .warp_i(pop0_warp_i), .own_o(own_rd0_o), .far_o(far_rd0_o), .row_o(rd0_row_o)
  );
  near_row #(.Borrows(Borrows), .OwnRows(OwnRows)) u_rd1_row (
    .valid_i(pop1_valid_i), .warp_i(pop1_warp_i), .own_o(own_rd1_o), .far_o(far_rd1_o), .row_o(rd1_row_o)
  );

  logic [WarpW-1:0] even, odd;
  assign even = {pop0_warp_i[WarpW-1:1], 1'b0};
  assign odd  = {pop1_warp_i[WarpW-1:1], 1'b1};

  // The rows that this cycle's events concern.
  logic [Warps-1:0] wr, pop0, pop1, lost;
  always_comb begin
    {wr, pop0, pop1, lost} = '0;
    if (wr_valid_i)    wr   = Warps'(1) << wr_warp_i;
    if (pop0_valid_i)  pop0 = Warps'(1) << even;
    if (pop1_valid_i)  pop1 = Warps'(1) << odd;
    if (flush_valid_i) lost = Warps'(1) << flush_warp_i;
  end

  // The heads that are popped.
  assign rd0_b_o   = (b_q & pop0) != '0;
  assign rd1_b_o   = (b_q & pop1) != '0;
  assign rd0_ctl_o = {(exit_q & pop0) != '0, (bra_q & pop0) != '0};
  assign rd1_ctl_o = {(exit_q & pop1) != '0, (bra_q & pop1) != '0};

  // New heads.  The pick selects beside the grant, which comes later.
  tandem_pkg::opnd_t wr_opnd, pop0_opnd, pop1_opnd;
  assign wr_opnd     = wr_opnd0_i;
  assign pop0_opnd   = opnd_q[even];
  assign pop1_opnd   = opnd_q[odd];
  assign nh0_valid_o = wr_valid_i;
  assign nh0_warp_o  = wr_warp_i;
  assign nh0_opnd_o  = wr_opnd0_i;
  assign nh1_valid_o = pop0_valid_i && ((second_q >> even) & Warps'(1)) != '0;
  assign nh1_warp_o  = pop0_warp_i;
  assign nh1_opnd_o  = pop0_opnd;
  assign nh2_valid_o = pop1_valid_i && ((second_q >> odd) & Warps'(1)) != '0;
  assign nh2_warp_o  = pop1_warp_i;
  assign nh2_opnd_o  = pop1_opnd;

  // Their kinds: a vector each of SFU, MEM, NONE; BRA, EXIT.
  logic [Warps-1:0] sfu, mem, none, bra, exits;
  always_comb begin
    logic [Warps-1:0] keep;
    keep  = ~(wr | pop0 | pop1 | lost);
    sfu   = sfu_q & keep;
    mem   = mem_q & keep;
    none  = none_q & keep;
    bra   = bra_q & keep;
    exits = exit_q & keep;
    if (wr_valid_i) begin
      if (wr_opnd.dec.pipe == tandem_pkg::PipeSfu)  sfu  = sfu | wr;
      if (wr_opnd.dec.pipe == tandem_pkg::PipeMem)  mem  = mem | wr;
      if (wr_opnd.dec.pipe == tandem_pkg::PipeNone) none = none | wr;
      if (wr_opnd.dec.ctl[0]) bra   = bra | wr;
      if (wr_opnd.dec.ctl[1]) exits = exits | wr;
    end
    if (nh1_valid_o) begin
      if (pop0_opnd.dec.pipe == tandem_pkg::PipeSfu)  sfu  = sfu | pop0;
      if (pop0_opnd.dec.pipe == tandem_pkg::PipeMem)  mem  = mem | pop0;
      if (pop0_opnd.dec.pipe == tandem_pkg::PipeNone) none = none | pop0;
      if (pop0_opnd.dec.ctl[0]) bra   = bra | pop0;
      if (pop0_opnd.dec.ctl[1]) exits = exits | pop0;
    end
    if (nh2_valid_o) begin
      if (pop1_opnd.dec.pipe == tandem_pkg::PipeSfu)  sfu  = sfu | pop1;
      if (pop1_opnd.dec.pipe == tandem_pkg::PipeMem)  mem  = mem | pop1;
      if (pop1_opnd.dec.pipe == tandem_pkg::PipeNone) none = none | pop1;
      if (pop1_opnd.dec.ctl[0]) bra   = bra | pop1;
      if (pop1_opnd.dec.ctl[1]) exits = exits | pop1;
    end
  end

  // Entries.
  logic [Warps-1:0] valid, second, b;
  always_comb begin
    valid  = (valid_q & ~(lost | ((pop0 | pop1) & ~second_q))) | wr;
    second = second_q & ~(lost | pop0 | pop1);
    if (wr_two_i) second = second | wr;
    b = (b_q | pop0 | pop1) & ~wr;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q, second_q, b_q, sfu_q, mem_q, none_q, bra_q, exit_q} <= '0;
    end else if (wr_valid_i || pop0_valid_i || pop1_valid_i || flush_valid_i || kernel_start_i) begin
      {valid_q, second_q, b_q, sfu_q, mem_q, none_q, bra_q, exit_q} <=
          kernel_start_i ? '0 : {valid, second, b, sfu, mem, none, bra, exits};
    end
  end

  always_ff @(posedge clk_i) if (wr_valid_i) opnd_q[wr_warp_i] <= wr_opnd1_i;

  assign valid_o  = valid_q;
  assign second_o = second_q;
  assign sfu_o    = sfu_q;
  assign mem_o    = mem_q;
  assign none_o   = none_q;

  logic unused_opnd;
  assign unused_opnd = 1'b0 & ^wr_opnd;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert ((wr & valid_q) == '0);
      assert (!pop0_valid_i || (valid_q & pop0) != '0);
      assert (!pop1_valid_i || (valid_q & pop1) != '0);
      assert (!pop0_valid_i || !pop0_warp_i[0]);
      assert (!pop1_valid_i || pop1_warp_i[0]);
      assert ((lost & (wr | pop0 | pop1)) == '0);
      // Nothing follows a branch or exit.
      assert (!wr_valid_i || !wr_two_i || wr_opnd.dec.ctl[0] == wr_opnd.dec.ctl[1]);
      // fresh: the row has no write under way that a read of this cycle could overtake: a row is written
      // empty, and read from the next cycle on.
      assert ((second_q & ~valid_q) == '0 && (second_q & b_q) == '0);
    end
  end
`endif
endmodule
