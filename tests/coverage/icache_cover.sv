// Cover points of icache (docs/models/coverage.md).
module icache_cover #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Mshrs = 4
) (
  input logic             hit,
  input logic             miss,
  input logic [1:0]       way,
  input logic [2:0]       set,
  input logic             fill_first,
  input logic             fill_last,
  input logic [1:0]       fill_way,
  input logic [2:0]       fill_set,
  input logic [31:0]      valid_q,
  input logic [Mshrs-1:0] freed,
  input logic [Mshrs-1:0] taken,
  input logic [Mshrs-1:0] mshr_valid_q,
  input logic             mshr_we,
  input logic             allocates,
  input logic [11:0]      line,
`include "csim/ports/icache_ports.svh"
);
  logic counts;
  assign counts = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      hit_of_last_word:          cover (hit && req_pc_i[3:0] == 4'd15);
      miss_allocates:            cover (allocates);
      miss_joins:                cover (miss && mshr_we && !allocates);
      miss_finds_no_mshr:        cover (miss && !mshr_we);
      miss_of_completed_line:    cover (miss && fill_last && line == fill_line_i);
      miss_of_line_amid_fill:    cover (miss && fill_valid_i && !fill_last && line == fill_line_i);
      no_mshr_while_one_frees:   cover (miss && !mshr_we && freed != '0);
      allocates_while_one_frees: cover (allocates && freed != '0);
      hit_and_fill_of_one_set:   cover (hit && fill_valid_i && set == fill_set);
      hit_on_victim:             cover (hit && fill_first && set == fill_set && way == fill_way);
      hit_and_completion_of_set: cover (hit && fill_last && set == fill_set);
      replaces_valid_line:       cover (fill_first && valid_q[{fill_set, fill_way}]);
      fills_invalid_way:         cover (fill_first && !valid_q[{fill_set, fill_way}]);
      all_mshrs_busy:            cover (mshr_valid_q == '1);
      whole_cache_valid:         cover (valid_q == '1);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i && valid_q != '0);
  end
  for (genvar i = 0; i < 4; i++) begin : g_way
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      hit_there:  cover (hit && way == 2'(i));
      replaced:   cover (fill_first && fill_way == 2'(i) && valid_q[{fill_set, fill_way}]);
    end
  end
  for (genvar i = 0; i < 8; i++) begin : g_set
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      hit_there:  cover (hit && set == 3'(i));
      completed:  cover (fill_last && fill_set == 3'(i));
      beat_while_lookup: cover (fill_valid_i && fill_beat_i == 3'(i) && req_valid_i);
    end
  end
  for (genvar i = 0; i < Mshrs; i++) begin : g_mshr
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      is_taken: cover (taken[i]);
      is_freed: cover (freed[i]);
    end
  end
endmodule
bind icache icache_cover #(.Warps(Warps)) u_cover (.*);
