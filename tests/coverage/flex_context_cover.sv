// Cover points of flex_context (docs/models/coverage.md).
module flex_context_cover #(
  parameter int unsigned Rows = 24,
  parameter int unsigned Lanes = 64,
  parameter int unsigned Depth = 16,
  localparam int unsigned RowW = $clog2(Rows),
  localparam int unsigned DepthW = $clog2(Depth + 1)
) (
  input logic [1:0] wr,
  input logic [1:0] push0,
  input logic [1:0] push1,
  input logic [1:0] own_rd0,
  input logic [1:0] own_rd1,
  input logic [1:0] own_pop,
  input logic [1:0] left_pop,
  input logic [1:0] right_pop,
  input logic       upper_only,
`include "csim/ports/flex_context_ports.svh"
);
  always_ff @(posedge clk_i) begin
    both_banks_written:  cover (wr == 2'b11);
    both_banks_pushed:   cover (push0 == 2'b11);
    two_pushed:          cover (push1 != '0);
    reads_of_one_bank:   cover (own_rd0 != '0 && own_rd0 == own_rd1);
    reads_of_two_banks:  cover (own_rd0 != '0 && own_rd1 != '0 && own_rd0 != own_rd1);
    own_pops_low:        cover (own_pop[0]);
    own_pops_high:       cover (own_pop[1]);
    left_pops_high:      cover (left_pop[1]);
    right_pops_low:      cover (right_pop[0]);
    right_pops_upper:    cover (upper_only && right_pop[1]);
    both_pop:            cover (left_pop != '0 && right_pop != '0);
    left_writes_one:     cover (left_wr_valid_i && !left_wr_two_i);
    right_reads_second:  cover (right_rd1_valid_i && right_rd1_b_i);
  end
endmodule
bind flex_context flex_context_cover #(.Rows(Rows), .Lanes(Lanes), .Depth(Depth)) u_cover (.*);
