// Cover points of flex_tags (docs/models/coverage.md).
module flex_tags_cover #(
  parameter int unsigned TagW = 20,
  parameter int unsigned Sets = 32,
  localparam int unsigned SetW = $clog2(Sets)
) (
  input logic [1:0] own_at,
  input logic [1:0] left_at,
  input logic [1:0] right_at,
  input logic       wr0,
  input logic       wr1,
  input logic       keep0,
`include "csim/ports/flex_tags_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      own_hits_low:          cover (own_hit_o && own_at[0]);
      own_hits_high:         cover (own_hit_o && own_at[1]);
      own_misses:            cover (own_at != '0 && !own_hit_o);
      left_in_another_way:   cover (left_valid_i && left_at == '0);
      right_in_another_way:  cover (right_valid_i && right_at == '0);
      both_borrowers_hit:    cover (left_hit_o && right_hit_o);
      both_banks_written:    cover (wr0 && wr1);
      emptied:               cover (wr0 && !keep0);
      lookup_of_written:     cover (own_valid_i && own_wr_i && own_set_i == own_wr_set_i);
    end
  end
endmodule
bind flex_tags flex_tags_cover #(.TagW(TagW), .Sets(Sets)) u_cover (.*);
