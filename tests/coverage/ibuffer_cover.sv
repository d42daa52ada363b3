// Cover points of ibuffer (docs/models/coverage.md).
module ibuffer_cover #(
  parameter int unsigned Warps = 48
) (
  input logic [1:0]       wr_pipe,
  input logic [1:0]       pop0_pipe,
  input logic [1:0]       pop1_pipe,
  input logic [Warps-1:0] valid_q,
  input logic [Warps-1:0] second_q,
  input logic [Warps-1:0] from_b_q,
  input logic             take,
  input logic [5:0]       even,
  input logic [5:0]       odd,
`include "csim/ports/ibuffer_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      write_one:               cover (wr_valid_i && !wr_two_i);
      write_two:               cover (wr_valid_i && wr_two_i);
      pop_even_leaves_second:  cover (pop0_valid_i && nh1_valid_o);
      pop_even_leaves_none:    cover (pop0_valid_i && !nh1_valid_o);
      pop_odd_leaves_second:   cover (pop1_valid_i && nh2_valid_o);
      pop_odd_leaves_none:     cover (pop1_valid_i && !nh2_valid_o);
      all_ports_at_once:       cover (wr_valid_i && pop0_valid_i && pop1_valid_i && flush_valid_i);
      three_new_heads:         cover (wr_valid_i && nh1_valid_o && nh2_valid_o);
      flush_of_none:           cover (flush_valid_i && !valid_q[flush_warp_i]);
      flush_of_one:            cover (flush_valid_i && valid_q[flush_warp_i] && !second_q[flush_warp_i]);
      flush_of_two:            cover (flush_valid_i && second_q[flush_warp_i]);
      flush_of_load:           cover (flush_valid_i && load_o[flush_warp_i]);
      read_second_of_even:     cover (valid_q[even] && from_b_q[even]);
      read_second_of_odd:      cover (valid_q[odd] && from_b_q[odd]);
      every_buffer_has_a_head: cover (valid_q == '1);
      every_buffer_empty:      cover (valid_q == '0);
      // With three or four entries
      write_behind_head:       cover (wr_valid_i && valid_q[wr_warp_i]);
      write_with_last_pop:     cover (wr_valid_i && pop0_valid_i && wr_warp_i == pop0_warp_i && !second_q[wr_warp_i]);
      stale_write:             cover (wr_valid_i && !take);
      fetch_behind_one:        cover (fetch_held_o == 2'd1);
      fetch_behind_two:        cover (fetch_held_o == 2'd2);
      ends_with_branch:        cover ((valid_q & ~second_q & full_o) != '0);
      room_behind_head:        cover ((valid_q & ~full_o) != '0);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar i = 0; i < 4; i++) begin : g_pipe
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && !kernel_start_i) begin
      written:         cover (wr_valid_i && wr_pipe == 2'(i));
      second_of_even:  cover (nh1_valid_o && pop0_pipe == 2'(i));
      second_of_odd:   cover (nh2_valid_o && pop1_pipe == 2'(i));
    end
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni && !kernel_start_i) written: cover (wr_valid_i && wr_two_i && wr_warp_i == 6'(w));
  end
endmodule
bind ibuffer ibuffer_cover u_cover (.*);
