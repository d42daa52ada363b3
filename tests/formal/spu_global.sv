// spu_global: the barrier is over when, and only when, every member has posted since the one
// before, and no post serves twice; go is once an end of all units.  Both come 1 + 2 Hops cycles
// later.
module spu_global_formal #(
  parameter int unsigned Slots = 4,
  parameter int unsigned Lanes = 4,
  parameter int unsigned Hops  = 0
) (
  input logic [2:0] watch_i,
`include "csim/ports/spu_global_inputs.svh"
);
  localparam int unsigned Units = Slots + Lanes;
  localparam int unsigned Way   = 2 * Hops;

  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/spu_global_outputs.svh"
  spu_global #(
    .Slots(Slots),
    .Lanes(Lanes)
  ) u_spu_global (
    .hops_i     (5'(Hops)),
    .*
  );

  // The levels of the cycle before, and what they mean, unit by unit.
  logic [Units-1:0] enabled_q, member_q, at_end_q, posts, posted_q;
  logic [2:0]       watch_q;
  logic             over, all_end, was_q;
  assign posts = {lane_post_i, post_i};
  always_comb begin
    over    = member_q != '0;
    all_end = enabled_q != '0;
    for (int i = 0; i < Units; i++) begin
      if (member_q[i] && !posted_q[i])  over = 1'b0;
      if (enabled_q[i] && !at_end_q[i]) all_end = 1'b0;
    end
  end

  // Posts of the followed unit that have not served.
  logic       served;
  logic [1:0] posts_q;
  assign served = over & posted_q[watch_q];

  logic [62:0] over_q, ends_q;  // in the last cycles, the youngest in bit 0
  always_ff @(posedge clk_i) begin
    enabled_q <= {lane_enabled_i, enabled_i};
    watch_q   <= watch_i;
    if (!rst_ni || kernel_start_i) begin
      member_q <= '0;
      at_end_q <= '0;
      posted_q <= '0;
      posts_q  <= '0;
      was_q    <= 1'b0;
      over_q   <= '0;
      ends_q   <= '0;
    end else begin
      member_q <= {lane_member_i, member_i};
      at_end_q <= {lane_at_end_i, at_end_i};
      posted_q <= over ? posts : posted_q | posts;
      posts_q  <= posts_q - 2'(served) + 2'(posts[watch_i]);
      was_q    <= all_end;
      over_q   <= {over_q[61:0], over};
      ends_q   <= {ends_q[61:0], all_end & ~was_q};
    end
    if (!rst_ni) enabled_q <= '0;
  end

  always_comb begin
    // Legal inputs
    assume ((posts & (posted_q | ~member_q)) == '0);
    assume (watch_i == watch_q);

    if (rst_ni) begin
      assert (here_o == posted_q);
      assert (ended_o == was_q);
      assert (done_o == over_q[Way]);
      assert (go_o == ends_q[Way]);
      for (int i = 0; i < 62; i++) begin
        assert (done_line_o[i] == (i < Way && over_q[i]));
        assert (go_line_o[i] == (i < Way && ends_q[i]));
      end
      // Every post of the unit serves one barrier, or waits for it.
      assert (posts_q == 2'(posted_q[watch_q]));
      assert (!over || !member_q[watch_q] || served);
      assert (!quiet_o || (!done_o && !go_o && !over && all_end == was_q));
      cover (done_o && posts != '0 && member_q == '1);
      cover (go_o && !all_end);
    end
  end
endmodule
