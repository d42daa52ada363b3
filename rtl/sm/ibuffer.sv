// Instruction buffer: two to four decoded instructions a warp.
//
// A write fills an empty buffer, or one with more than two entries that has room for two: the first
// instruction follows those that are there.  A pop removes the head.  New heads are announced to the
// scoreboard in the cycle in which they come to be; one that is written in the cycle of the pop that
// empties the buffer is that pop's.  A flush empties the warp's buffer.  full says that fetch must not
// bring more: there is no room for two, or the last instruction is a branch or exit.  With more than
// two entries a warp issues while it is fetched, and may be flushed: the write of a warp that was flushed
// since it was selected is stale, and is not taken.  kernel_start wins over everything.
//
// Entries do not move.  With two, the first is kept in memory a, the second in memory b, and from_b_q
// says which one is the head, as a write finds the buffer empty.  With more, ibuffer_ring keeps them,
// and a and b are not there.
//
// rd0 and pop0 serve even warps, rd1 and pop1 odd ones: only rd*_has_o means something for a warp
// of the other parity.
//
// Illegal: a write to a warp that is full, a pop of one that has no head, a flush together with a
// pop or selection of that warp, with two entries also with a write.

module ibuffer #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Entries = 2,  // 2, 3 or 4
  parameter bit          Buddy = 1'b1  // 0: load_o is not there (0)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  // Decoded instructions from the icache
  input  logic                         wr_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wr_warp_i,
  input  logic                         wr_two_i,
  input  logic [tandem_pkg::InstW-1:0] wr_inst0_i,
  input  logic [tandem_pkg::DecW-1:0]  wr_dec0_i,
  input  logic [tandem_pkg::InstW-1:0] wr_inst1_i,
  input  logic [tandem_pkg::DecW-1:0]  wr_dec1_i,

  // Issue
  input  logic                         pop0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pop0_warp_i,
  input  logic                         pop1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pop1_warp_i,

  // Redirection of a warp, from simt_stack
  input  logic                         flush_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] flush_warp_i,

  // Heads, by warp
  input  logic [tandem_pkg::WarpW-1:0] rd0_warp_i,
  input  logic [tandem_pkg::WarpW-1:0] rd1_warp_i,
  output logic [tandem_pkg::InstW-1:0] rd0_inst_o,
  output logic [tandem_pkg::DecW-1:0]  rd0_dec_o,
  output logic                         rd0_has_o,
  output logic [tandem_pkg::InstW-1:0] rd1_inst_o,
  output logic [tandem_pkg::DecW-1:0]  rd1_dec_o,
  output logic                         rd1_has_o,

  // All heads
  output logic [Warps-1:0]             valid_o,
  output logic [Warps-1:0]             sfu_o,
  output logic [Warps-1:0]             mem_o,
  output logic [Warps-1:0]             none_o,
  output logic [Warps-1:0]             second_o,
  output logic [Warps-1:0]             load_o,  // a memory instruction with a destination

  // New heads: of the write, of the two pops
  output logic                          nh0_valid_o,
  output logic [tandem_pkg::WarpW-1:0]  nh0_warp_o,
  output tandem_pkg::opnd_t             nh0_opnd_o,
  output logic                          nh1_valid_o,
  output logic [tandem_pkg::WarpW-1:0]  nh1_warp_o,
  output tandem_pkg::opnd_t             nh1_opnd_o,
  output logic                          nh2_valid_o,
  output logic [tandem_pkg::WarpW-1:0]  nh2_warp_o,
  output tandem_pkg::opnd_t             nh2_opnd_o,

  // Fetch: the warp that is selected, and how many instructions it holds (0 with two entries); warps
  // that are not to be fetched
  input  logic                          fetch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  fetch_warp_i,
  output logic [1:0]                    fetch_held_o,
  output logic [Warps-1:0]              full_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned OpndW = tandem_pkg::OpndW;
  localparam int unsigned RegsW = 25;  // low bits of a word: guard and register fields
  localparam int unsigned RestW = tandem_pkg::InstW - RegsW;

  logic [Warps-1:0] valid_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] second_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] from_b_q, sfu_q, mem_q, none_q;
  logic [OpndW-1:0] opnd_a_q [Warps];
  logic [OpndW-1:0] opnd_b_q [Warps];
  logic [RestW-1:0] rest_a_q [Warps];
  logic [RestW-1:0] rest_b_q [Warps];

  // More than two entries: what the ring has.
  localparam bit Ring = Entries > 2;
  logic [Warps-1:0] ring_second, ring_full;
  logic             ring_take, ring_head, ring_pop0, ring_pop1;
  logic [1:0]       ring_held;
  logic [OpndW-1:0] ring_pop0_opnd, ring_pop1_opnd, ring_rd0_opnd, ring_rd1_opnd;
  logic [RestW-1:0] ring_rd0_rest, ring_rd1_rest;

  // New heads.
  tandem_pkg::opnd_t wr_opnd, pop0_opnd, pop1_opnd;
  logic [OpndW-1:0]  pop0_b, pop1_b;
  logic              take, head;  // the write is taken; if so, it makes a head
  assign wr_opnd = {wr_dec0_i, wr_inst0_i[RegsW-1:0]};
  always_comb begin
    pop0_b = opnd_b_q[{pop0_warp_i[WarpW-1:1], 1'b0}];
    pop1_b = opnd_b_q[{pop1_warp_i[WarpW-1:1], 1'b1}];
  end
  assign pop0_opnd   = Ring ? ring_pop0_opnd : pop0_b;
  assign pop1_opnd   = Ring ? ring_pop1_opnd : pop1_b;
  assign take        = Ring ? ring_take : wr_valid_i;
  assign head        = Ring ? ring_head : 1'b1;
  assign nh0_valid_o = take & head;
  assign nh1_valid_o = pop0_valid_i && (Ring ? ring_pop0 : ((second_q >> pop0_warp_i) & Warps'(1)) != '0);
  assign nh2_valid_o = pop1_valid_i && (Ring ? ring_pop1 : ((second_q >> pop1_warp_i) & Warps'(1)) != '0);
  assign nh0_warp_o  = wr_warp_i;
  assign nh0_opnd_o  = wr_opnd;
  assign nh1_warp_o  = pop0_warp_i;
  assign nh1_opnd_o  = pop0_opnd;
  assign nh2_warp_o  = pop1_warp_i;
  assign nh2_opnd_o  = pop1_opnd;

  // Flags.
  logic [1:0] wr_pipe, pop0_pipe, pop1_pipe;
  assign wr_pipe   = wr_dec0_i[1:0];
  assign pop0_pipe = pop0_opnd.dec.pipe;
  assign pop1_pipe = pop1_opnd.dec.pipe;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0] wr, pop0, pop1, lost, valid, second, from_b, sfu, mem, none;
    wr     = '0;
    pop0   = '0;
    pop1   = '0;
    lost   = '0;
    valid  = '0;
    second = '0;
    from_b = '0;
    sfu    = '0;
    mem    = '0;
    none   = '0;
    if (rst_ni) begin
      if (wr_valid_i || pop0_valid_i || pop1_valid_i || flush_valid_i || kernel_start_i) begin
        if (!kernel_start_i) begin
          if (take)          wr   = Warps'(1) << wr_warp_i;
          if (pop0_valid_i)  pop0 = Warps'(1) << pop0_warp_i;
          if (pop1_valid_i)  pop1 = Warps'(1) << pop1_warp_i;
          if (flush_valid_i) lost = Warps'(1) << flush_warp_i;
          second = second_q;
          from_b = (from_b_q | pop0 | pop1) & ~wr;
          valid  = (valid_q & ~(lost | ((pop0 | pop1) & ~second))) | wr;
          lost   = lost | pop0 | pop1;
          second = second & ~lost;
          sfu    = sfu_q & ~lost;
          mem    = mem_q & ~lost;
          none   = none_q & ~lost;
          if (Ring) second = second | ring_second;
          if (take) begin
            if (wr_two_i) second = second | wr;
            if (head && wr_pipe != tandem_pkg::PipeSp) begin
              if (wr_pipe == tandem_pkg::PipeSfu)  sfu  = sfu | wr;
              if (wr_pipe == tandem_pkg::PipeMem)  mem  = mem | wr;
              if (wr_pipe == tandem_pkg::PipeNone) none = none | wr;
            end
          end
          if (nh1_valid_o && pop0_pipe != tandem_pkg::PipeSp) begin
            if (pop0_pipe == tandem_pkg::PipeSfu)  sfu  = sfu | pop0;
            if (pop0_pipe == tandem_pkg::PipeMem)  mem  = mem | pop0;
            if (pop0_pipe == tandem_pkg::PipeNone) none = none | pop0;
          end
          if (nh2_valid_o && pop1_pipe != tandem_pkg::PipeSp) begin
            if (pop1_pipe == tandem_pkg::PipeSfu)  sfu  = sfu | pop1;
            if (pop1_pipe == tandem_pkg::PipeMem)  mem  = mem | pop1;
            if (pop1_pipe == tandem_pkg::PipeNone) none = none | pop1;
          end
        end
        valid_q  <= valid;
        second_q <= second;
        from_b_q <= from_b;
        sfu_q    <= sfu;
        mem_q    <= mem;
        none_q   <= none;
      end
    end else begin
      valid_q  <= '0;
      second_q <= '0;
      from_b_q <= '0;
      sfu_q    <= '0;
      mem_q    <= '0;
      none_q   <= '0;
    end
  end

  // Loads, for the members of buddy clusters.
  if (Buddy) begin : g_load
    logic [Warps-1:0] load_q  /*verilator public_flat_rd*/;  // else it is no register of its own
    always_ff @(posedge clk_i or negedge rst_ni) begin
      logic [Warps-1:0] load;
      load = '0;
      if (rst_ni) begin
        if (wr_valid_i || pop0_valid_i || pop1_valid_i || flush_valid_i || kernel_start_i) begin
          if (!kernel_start_i) begin
            load = load_q;
            if (flush_valid_i) load = load & ~(Warps'(1) << flush_warp_i);
            if (pop0_valid_i)  load = load & ~(Warps'(1) << pop0_warp_i);
            if (pop1_valid_i)  load = load & ~(Warps'(1) << pop1_warp_i);
            if (nh0_valid_o) begin
              if (is_load(wr_pipe, wr_dec0_i[5:4])) load = load | (Warps'(1) << wr_warp_i);
            end
            if (nh1_valid_o) begin
              if (is_load(pop0_pipe, pop0_opnd.dec.d_n)) load = load | (Warps'(1) << pop0_warp_i);
            end
            if (nh2_valid_o) begin
              if (is_load(pop1_pipe, pop1_opnd.dec.d_n)) load = load | (Warps'(1) << pop1_warp_i);
            end
          end
          load_q <= load;
        end
      end else begin
        load_q <= '0;
      end
    end
    assign load_o = load_q;

    function automatic logic is_load(input logic [1:0] pipe, input logic [1:0] d_n);
      is_load = pipe == tandem_pkg::PipeMem && d_n != 2'd0;
    endfunction
  end else begin : g_no_load
    assign load_o = '0;
  end

  always_ff @(posedge clk_i) begin
    if (wr_valid_i) begin
      opnd_a_q[wr_warp_i] <= wr_opnd;
      rest_a_q[wr_warp_i] <= wr_inst0_i[tandem_pkg::InstW-1:RegsW];
      opnd_b_q[wr_warp_i] <= {wr_dec1_i, wr_inst1_i[RegsW-1:0]};
      rest_b_q[wr_warp_i] <= wr_inst1_i[tandem_pkg::InstW-1:RegsW];
    end
  end

  // Reads.
  logic [WarpW-1:0] even, odd;
  logic [OpndW-1:0] rd0_opnd, rd1_opnd;
  logic [RestW-1:0] rd0_rest, rd1_rest;
  assign even = {rd0_warp_i[WarpW-1:1], 1'b0};
  assign odd  = {rd1_warp_i[WarpW-1:1], 1'b1};
  always_comb begin
    rd0_opnd = opnd_a_q[even];
    rd0_rest = rest_a_q[even];
    if (((from_b_q >> even) & Warps'(1)) != '0) begin
      rd0_opnd = opnd_b_q[even];
      rd0_rest = rest_b_q[even];
    end
    rd1_opnd = opnd_a_q[odd];
    rd1_rest = rest_a_q[odd];
    if (((from_b_q >> odd) & Warps'(1)) != '0) begin
      rd1_opnd = opnd_b_q[odd];
      rd1_rest = rest_b_q[odd];
    end
  end
  assign rd0_dec_o  = Ring ? ring_rd0_opnd[OpndW-1:RegsW] : rd0_opnd[OpndW-1:RegsW];
  assign rd1_dec_o  = Ring ? ring_rd1_opnd[OpndW-1:RegsW] : rd1_opnd[OpndW-1:RegsW];
  assign rd0_inst_o = Ring ? {ring_rd0_rest, ring_rd0_opnd[RegsW-1:0]} : {rd0_rest, rd0_opnd[RegsW-1:0]};
  assign rd1_inst_o = Ring ? {ring_rd1_rest, ring_rd1_opnd[RegsW-1:0]} : {rd1_rest, rd1_opnd[RegsW-1:0]};
  assign rd0_has_o = valid_q[rd0_warp_i];
  assign rd1_has_o = valid_q[rd1_warp_i];

  assign valid_o  = valid_q;
  assign second_o = second_q;
  assign sfu_o    = sfu_q;
  assign mem_o    = mem_q;
  assign none_o   = none_q;

  assign full_o       = Ring ? ring_full : valid_q;
  assign fetch_held_o = Ring ? ring_held : '0;  // with two, a warp is fetched when its buffer is empty

  if (Ring) begin : g_ring
    ibuffer_ring #(
      .Warps(Warps),
      .Entries(Entries)
    ) u_ring (
      .wr_opnd0_i(wr_opnd), .wr_rest0_i(wr_inst0_i[tandem_pkg::InstW-1:RegsW]),
      .wr_opnd1_i({wr_dec1_i, wr_inst1_i[RegsW-1:0]}),
      .wr_rest1_i(wr_inst1_i[tandem_pkg::InstW-1:RegsW]), .valid_i(valid_q), .second_i(second_q),
      .take_o(ring_take), .head_o(ring_head), .second_o(ring_second), .full_o(ring_full),
      .fetch_held_o(ring_held), .pop0_head_o(ring_pop0), .pop0_opnd_o(ring_pop0_opnd),
      .pop1_head_o(ring_pop1), .pop1_opnd_o(ring_pop1_opnd), .rd0_opnd_o(ring_rd0_opnd),
      .rd0_rest_o(ring_rd0_rest), .rd1_opnd_o(ring_rd1_opnd), .rd1_rest_o(ring_rd1_rest), .*
    );
  end else begin : g_pair
    assign {ring_second, ring_full, ring_take, ring_head, ring_pop0, ring_pop1, ring_held} = '0;
    assign {ring_pop0_opnd, ring_pop1_opnd, ring_rd0_opnd, ring_rd1_opnd} = '0;
    assign {ring_rd0_rest, ring_rd1_rest} = '0;
    logic unused_fetch;
    assign unused_fetch = 1'b0 & ^{fetch_valid_i, fetch_warp_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!wr_valid_i || !full_o[wr_warp_i]);
      assert (!pop0_valid_i || valid_q[pop0_warp_i]);
      assert (!pop1_valid_i || valid_q[pop1_warp_i]);
      assert (!pop0_valid_i || !pop0_warp_i[0]);
      assert (!pop1_valid_i || pop1_warp_i[0]);
      assert (!flush_valid_i || !wr_valid_i || Ring || flush_warp_i != wr_warp_i);
      assert (!flush_valid_i || !fetch_valid_i || flush_warp_i != fetch_warp_i);
      assert (!flush_valid_i || !pop0_valid_i || flush_warp_i != pop0_warp_i);
      assert (!flush_valid_i || !pop1_valid_i || flush_warp_i != pop1_warp_i);
    end
  end
`endif
endmodule
