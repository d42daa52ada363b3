// Cover points of block_port (docs/models/coverage.md).
module block_port_cover (
  input logic [1:0]  state_q,
  input logic [5:0]  need_q,
  input logic [5:0]  here_q,
  input logic [6:0]  dirs_q,
  input logic [5:0]  left_q,
  input logic        put,
  input logic [5:0]  links,
  input logic        allowed,
  input logic        complete,
  input logic        over,
  input logic [15:0] cspill_q,
`include "csim/ports/block_port_ports.svh"
);
  logic runs, posts;
  assign runs  = rst_ni && !kernel_start_i;
  assign posts = runs && state_q == 2'd1 && complete && need_q != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (runs) begin
      launch_of_one_warp:    cover (state_q == 2'd0 && launch_i && launch_warps_i == 6'd1);
      launch_of_48_warps:    cover (state_q == 2'd0 && launch_i && launch_warps_i == 6'd48);
      arrival_and_exit:      cover (state_q == 2'd1 && arrive_i && exit_i);
      last_warp_exits:       cover (state_q == 2'd1 && complete && need_q == '0);
      exit_completes:        cover (state_q == 2'd1 && exit_i && !arrive_i && here_q != '0 && need_q == here_q + 6'd1);
      warps_differ:          cover (state_q == 2'd1 && !complete && arrive_i && here_q != '0 && arrive_dirs_i != dirs_q);
      all_done_at_once:      cover (state_q == 2'd2 && over && (left_q & (left_q - 6'd1)) != '0);
      done_one_by_one:       cover (state_q == 2'd2 && !over && (left_q & done_i) != '0);
      put_needs_no_answer:   cover (state_q == 2'd2 && put && role_i == 3'd3);
      pass_starts_anew:      cover (start_i && cspill_q != '0);
    end
    if (posts) begin
      refused_directions:    cover (!allowed);
      refused_by_no_role:    cover (!allowed && role_i == 3'd0);
      no_directions:         cover (role_i == 3'd1 && dirs_q == '0);
      block_global:          cover (role_i == 3'd1 && allowed && dirs_q[6]);
      load_global:           cover (role_i == 3'd2 && allowed && dirs_q[6]);
      store_global:          cover (role_i == 3'd3 && allowed && dirs_q[6]);
    end
    if (rst_ni) begin
      kernel_starts_gathering: cover (kernel_start_i && state_q == 2'd1);
      kernel_starts_waiting:   cover (kernel_start_i && state_q == 2'd2);
    end
  end
  // The sets of neighbours of a block, and what an interface unit of a side posts.
  for (genvar d = 1; d < 16; d++) begin : g_directions
    always_ff @(posedge clk_i or negedge rst_ni)
      if (posts) block: cover (role_i == 3'd1 && allowed && dirs_q[3:0] == 4'(d));
  end
  for (genvar s = 0; s < 2; s++) begin : g_side
    for (genvar v = 0; v < 2; v++) begin : g_virtual
      always_ff @(posedge clk_i or negedge rst_ni) if (posts && allowed && side_i == 1'(s) && viu_i == 1'(v)) begin
        load_own:  cover (role_i == 3'd2 && dirs_q[5:4] == 2'd1);
        store_own: cover (role_i == 3'd3 && dirs_q[5:4] == 2'd1);
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) if (posts && allowed && side_i == 1'(s) && viu_i) begin
      load_spill:       cover (role_i == 3'd2 && dirs_q[5:4] == 2'd2);
      store_spill:      cover (role_i == 3'd3 && dirs_q[5:4] == 2'd2);
      load_both:        cover (role_i == 3'd2 && dirs_q[5:4] == 2'd3);
      store_both:       cover (role_i == 3'd3 && dirs_q[5:4] == 2'd3);
    end
  end
  for (genvar l = 0; l < 6; l++) begin : g_link
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (posts) posted: cover (links[l]);
      if (runs) is_done: cover (state_q == 2'd2 && left_q[l] && done_i[l]);
    end
  end
endmodule
bind block_port block_port_cover u_cover (.put(post_q[4]), .*);
