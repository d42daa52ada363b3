// Cover points of issue (docs/models/coverage.md).
module issue_cover #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Sides = 1,
  localparam int unsigned SpW = 4,
  localparam int unsigned SfuW = 3,
  localparam int unsigned MemW = 4
) (
  input logic             sfu0, sfu1, mem0, mem1, sp0, sp1, far0, far1,
  input logic             conflict, grant0, grant1, prio_q,
  input logic [SpW-1:0]   sp_count, sp_count1,
  input logic [SfuW-1:0]  sfu_count, sfu_count1,
  input logic [MemW-1:0]  mem_count, mem_count1,
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
      all_pipelines_full:      cover (sp_count == '0 && sfu_count == '0 && mem_count == '0);
      no_mem_under_way:        cover (mem_home_o);
      both_picks_vetoed:       cover (pick0_valid_i && veto_pick0_i && pick1_valid_i && veto_pick1_i);
      even_vetoed_odd_issues:  cover (pick0_valid_i && veto_pick0_i && grant1);
      odd_vetoed_even_issues:  cover (pick1_valid_i && veto_pick1_i && grant0);
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
      both_want_last_sp: cover (conflict && !veto_two_i && sp0 && sp1);
      vetoed_both:       cover (conflict && veto_two_i);
    end
  end
  if (Sides > 1) begin : g_sides
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      both_sides_issue:       cover (grant0 && grant1 && far0 != far1);
      both_sides_issue_sp:    cover (grant0 && grant1 && far0 != far1 && sp0 && sp1);
      sp_of_side_1_twice:     cover (grant0 && grant1 && far0 && far1 && sp0 && sp1);
      sfu_beside_mem:         cover (grant0 && grant1 && sfu0 && mem1 && far0 && !far1);
      mem_beside_sfu:         cover (grant0 && grant1 && mem0 && sfu1 && !far0 && far1);
      side_0_full:            cover (sp_count == '0 && sfu_count == '0 && mem_count == '0 && elig_o != '0);
      side_1_full:            cover (sp_count1 == '0 && sfu_count1 == '0 && mem_count1 == '0 && elig_o != '0);
      taken_and_returned:     cover (grant0 && far0 && mem0 && mem_credit1_i);
      credits_of_both_sides:  cover (sp_credit_i != '0 && sp_credit1_i != '0 && mem_credit_i && mem_credit1_i);
    end
    for (genvar p = 0; p < 2; p++) begin : g_priority
      always_ff @(posedge clk_i or negedge rst_ni) if (counts && prio_q == 1'(p)) begin
        sfu_of_two_sides:  cover (conflict && sfu0 && sfu1 && far0 != far1);
        mem_of_two_sides:  cover (conflict && mem0 && mem1 && far0 != far1);
        last_sp_of_side_0: cover (conflict && !veto_two_i && sp0 && sp1 && !far0);
        last_sp_of_side_1: cover (conflict && !veto_two_i && sp0 && sp1 && far0);
      end
    end
  end
endmodule
bind issue issue_cover #(
  .Warps(Warps),
  .Sides(Sides)
) u_cover (.*);
