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
// Here are the flags of the heads.  ibuffer_pair or ibuffer_ring has the entries, and says which heads are new.
//
// pop0 and rd0 serve even warps, pop1 and rd1 odd ones: the lowest bit of pop*_warp_i is not looked at.
//
// Illegal: a write to a warp that is full, a pop of one that has no head, a flush together with a
// pop or selection of that warp, with two entries also with a write; a second instruction after a branch
// or exit.

module ibuffer #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Entries = 2,  // 2, 3 or 4
  parameter bit          Loads = 1'b1,  // 0: load_o is not there (0)
  parameter bit          Words = 1'b1  // 0, with two entries: a memory beside has the words; rd*_* have only ctl
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

  // Heads that are popped; b: it is the second one of a write (0 with more than two entries)
  output logic                         rd0_valid_o,
  output logic [tandem_pkg::InstW-1:0] rd0_inst_o,
  output logic [tandem_pkg::DecW-1:0]  rd0_dec_o,
  output logic                         rd0_b_o,
  output logic                         rd1_valid_o,
  output logic [tandem_pkg::InstW-1:0] rd1_inst_o,
  output logic [tandem_pkg::DecW-1:0]  rd1_dec_o,
  output logic                         rd1_b_o,

  // All heads
  output logic [Warps-1:0]             valid_o,
  output logic [Warps-1:0]             sfu_o,
  output logic [Warps-1:0]             mem_o,
  output logic [Warps-1:0]             none_o,
  output logic [Warps-1:0]             second_o,
  output logic [Warps-1:0]             load_o,  // a memory instruction with a destination

  // New heads, of the warps of the write and of the two pops
  output logic                         nh0_valid_o,
  output tandem_pkg::opnd_t            nh0_opnd_o,
  output logic                         nh1_valid_o,
  output tandem_pkg::opnd_t            nh1_opnd_o,
  output logic                         nh2_valid_o,
  output tandem_pkg::opnd_t            nh2_opnd_o,

  // Fetch: the warp that is selected, and how many instructions it holds (0 with two entries); warps
  // that are not to be fetched
  input  logic                         fetch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] fetch_warp_i,
  output logic [1:0]                   fetch_held_o,
  output logic [Warps-1:0]             full_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned OpndW = tandem_pkg::OpndW;
  localparam int unsigned RegsW = 25;  // low bits of a word: guard and register fields
  localparam int unsigned RestW = tandem_pkg::InstW - RegsW;

  // The warps that the ports of pops name, by number and as a bit.
  logic [WarpW-1:0] even, odd;
  logic [Warps-1:0] pick0, pick1;
  assign even  = {pop0_warp_i[WarpW-1:1], 1'b0};
  assign odd   = {pop1_warp_i[WarpW-1:1], 1'b1};
  assign pick0 = Warps'(1) << even;
  assign pick1 = Warps'(1) << odd;

  // A word in two parts: operands with the control bundle, and the rest.
  logic [OpndW-1:0] wr_opnd0, wr_opnd1, rd0_opnd, rd1_opnd;
  logic [RestW-1:0] wr_rest0, wr_rest1, rd0_rest, rd1_rest;
  assign wr_opnd0 = {wr_dec0_i, wr_inst0_i[RegsW-1:0]};
  assign wr_rest0 = wr_inst0_i[tandem_pkg::InstW-1:RegsW];
  assign wr_opnd1 = {wr_dec1_i, wr_inst1_i[RegsW-1:0]};
  assign wr_rest1 = wr_inst1_i[tandem_pkg::InstW-1:RegsW];
  assign {rd0_dec_o, rd0_inst_o} = {rd0_opnd[OpndW-1:RegsW], rd0_rest, rd0_opnd[RegsW-1:0]};
  assign {rd1_dec_o, rd1_inst_o} = {rd1_opnd[OpndW-1:RegsW], rd1_rest, rd1_opnd[RegsW-1:0]};
  assign rd0_valid_o = pop0_valid_i;
  assign rd1_valid_o = pop1_valid_i;

  assign nh0_opnd_o  = wr_opnd0;

  // Warps whose head leaves, warps that get one: by the write, by a pop.
  logic             change;
  logic [Warps-1:0] gone, fresh, next;
  assign change = wr_valid_i || pop0_valid_i || pop1_valid_i || flush_valid_i || kernel_start_i;
  always_comb begin
    {gone, fresh, next} = '0;
    if (pop0_valid_i)  gone  = pick0;
    if (pop1_valid_i)  gone  = gone | pick1;
    if (flush_valid_i) gone  = gone | Warps'(1) << flush_warp_i;
    if (nh0_valid_o)   fresh = Warps'(1) << wr_warp_i;
    if (nh1_valid_o)   next  = pick0;
    if (nh2_valid_o)   next  = next | pick1;
  end

  // Flags of the heads, and those of the new ones.
  logic [1:0] pipe0, pipe1, pipe2;
  logic [2:0] new_sfu, new_mem, new_none;
  assign pipe0    = nh0_opnd_o.dec.pipe;
  assign pipe1    = nh1_opnd_o.dec.pipe;
  assign pipe2    = nh2_opnd_o.dec.pipe;
  assign new_sfu  = {pipe2 == tandem_pkg::PipeSfu, pipe1 == tandem_pkg::PipeSfu, pipe0 == tandem_pkg::PipeSfu};
  assign new_mem  = {pipe2 == tandem_pkg::PipeMem, pipe1 == tandem_pkg::PipeMem, pipe0 == tandem_pkg::PipeMem};
  assign new_none = {pipe2 == tandem_pkg::PipeNone, pipe1 == tandem_pkg::PipeNone, pipe0 == tandem_pkg::PipeNone};
  head_flag #(.Warps(Warps)) u_valid (
    .change_i(change), .gone_i(gone), .fresh_i(fresh), .next_i(next), .new_i(3'b111),
    .flag_o(valid_o), .*
  );
  head_flag #(.Warps(Warps)) u_sfu (
    .change_i(change), .gone_i(gone), .fresh_i(fresh), .next_i(next), .new_i(new_sfu),
    .flag_o(sfu_o), .*
  );
  head_flag #(.Warps(Warps)) u_mem (
    .change_i(change), .gone_i(gone), .fresh_i(fresh), .next_i(next), .new_i(new_mem),
    .flag_o(mem_o), .*
  );
  head_flag #(.Warps(Warps)) u_none (
    .change_i(change), .gone_i(gone), .fresh_i(fresh), .next_i(next), .new_i(new_none),
    .flag_o(none_o), .*
  );
  if (Loads) begin : g_load
    logic [2:0] new_load;
    assign new_load = new_mem & {nh2_opnd_o.dec.d_n != 2'd0, nh1_opnd_o.dec.d_n != 2'd0, nh0_opnd_o.dec.d_n != 2'd0};
    head_flag #(.Warps(Warps)) u_load (
      .change_i(change), .gone_i(gone), .fresh_i(fresh), .next_i(next), .new_i(new_load),
      .flag_o(load_o), .*
    );
  end else begin : g_no_load
    assign load_o = '0;
  end

  // Entries.
  logic [Warps-1:0] second  /*verilator public_flat_rd*/;
  logic [Warps-1:0] from_b  /*verilator public_flat_rd*/;
  assign second_o = second;
  if (Entries > 2) begin : g_ring
    ibuffer_ring #(
      .Warps(Warps),
      .Entries(Entries)
    ) u_ring (
      .wr_opnd0_i(wr_opnd0), .wr_rest0_i(wr_rest0), .wr_opnd1_i(wr_opnd1), .wr_rest1_i(wr_rest1),
      .even_i(even), .odd_i(odd), .pick0_i(pick0), .pick1_i(pick1), .valid_i(valid_o), .second_o(second),
      .rd0_opnd_o(rd0_opnd), .rd0_rest_o(rd0_rest), .rd1_opnd_o(rd1_opnd), .rd1_rest_o(rd1_rest), .*
    );
    assign {from_b, rd0_b_o, rd1_b_o} = '0;
  end else begin : g_pair
    ibuffer_pair #(
      .Warps(Warps),
      .Words(Words)
    ) u_pair (
      .wr_opnd0_i(wr_opnd0), .wr_rest0_i(wr_rest0), .wr_opnd1_i(wr_opnd1), .wr_rest1_i(wr_rest1),
      .even_i(even), .odd_i(odd), .pick0_i(pick0), .pick1_i(pick1), .change_i(change), .gone_i(gone),
      .fresh_i(fresh), .next_i(next), .second_o(second), .from_b_o(from_b), .rd0_opnd_o(rd0_opnd),
      .rd0_rest_o(rd0_rest), .rd1_opnd_o(rd1_opnd), .rd1_rest_o(rd1_rest), .*
    );
    assign full_o       = valid_o;  // a warp is fetched when its buffer is empty
    assign fetch_held_o = '0;
    logic unused_fetch;
    assign unused_fetch = 1'b0 & ^{fetch_valid_i, fetch_warp_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      room:        assert (!wr_valid_i || !full_o[wr_warp_i]);
      last:        assert (!wr_valid_i || !wr_two_i || wr_dec0_i[2] == wr_dec0_i[3]);  // neither branch nor exit
      head0:       assert (!pop0_valid_i || valid_o[pop0_warp_i]);
      head1:       assert (!pop1_valid_i || valid_o[pop1_warp_i]);
      even_warp:   assert (!pop0_valid_i || !pop0_warp_i[0]);
      odd_warp:    assert (!pop1_valid_i || pop1_warp_i[0]);
      flush_write: assert (!flush_valid_i || !wr_valid_i || Entries > 2 || flush_warp_i != wr_warp_i);
      flush_fetch: assert (!flush_valid_i || !fetch_valid_i || flush_warp_i != fetch_warp_i);
      flush_pop0:  assert (!flush_valid_i || !pop0_valid_i || flush_warp_i != pop0_warp_i);
      flush_pop1:  assert (!flush_valid_i || !pop1_valid_i || flush_warp_i != pop1_warp_i);
      seconds:     assert ((second & (~valid_o | from_b)) == '0);
    end
  end
`endif
endmodule
