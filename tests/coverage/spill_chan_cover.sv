// Cover points of spill_chan (docs/models/coverage.md).
module spill_chan_cover (
  input logic [3:0]  hops,
  input logic        arrives,
  input logic        takes,
  input logic        asks,
  input logic        want_q,
  input logic [15:0] count_q,
  input logic [62:0] line_q,
`include "csim/ports/spill_chan_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      get_finds_tile:       cover (get_i && takes);
      get_waits:            cover (get_i && !takes);
      get_ends_waiting:     cover (want_q && takes);
      arrives_for_waiting:  cover (arrives && want_q && count_q == '0);
      arrives_and_is_taken: cover (arrives && takes);
      put_and_get:          cover (put_i && get_i);
      puts_in_a_row:        cover (put_i && line_q[0]);
      many_under_way:       cover ((line_q & (line_q - 63'd1)) != '0);
      takes_the_last:       cover (takes && count_q == 16'd1 && !arrives);
      keeps_many:           cover (count_q > 16'd8);
      nobody_asks:          cover (!asks && count_q != '0);
    end
    if (rst_ni) begin
      kernel_starts_with_tiles:   cover (kernel_start_i && count_q != '0);
      kernel_starts_waiting:      cover (kernel_start_i && want_q);
      kernel_starts_under_way:    cover (kernel_start_i && line_q != '0);
    end
  end
  // By four numbers of hops
  for (genvar h = 0; h < 16; h++) begin : g_hops
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni && !kernel_start_i) carries: cover (arrives && hops == 4'(h));
  end
endmodule
bind spill_chan spill_chan_cover u_cover (.hops(hops_i[5:2]), .*);
