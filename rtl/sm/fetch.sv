// Fetch: each cycle the next warp in cyclic order that has nothing to execute asks the icache for
// its next instructions.
//
// A warp asks once and is then outstanding until the icache delivers to it or wakes it to ask
// again.  A warp selected in the same cycle in which it is delivered or woken cannot exist: it
// would have been outstanding.  kernel_start wins over everything.
//
// Illegal: deliver_i or wake_i for a warp that is not outstanding.

module fetch #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  // Warps that may fetch
  input  logic [Warps-1:0]             fetchable_i,
  input  logic [Warps-1:0]             ib_valid_i,

  // Answers of the icache
  input  logic                         deliver_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] deliver_warp_i,
  input  logic [Warps-1:0]             wake_i,

  // PC of the selected warp, from simt_stack
  output logic                         sel_valid_o,
  output logic [tandem_pkg::WarpW-1:0] sel_warp_o,
  input  logic [tandem_pkg::PcW-1:0]   sel_pc_i,

  // Request to the icache
  output logic                         req_valid_o,
  output logic [tandem_pkg::WarpW-1:0] req_warp_o,
  output logic [tandem_pkg::PcW-1:0]   req_pc_o
);
  logic [Warps-1:0]             outstanding_q  /*verilator public_flat_rd*/;
  logic [tandem_pkg::WarpW-1:0] last_q  /*verilator public_flat_rd*/;
  logic                         req_valid_q;
  logic [tandem_pkg::WarpW-1:0] req_warp_q;
  logic [tandem_pkg::PcW-1:0]   req_pc_q;

  logic [Warps-1:0] eligible, selected;
  assign eligible = fetchable_i & ~ib_valid_i & ~`FAULT(1, outstanding_q, '0);

  // Warps after the last one first; all of them if there is none.  Why not a loop that starts behind
  // the last warp?  Its dynamic index becomes a multiplexer a warp, in gates and in simulation.
  always_comb begin
    logic [Warps-1:0] after_last, candidates;
    after_last  = '0;
    candidates  = '0;
    selected    = '0;
    sel_valid_o = 1'b0;
    sel_warp_o  = '0;
    if (eligible != '0) begin
      after_last  = eligible & (~(Warps'(1)) << last_q);
      candidates  = (after_last != '0) ? after_last : eligible;
      selected    = candidates & (~candidates + Warps'(1));
      sel_valid_o = 1'b1;
      sel_warp_o  = tandem_pkg::encode(64'(selected));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0] outstanding;
    outstanding = '0;
    if (rst_ni) begin
      if (kernel_start_i) begin
        last_q      <= tandem_pkg::WarpW'(Warps - 1);
        req_valid_q <= 1'b0;
      end else begin
        outstanding = outstanding_q & ~wake_i;
        if (deliver_valid_i) outstanding = outstanding & ~(Warps'(1) << deliver_warp_i);
        outstanding = outstanding | selected;
        if (sel_valid_o) last_q <= sel_warp_o;
        req_valid_q <= sel_valid_o;
      end
      outstanding_q <= outstanding;
    end else begin
      outstanding_q <= '0;
      last_q        <= tandem_pkg::WarpW'(Warps - 1);
      req_valid_q   <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (sel_valid_o) begin
      req_warp_q <= sel_warp_o;
      req_pc_q   <= sel_pc_i;
    end
  end

  assign req_valid_o = req_valid_q;
  assign req_warp_o  = req_warp_q;
  assign req_pc_o    = req_pc_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      woken_outstanding:     assert ((wake_i & ~outstanding_q) == '0);
      delivered_outstanding: assert (!deliver_valid_i || outstanding_q[deliver_warp_i]);
      delivered_not_woken:   assert (!deliver_valid_i || !wake_i[deliver_warp_i]);
    end
  end
`endif
endmodule
