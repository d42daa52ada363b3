// Global barrier of a pass: done when all members have posted; and go when all units have ended
// the pass (docs/hardware/spu_units.md).
//
// The levels and the constants `enabled` and `lane_enabled` are registered first; below they are
// those copies.  A barrier is over as soon as every member is here, by the state before the cycle;
// a post in that cycle is one of the next barrier.  Both answers take 1 + 2 hops cycles.
//
// kernel_start wins over everything, and clears the copies of the levels.
//
// Illegal: a post of a unit that is here already, or is no member; other hops while a signal is under way.

module spu_global #(
  parameter int unsigned Slots = 256,
  parameter int unsigned Lanes = 128  // border lanes, in the order N, S, W, E
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             kernel_start_i,

  // Constant
  input  logic [Slots-1:0] enabled_i,       // units that there are
  input  logic [Lanes-1:0] lane_enabled_i,
  input  logic [4:0]       hops_i,          // to the farthest one

  // The barrier
  input  logic [Slots-1:0] member_i,
  input  logic [Lanes-1:0] lane_member_i,
  input  logic [Slots-1:0] post_i,
  input  logic [Lanes-1:0] lane_post_i,
  output logic             done_o,

  // The end of a pass
  input  logic [Slots-1:0] at_end_i,
  input  logic [Lanes-1:0] lane_at_end_i,
  output logic             go_o,

`ifdef FORMAL
  output logic [Slots+Lanes-1:0] here_o,
  output logic             ended_o,
  output logic [61:0]      done_line_o,
  output logic [61:0]      go_line_o,
`endif
  output logic             quiet_o
);
  localparam int unsigned Units = Slots + Lanes;
  localparam int unsigned Line  = 62;

  // The inputs' copies: lanes above slots
  logic [Units-1:0] enabled_q, member_q, at_end_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enabled_q <= '0;
      member_q  <= '0;
      at_end_q  <= '0;
    end else begin
      enabled_q <= {lane_enabled_i, enabled_i};
      member_q  <= {lane_member_i, member_i} & {Units{~kernel_start_i}};
      at_end_q  <= {lane_at_end_i, at_end_i} & {Units{~kernel_start_i}};
    end
  end

  logic [Slots-1:0] here_q  /*verilator public_flat_rd*/;       // posted since the last barrier
  logic [Lanes-1:0] lane_here_q  /*verilator public_flat_rd*/;
  logic             ended_q  /*verilator public_flat_rd*/;
  logic [Line-1:0]  done_line_q  /*verilator public_flat_rd*/;  // on their way
  logic [Line-1:0]  go_line_q  /*verilator public_flat_rd*/;
  logic             done_q, go_q;

  logic [Units-1:0] here, posts;
  logic             fires;
  assign here  = {lane_here_q, here_q};
  assign fires = member_q != '0 && (member_q & ~here) == '0;
  assign posts = {lane_post_i, post_i};

  logic all_end, ends;
  assign all_end = enabled_q != '0 && (enabled_q & ~at_end_q) == '0;
  assign ends    = all_end & ~ended_q;

  // Signals under way, from their first cycle on; the last place of the way depends on the hops.
  logic [Line:0]    done_way, go_way;
  logic [Line-1:0]  stays;
  logic [5:0]       last;
  assign done_way = {done_line_q, fires};
  assign go_way   = {go_line_q, ends};
  assign last     = {hops_i, 1'b0};
  assign stays    = ~({Line{1'b1}} << last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      here_q      <= '0;
      lane_here_q <= '0;
      ended_q     <= 1'b0;
      done_line_q <= '0;
      go_line_q   <= '0;
      done_q      <= 1'b0;
      go_q        <= 1'b0;
    end else if (kernel_start_i) begin
      here_q      <= '0;
      lane_here_q <= '0;
      ended_q     <= 1'b0;
      done_line_q <= '0;
      go_line_q   <= '0;
      done_q      <= 1'b0;
      go_q        <= 1'b0;
    end else begin
      {lane_here_q, here_q} <= (here & {Units{~fires}}) | posts;

      ended_q     <= all_end;
      done_line_q <= done_way[Line-1:0] & stays;
      go_line_q   <= go_way[Line-1:0] & stays;
      done_q      <= done_way[last];
      go_q        <= go_way[last];
    end
  end

  assign done_o  = done_q;
  assign go_o    = go_q;
  assign quiet_o = ~done_q && ~go_q && done_line_q == '0 && go_line_q == '0 && !fires &&
                   ended_q == all_end;

`ifdef FORMAL
  assign here_o      = here;
  assign ended_o     = ended_q;
  assign done_line_o = done_line_q;
  assign go_line_o   = go_line_q;
`endif

`ifndef SYNTHESIS
  logic [4:0] hops_last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) hops_last <= hops_i;
    if (rst_ni && !kernel_start_i) begin
      hops_stable:      assert ((done_line_q == '0 && go_line_q == '0) || hops_i == hops_last);
      posts_once:       assert ((posts & here) == '0);
      posts_of_members: assert ((posts & ~member_q) == '0);
      // barrier: no done while another one is under way.
      one_barrier: assert (!fires || done_line_q == '0);
    end
  end
`endif
endmodule
