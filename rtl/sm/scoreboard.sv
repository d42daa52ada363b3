// Scoreboard: for each warp, which registers and predicates are to be written (wpend) and which are
// still to be read (rpend) by instructions in flight, and whether the warp's head must wait for
// them (hazard).
//
// A set is 48 bits: registers 31..0, predicates above them.  The head's operand sets are expanded
// when it becomes the head and kept, as they are needed at every change of the pending sets.
// pending_writes and pending_reads hold the pending sets and what they mean for the heads, in
// registers: these start the critical path through the schedulers.  Why not compare a head's sets with
// the pending sets when it is picked?  The comparison of 48 heads would be in that path.
//
// Order within a cycle: write-backs and collections release, then issue reserves, then heads
// change.  Several ports may name one warp.  kernel_start wins over everything.
//
// Illegal: a collection when none is outstanding, an issue without head or against a hazard, a new
// head 0 of a warp that issues, a new head 1 or 2 without issue 0 or 1.

module scoreboard #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Releases = 1  // ports of MEM write-backs
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  // New heads, from ibuffer: of a warp whose buffer was empty, and those that follow the heads that issue
  // takes
  input  logic                         nh0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] nh0_warp_i,
  input  tandem_pkg::opnd_t            nh0_opnd_i,
  input  logic                         nh1_valid_i,
  input  tandem_pkg::opnd_t            nh1_opnd_i,
  input  logic                         nh2_valid_i,
  input  tandem_pkg::opnd_t            nh2_opnd_i,

  input  logic                         flush_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] flush_warp_i,

  // Issue of the head of an even and of an odd warp
  input  logic                         iss0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss0_warp_i,
  input  logic                         iss1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss1_warp_i,

  // Write-backs, port k in row k: SP 0, SP 1, SFU, and MEM from row 3 on
  input  logic [Releases+2:0]                      wb_valid_i,
  input  logic [(Releases+3)*tandem_pkg::WarpW-1:0] wb_warp_i,
  input  logic [(Releases+3)*5-1:0]                wb_reg_i,
  input  logic [(Releases+3)*2-1:0]                wb_size_i,
  input  logic [Releases+2:0]                      wb_pred_i,

  // Collections of operands: SP 0, SP 1, SFU, MEM
  input  logic [3:0]                               col_valid_i,
  input  logic [4*tandem_pkg::WarpW-1:0]           col_warp_i,

  output logic [Warps-1:0]             hazard_o,
  output logic                         idle_o  // nothing is pending, of any warp
);
  localparam int unsigned SetW = tandem_pkg::SetW;
  localparam int unsigned WarpW = tandem_pkg::WarpW;

  // The heads: of each warp whether it has one, and what it is.
  logic [SetW-1:0]  head_reads_q [Warps];
  logic [SetW-1:0]  head_writes_q [Warps];
  logic [Warps-1:0] has_q, is_exit_q;
  logic [Warps-1:0] is_none_q;  // uses no pipeline

  logic [Warps-1:0] w_hit, r_hit;    // it has to wait for a write, for a read
  logic [Warps-1:0] w_some, u_some;  // the warp has something to write, to collect
  logic [Warps-1:0] hazard  /*verilator public_flat_rd*/;

  // Sets that the new heads read and write.
  logic [SetW-1:0] nh0_reads, nh0_writes, nh1_reads, nh1_writes, nh2_reads, nh2_writes;
  logic            nh0_exit, nh0_none, nh1_exit, nh1_none, nh2_exit, nh2_none;
  operand_sets u_sets0 (
    .valid_i(nh0_valid_i), .opnd_i(nh0_opnd_i), .reads_o(nh0_reads), .writes_o(nh0_writes),
    .exit_o(nh0_exit), .none_o(nh0_none)
  );
  operand_sets u_sets1 (
    .valid_i(nh1_valid_i), .opnd_i(nh1_opnd_i), .reads_o(nh1_reads), .writes_o(nh1_writes),
    .exit_o(nh1_exit), .none_o(nh1_none)
  );
  operand_sets u_sets2 (
    .valid_i(nh2_valid_i), .opnd_i(nh2_opnd_i), .reads_o(nh2_reads), .writes_o(nh2_writes),
    .exit_o(nh2_exit), .none_o(nh2_none)
  );

  // The warps that the ports name: new heads, and issues of an even and an odd warp.
  logic [WarpW-1:0] even, odd;
  logic [Warps-1:0] issued0, issued1, issued, piped, flushed, fresh, next0, next1, follow, heads;
  assign even = {iss0_warp_i[WarpW-1:1], 1'b0};
  assign odd  = {iss1_warp_i[WarpW-1:1], 1'b1};
  always_comb begin
    {issued0, issued1, flushed, fresh, next0, next1} = '0;
    if (iss0_valid_i)  issued0 = Warps'(1) << even;
    if (iss1_valid_i)  issued1 = Warps'(1) << odd;
    if (flush_valid_i) flushed = Warps'(1) << flush_warp_i;
    if (nh0_valid_i)   fresh   = Warps'(1) << nh0_warp_i;
    if (nh1_valid_i)   next0   = Warps'(1) << even;
    if (nh2_valid_i)   next1   = Warps'(1) << odd;
    issued = issued0 | issued1;
    piped  = issued & ~is_none_q;
    follow = next0 | next1;
    heads  = fresh | follow;
  end

  // Sets that the issuing heads read and write; one without pipeline reads nothing.
  logic [SetW-1:0]  even_reads, even_writes, odd_reads, odd_writes;
  always_comb begin
    {even_reads, even_writes, odd_reads, odd_writes} = '0;
    if (iss0_valid_i) begin
      even_reads  = head_reads_q[even] & {SetW{((is_none_q >> even) & Warps'(1)) == '0}};
      even_writes = head_writes_q[even];
    end
    if (iss1_valid_i) begin
      odd_reads  = head_reads_q[odd] & {SetW{((is_none_q >> odd) & Warps'(1)) == '0}};
      odd_writes = head_writes_q[odd];
    end
  end

  always_ff @(posedge clk_i) begin
    if (nh0_valid_i) begin
      head_reads_q[nh0_warp_i]  <= nh0_reads;
      head_writes_q[nh0_warp_i] <= nh0_writes;
    end
    if (nh1_valid_i) begin
      head_reads_q[even]  <= nh1_reads;
      head_writes_q[even] <= nh1_writes;
    end
    if (nh2_valid_i) begin
      head_reads_q[odd]  <= nh2_reads;
      head_writes_q[odd] <= nh2_writes;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {has_q, is_exit_q, is_none_q} <= '0;
    end else if (kernel_start_i) begin
      {has_q, is_exit_q, is_none_q} <= '0;
    end else begin
      has_q <= (has_q & ~(issued | flushed)) | heads;
      if (heads != '0) begin
        is_exit_q <= (is_exit_q & ~heads) | (fresh & {Warps{nh0_exit}}) |
                     (next0 & {Warps{nh1_exit}}) | (next1 & {Warps{nh2_exit}});
        is_none_q <= (is_none_q & ~heads) | (fresh & {Warps{nh0_none}}) |
                     (next0 & {Warps{nh1_none}}) | (next1 & {Warps{nh2_none}});
      end
    end
  end

  // Registers for which a new head waits until they are written (wait0..2), or read (over2).
  logic [SetW-1:0] wait0, wait1, wait2, over2;
  always_comb begin
    wait0 = nh0_reads | nh0_writes;
    wait1 = nh1_reads | nh1_writes;
    wait2 = nh2_reads | nh2_writes;
    over2 = `FAULT(4, nh2_writes, '0);
  end

  pending_writes #(
    .Warps(Warps),
    .Ports(Releases + 3)
  ) u_writes (
    .clk_i, .rst_ni,
    .kernel_start_i, .wb_valid_i, .wb_warp_i, .wb_reg_i, .wb_size_i, .wb_pred_i,
    .issued_i(issued), .even_set_i(even_writes), .odd_set_i(odd_writes),
    .fresh_i(fresh), .next_i(follow), .fresh_head_i(wait0), .even_head_i(wait1),
    .odd_head_i(wait2), .hit_o(w_hit), .some_o(w_some)
  );

  pending_reads #(
    .Warps(Warps)
  ) u_reads (
    .clk_i, .rst_ni,
    .kernel_start_i, .col_valid_i, .col_warp_i,
    .issued_i(issued), .piped_i(piped), .even_set_i(even_reads), .odd_set_i(odd_reads),
    .fresh_i(fresh), .next_i(follow), .fresh_head_i(nh0_writes), .even_head_i(nh1_writes),
    .odd_head_i(over2), .hit_o(r_hit), .some_o(u_some)
  );

  assign hazard_o = hazard;
  assign hazard   = has_q & (w_hit | r_hit | (is_exit_q & (w_some | u_some)));
  assign idle_o   = ~|{w_some, u_some};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      ready0:    assert (!iss0_valid_i || (has_q[iss0_warp_i] && !hazard[iss0_warp_i]));
      ready1:    assert (!iss1_valid_i || (has_q[iss1_warp_i] && !hazard[iss1_warp_i]));
      even_warp: assert (!iss0_valid_i || !iss0_warp_i[0]);
      odd_warp:  assert (!iss1_valid_i || iss1_warp_i[0]);
      fresh0:    assert (!nh0_valid_i || !iss0_valid_i || nh0_warp_i != iss0_warp_i);
      fresh1:    assert (!nh0_valid_i || !iss1_valid_i || nh0_warp_i != iss1_warp_i);
      follows0:  assert (!nh1_valid_i || iss0_valid_i);
      follows1:  assert (!nh2_valid_i || iss1_valid_i);
    end
  end
`endif
endmodule
