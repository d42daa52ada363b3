// Resolve of a branch or exit: the new top of the warp's SIMT stack, and the entries that are pushed
// below it.
//
// A branch that all its lanes take, or none, moves the top.  One that splits them runs one side and
// pushes what follows: first the entry with which the warp goes on after the branch (unless the top
// has that already), then the other side (unless a side has no instructions).  An exit takes lanes
// away.  Where the stack would overflow, trap is set and nothing is pushed.  All outputs are 0 without valid.

module simt_resolve #(
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter bit          Outcomes = 1'b1  // 0: dirs, branch_rpc, met are 0
) (
  input  logic                            valid_i,
  input  logic [WarpSize-1:0]             taken_i,  // lanes that take the branch or exit

  // The warp: top of its stack, lanes that live, depth; the branch or exit
  input  logic [tandem_pkg::PcW-1:0]      pc_i,
  input  logic [tandem_pkg::PcW-1:0]      rpc_i,
  input  logic [WarpSize-1:0]             mask_i,
  input  logic [WarpSize-1:0]             live_i,
  input  logic [$clog2(StackDepth+1)-1:0] depth_i,
  input  logic                            met_i,  // lanes wait already where the top reconverges
  input  logic                            exit_i,
  input  logic [tandem_pkg::PcW-1:0]      target_i,
  input  logic [tandem_pkg::PcW-1:0]      join_i,  // where the branch reconverges

  // The warp after it
  output logic [tandem_pkg::PcW-1:0]      pc_o,
  output logic [tandem_pkg::PcW-1:0]      rpc_o,
  output logic [WarpSize-1:0]             mask_o,
  output logic [WarpSize-1:0]             live_o,
  output logic [$clog2(StackDepth+1)-1:0] depth_o,
  output logic                            met_o,
  output logic                            settle_o,  // the top is to be popped
  output logic                            done_o,    // no lane lives
  output logic                            trap_o,

  // Entries that are pushed, the first one lower, as {mask, rpc, pc}; met of the second is met_o
  output logic [1:0]                      push_o,
  output logic [WarpSize+2*tandem_pkg::PcW-1:0] entry0_o,
  output logic [WarpSize+2*tandem_pkg::PcW-1:0] entry1_o,
  output logic                            met0_o,

  // Some lane takes it, some lane does not; where it reconverges
  output logic [1:0]                      dirs_o,
  output logic [tandem_pkg::PcW-1:0]      branch_rpc_o
);
  localparam int unsigned DepthW = $clog2(StackDepth + 1);

  // The lanes on each side.
  logic [WarpSize-1:0] taken, other;
  logic                split;
  always_comb begin
    taken = '0;
    other = '0;
    split = 1'b0;
    if (valid_i) begin
      taken = taken_i & mask_i;
      other = mask_i & ~taken;
      split = !exit_i && taken != '0 && other != '0 && target_i != pc_i;
    end
  end

  // Entries, and the depth with them.
  logic            same, both;  // the top reconverges there too; each side has instructions
  logic [DepthW:0] depth;
  always_comb begin
    same     = join_i == rpc_i;
    both     = target_i != join_i && pc_i != join_i;
    push_o   = '0;
    entry0_o = '0;
    entry1_o = '0;
    depth    = '0;
    trap_o   = 1'b0;
    if (valid_i) depth = {1'b0, depth_i};
    if (split) begin
      push_o   = {!same && both, !same || both};
      entry1_o = {other, join_i, pc_i};
      entry0_o = same ? entry1_o : {mask_i, rpc_i, join_i};
      depth    = {1'b0, depth_i} + (DepthW+1)'(push_o[0]) + (DepthW+1)'(push_o[1]);
      trap_o   = `FAULT(7, depth > (DepthW+1)'(StackDepth), 1'b0);
      if (trap_o) push_o = '0;
    end
  end
  assign depth_o = depth[DepthW-1:0];

  // The new top.
  always_comb begin
    {pc_o, rpc_o, mask_o, live_o, settle_o, done_o} = '0;
    if (split) begin
      live_o = live_i;
      rpc_o  = join_i;
      pc_o   = (target_i == join_i) ? pc_i : target_i;
      mask_o = (target_i == join_i) ? other : taken;
    end else if (valid_i) begin
      pc_o     = (!exit_i && taken != '0) ? target_i : pc_i;
      rpc_o    = rpc_i;
      mask_o   = exit_i ? other : mask_i;
      live_o   = exit_i ? live_i & ~taken : live_i;
      done_o   = exit_i && live_o == '0;
      settle_o = !done_o && (mask_o == '0 || pc_o == rpc_i);
    end
  end

  // Outcomes.  A path of no instructions is at its end at once.
  always_comb begin
    {dirs_o, branch_rpc_o, met_o, met0_o} = '0;
    if (Outcomes && valid_i) begin
      dirs_o       = {other != '0, taken != '0};
      branch_rpc_o = exit_i ? tandem_pkg::NoRpc : join_i;
      met_o        = split ? !both || (same && met_i) : met_i;
      met0_o       = (split && same) ? met_o : met_i;
    end
  end

  logic unused_depth;
  assign unused_depth = 1'b0 & depth[DepthW];
endmodule
