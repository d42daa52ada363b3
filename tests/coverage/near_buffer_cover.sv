// Cover points of near_buffer (docs/models/coverage.md).
module near_buffer_cover #(
  parameter int unsigned Warps = 48
) (
  input logic [Warps-1:0] valid_q, second_q, b_q,
`include "csim/ports/near_buffer_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      all_ports_at_once:       cover (wr_valid_i && pop0_valid_i && pop1_valid_i && flush_valid_i);
      three_new_heads:         cover (nh0_valid_o && nh1_valid_o && nh2_valid_o);
      two_borrowed_reads:      cover (far_rd0_o && far_rd1_o);
      two_borrowed_seconds:    cover (far_rd0_o && rd0_b_o && far_rd1_o && rd1_b_o);
      own_beside_borrowed:     cover (own_rd0_o && far_rd1_o);
      borrowed_beside_own:     cover (far_rd0_o && own_rd1_o);
      read_beside_own_write:   cover (own_wr_o && far_rd0_o);
      read_beside_far_write:   cover (far_wr_o && own_rd1_o);
      flush_of_two:            cover (flush_valid_i && second_q[flush_warp_i]);
      flush_of_a_second:       cover (flush_valid_i && valid_q[flush_warp_i] && b_q[flush_warp_i]);
      every_row_has_a_head:    cover (valid_q == '1);
      every_row_is_empty:      cover (valid_q == '0);
    end
  end
  for (genvar c = 0; c < 4; c++) begin : g_class
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && !kernel_start_i) begin
      first_of_even:  cover (pop0_valid_i && !rd0_b_o && rd0_ctl_o == 2'(c));
      second_of_even: cover (pop0_valid_i && rd0_b_o && rd0_ctl_o == 2'(c));
      first_of_odd:   cover (pop1_valid_i && !rd1_b_o && rd1_ctl_o == 2'(c));
      second_of_odd:  cover (pop1_valid_i && rd1_b_o && rd1_ctl_o == 2'(c));
    end
  end
  for (genvar r = 0; r < 24; r++) begin : g_row
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && !kernel_start_i) begin
      own_written: cover (own_wr_o && wr_two_i && wr_row_o == 5'(r));
      far_written: cover (far_wr_o && wr_two_i && wr_row_o == 5'(r));
    end
  end
endmodule
bind near_buffer near_buffer_cover u_cover (.*);
