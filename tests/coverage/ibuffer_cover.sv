// Cover points of ibuffer (docs/models/coverage.md).
module ibuffer_cover #(
  parameter int unsigned Warps = 48
) (
  input logic [1:0]       pipe0, pipe1, pipe2,  // of the new heads
  input logic [Warps-1:0] second, from_b,
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
      flush_of_none:           cover (flush_valid_i && !valid_o[flush_warp_i]);
      flush_of_one:            cover (flush_valid_i && valid_o[flush_warp_i] && !second[flush_warp_i]);
      flush_of_two:            cover (flush_valid_i && second[flush_warp_i]);
      flush_of_load:           cover (flush_valid_i && load_o[flush_warp_i]);
      flush_of_a_second:       cover (flush_valid_i && from_b[flush_warp_i]);
      two_seconds:             cover (rd0_valid_o && rd0_b_o && rd1_valid_o && rd1_b_o);
      every_buffer_has_a_head: cover (valid_o == '1);
      every_buffer_empty:      cover (valid_o == '0);
      // With three or four entries
      write_behind_head:       cover (wr_valid_i && valid_o[wr_warp_i]);
      write_with_last_pop:     cover (wr_valid_i && pop0_valid_i && wr_warp_i == pop0_warp_i && !second[wr_warp_i]);
      stale_write:             cover (wr_valid_i && !valid_o[wr_warp_i] && !nh0_valid_o);
      fetch_behind_one:        cover (fetch_held_o == 2'd1);
      fetch_behind_two:        cover (fetch_held_o == 2'd2);
      ends_with_branch:        cover ((valid_o & ~second & full_o) != '0);
      room_behind_head:        cover ((valid_o & ~full_o) != '0);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar i = 0; i < 4; i++) begin : g_pipe
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && !kernel_start_i) begin
      written:         cover (nh0_valid_o && pipe0 == 2'(i));
      second_of_even:  cover (nh1_valid_o && pipe1 == 2'(i));
      second_of_odd:   cover (nh2_valid_o && pipe2 == 2'(i));
    end
  end
  for (genvar c = 0; c < 4; c++) begin : g_class
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && !kernel_start_i) begin
      first_of_even:   cover (rd0_valid_o && !rd0_b_o && rd0_dec_o[3:2] == 2'(c));
      second_of_even:  cover (rd0_valid_o && rd0_b_o && rd0_dec_o[3:2] == 2'(c));
      first_of_odd:    cover (rd1_valid_o && !rd1_b_o && rd1_dec_o[3:2] == 2'(c));
      second_of_odd:   cover (rd1_valid_o && rd1_b_o && rd1_dec_o[3:2] == 2'(c));
    end
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni && !kernel_start_i) written: cover (wr_valid_i && wr_two_i && wr_warp_i == 6'(w));
  end
endmodule
bind ibuffer ibuffer_cover u_cover (.*);
