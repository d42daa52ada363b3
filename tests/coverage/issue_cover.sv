// Cover points of issue (docs/models/coverage.md).
module issue_cover #(
  parameter int unsigned Warps = 48
) (
  input logic             sfu0, sfu1, mem0, mem1, sp0, sp1,
  input logic             conflict, grant0, grant1, prio_q,
  input logic             no_sp, no_sfu, no_mem,
`include "csim/ports/issue_ports.svh"
);
  logic counts;
  assign counts = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      both_schedulers_full:    cover (elig_o == '1);
      nothing_eligible:        cover (elig_o == '0 && live_i == '1);
      both_issue:              cover (grant0 && grant1);
      both_issue_sp:           cover (grant0 && grant1 && sp0 && sp1);
      both_issue_no_pipeline:  cover (grant0 && grant1 && !(sp0 || sfu0 || mem0 || sp1 || sfu1 || mem1));
      sfu_beside_mem:          cover (grant0 && grant1 && sfu0 && mem1);
      mem_beside_sfu:          cover (grant0 && grant1 && mem0 && sfu1);
      sp_taken_and_returned:   cover (((grant0 && sp0) || (grant1 && sp1)) && sp_credit_i != 2'd0);
      sfu_taken_and_returned:  cover (((grant0 && sfu0) || (grant1 && sfu1)) && sfu_credit_i);
      mem_taken_and_returned:  cover (((grant0 && mem0) || (grant1 && mem1)) && mem_credit_i);
      two_sp_returned:         cover (sp_credit_i == 2'd2);
      all_pipelines_full:      cover (no_sp && no_sfu && no_mem);
      no_mem_under_way:        cover (mem_home_o);
      both_picks_park:         cover (pick0_valid_i && stop0_i && pick1_valid_i && stop1_i);
      even_parks_odd_issues:   cover (pick0_valid_i && stop0_i && grant1);
      odd_parks_even_issues:   cover (pick1_valid_i && stop1_i && grant0);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar i = 0; i <= 12; i++) begin : g_stall
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      of_even: cover (stall0_o == 4'(i));
      of_odd:  cover (stall1_o == 4'(i));
    end
  end
  for (genvar p = 0; p < 2; p++) begin : g_priority
    always_ff @(posedge clk_i or negedge rst_ni) if (counts && prio_q == 1'(p)) begin
      both_want_sfu:     cover (conflict && sfu0 && sfu1);
      both_want_mem:     cover (conflict && mem0 && mem1);
      both_want_last_sp: cover (conflict && !one_slot_i && sp0 && sp1);
      both_want_slot:    cover (conflict && one_slot_i);
    end
  end
endmodule
bind issue issue_cover u_cover (
  .no_sp(sp_count_q == '0), .no_sfu(sfu_count_q == '0), .no_mem(mem_count_q == '0), .*
);
