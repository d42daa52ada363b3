// Cover points of near_issue (docs/models/coverage.md).
module near_issue_cover #(
  parameter int unsigned Warps = 48
) (
  input logic       sfu0, sfu1, mem0, mem1, sp0, sp1, far0, far1, conflict, grant0, grant1, prio_q,
  input logic [3:0] sp_count_q, sp_count1_q,
  input logic [2:0] sfu_count_q, sfu_count1_q, mem_count_q, mem_count1_q,
`include "csim/ports/near_issue_ports.svh"
);
  logic counts;
  assign counts = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      both_sides_issue:       cover (grant0 && grant1 && far0 != far1);
      both_sides_issue_sp:    cover (grant0 && grant1 && far0 != far1 && sp0 && sp1);
      sp_of_side_1_twice:     cover (grant0 && grant1 && far0 && far1 && sp0 && sp1);
      sfu_beside_mem:         cover (grant0 && grant1 && sfu0 && mem1 && far0 && !far1);
      mem_beside_sfu:         cover (grant0 && grant1 && mem0 && sfu1 && !far0 && far1);
      side_0_full:            cover (sp_count_q == '0 && sfu_count_q == '0 && mem_count_q == '0 && elig_o != '0);
      side_1_full:            cover (sp_count1_q == '0 && sfu_count1_q == '0 && mem_count1_q == '0 && elig_o != '0);
      taken_and_returned:     cover (grant0 && far0 && mem0 && mem_credit1_i);
      credits_of_both_sides:  cover (sp_credit_i != '0 && sp_credit1_i != '0 && mem_credit_i && mem_credit1_i);
      nothing_eligible:       cover (elig_o == '0 && live_i == '1);
      held:                   cover (hold_i && live_i != '0);
    end
  end
  for (genvar m = 0; m <= 4; m++) begin : g_mode
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && kernel_start_i) begin
      starts:           cover (mode_i == 3'(m));
      starts_while_out: cover (mode_i == 3'(m) && sp_count_q == '0);
    end
  end
  for (genvar p = 0; p < 2; p++) begin : g_priority
    always_ff @(posedge clk_i or negedge rst_ni) if (counts && prio_q == 1'(p)) begin
      sfu_of_two_sides:  cover (conflict && sfu0 && sfu1 && far0 != far1);
      mem_of_two_sides:  cover (conflict && mem0 && mem1 && far0 != far1);
      last_sp_of_side_0: cover (conflict && sp0 && sp1 && !far0);
      last_sp_of_side_1: cover (conflict && sp0 && sp1 && far0);
    end
  end
endmodule
bind near_issue near_issue_cover u_cover (.*);
