// A scheduler's pick that parks instead of being issued: a warp at the park PC that may stay there.  Much of
// an issue waits for this, so it is a module of its own, whose output drives issue before anything else.

module park_stop #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                         park_i,
  input  logic [tandem_pkg::PcW-1:0]   park_pc_i,
  input  logic [Warps-1:0]             stays_i,  // warps that may park

  input  logic                         pick_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pick_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   pick_pc_i,

  output logic                         stop_o
);
  // The PC comes last.
  logic may;
  always_comb begin
    may = 1'b0;
    if (park_i) may = pick_valid_i && (stays_i & (Warps'(1) << pick_warp_i)) != '0;
  end
  assign stop_o = may && pick_pc_i == park_pc_i;
endmodule
