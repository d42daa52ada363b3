// CTA barriers: which warps wait, and which CTAs may go on.
//
// A CTA is released when its launch is complete, one of its live warps waits and no live warp of it
// does not.  Dead warps do not count, so that an exiting warp can release the others.  A warp that
// is launched into a slot leaves every other slot; into a complete slot, it is the first of a new
// CTA.  An arrival of a warp wins over a release of its CTA (the two cannot coincide: the arriving
// warp is live and not waiting).  kernel_start wins over everything.
//
// Illegal: the arrival of a warp that is waiting.

module barrier #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Ctas = tandem_pkg::Ctas
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,
  input  logic [Warps-1:0]             live_i,

  // Launch of a warp into a CTA slot; last: the CTA is then complete
  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,
  input  logic [$clog2(Ctas)-1:0]      launch_cta_i,
  input  logic                         launch_last_i,

  // Barrier instructions issued by the two schedulers
  input  logic                         arrive0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] arrive0_warp_i,
  input  logic                         arrive1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] arrive1_warp_i,

  output logic [Warps-1:0]             waiting_o,
  output logic [Ctas-1:0]              release_o,
  output logic [Warps-1:0]             held_o  // live warps of CTAs of which a live warp waits
);
  logic [Warps-1:0] waiting_q  /*verilator public_flat_rd*/;
  logic [Ctas-1:0]  complete_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] members_q [Ctas]  /*verilator public_flat_rd*/;

  logic [Ctas-1:0]  release_d;
  logic [Warps-1:0] released;
  always_comb begin
    release_d = '0;
    released  = '0;
    held_o    = '0;
    if (waiting_q != '0) begin
      for (int c = 0; c < Ctas; c++) begin
        if (complete_q[c] && (members_q[c] & live_i & waiting_q) != '0 &&
            (members_q[c] & live_i & ~waiting_q) == '0) begin
          release_d[c] = 1'b1;
          released     = released | members_q[c];
        end
        if ((members_q[c] & live_i & waiting_q) != '0) held_o = held_o | (members_q[c] & live_i);
      end
    end
  end
  assign release_o = release_d;
  assign waiting_o = waiting_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0] waits, launched;
    logic [Ctas-1:0]  complete;
    waits    = '0;
    launched = '0;
    complete = '1;
    if (rst_ni) begin
      if (!kernel_start_i) begin
        waits = waiting_q & ~released;
        if (arrive0_valid_i) waits = waits | (Warps'(1) << arrive0_warp_i);
        if (arrive1_valid_i) waits = waits | (Warps'(1) << arrive1_warp_i);
      end
      if (kernel_start_i || launch_valid_i) begin
        if (!kernel_start_i) begin
          launched = Warps'(1) << launch_warp_i;
          complete = complete_q;
          complete[launch_cta_i] = launch_last_i;
        end
        for (int c = 0; c < Ctas; c++) begin
          if (kernel_start_i)
            members_q[c] <= '0;
          else if (launch_cta_i != $clog2(Ctas)'(c))
            members_q[c] <= members_q[c] & ~launched;
          else
            members_q[c] <= complete_q[c] ? launched : members_q[c] | launched;
        end
        complete_q <= complete;
      end
      if (kernel_start_i || arrive0_valid_i || arrive1_valid_i || released != '0) waiting_q <= waits;
    end else begin
      waiting_q  <= '0;
      complete_q <= '1;
      for (int c = 0; c < Ctas; c++) members_q[c] <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      arrive0_expected: assert (!arrive0_valid_i || (live_i[arrive0_warp_i] && !waiting_q[arrive0_warp_i]));
      arrive1_expected: assert (!arrive1_valid_i || (live_i[arrive1_warp_i] && !waiting_q[arrive1_warp_i]));
      arrivals_differ:  assert (!(arrive0_valid_i && arrive1_valid_i) || arrive0_warp_i != arrive1_warp_i);
    end
  end
`endif
endmodule
