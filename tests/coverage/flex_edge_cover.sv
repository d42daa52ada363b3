// Cover points of flex_edge (docs/models/coverage.md).
module flex_edge_cover #(
  parameter int unsigned Width = 64,
  parameter int unsigned Stages = 1
) (
  input logic [Stages-1:0] valid_q,
`include "csim/ports/flex_edge_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      enters_alone:      cover (!bypass_i && valid_i && valid_q == '0);
      enters_behind:     cover (!bypass_i && valid_i && valid_q[0]);
      all_stages_full:   cover (valid_q == '1 && valid_i);
      leaves_last:       cover (valid_o && !bypass_i && !valid_i);
      bypassed:          cover (bypass_i && valid_i);
      bypassed_empty:    cover (bypass_i && !valid_i);
    end
  end
endmodule
bind flex_edge flex_edge_cover #(.Width(Width), .Stages(Stages)) u_cover (.*);
