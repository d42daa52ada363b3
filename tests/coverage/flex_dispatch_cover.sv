// Cover points of flex_dispatch (docs/models/coverage.md).
module flex_dispatch_cover #(
  parameter int unsigned Width = 64
) (
  input logic       own_valid,
  input logic       beat,
  input logic       last,
  input logic [1:0] come_q,
`include "csim/ports/flex_dispatch_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      own_at_output:      cover (own_valid && !bypass_i);
      own_bypassed:       cover (own_valid && bypass_i);
      far_at_once:        cover (beat && last && come_q == '0);
      far_without_planes: cover (side_o && planes_o == '0);
      three_planes:       cover (side_o && planes_o == 2'd3);
      // With a link of one or two planes
      first_of_more:      cover (beat && !last && come_q == '0);
      last_of_two:        cover (beat && last && come_q != '0);
      own_while_held:     cover (own_valid && come_q != '0);
      full:               cover (valid_o && own_valid_i && far_valid_i);
    end
  end
endmodule
bind flex_dispatch flex_dispatch_cover #(.Width(Width)) u_cover (.*);
