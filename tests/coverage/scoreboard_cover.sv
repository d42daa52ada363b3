// Cover points of scoreboard (docs/models/coverage.md): the hazards, at the end of a cycle, when all registers have
// changed, and the events that reserve and release.
module scoreboard_cover #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Releases = 1
) (
  input logic [47:0]             head_reads_q [Warps],
  input logic [47:0]             head_writes_q [Warps],
  input logic [47:0]             wpend [Warps],
  input logic [Warps-1:0]        has_q,
  input logic [Warps-1:0]        is_exit_q,
  input logic [Warps-1:0]        w_hit,
  input logic [Warps-1:0]        r_hit,
  input logic [Warps-1:0]        w_some,
  input logic [Warps-1:0]        u_some,
  input logic [Warps-1:0]        hazard,
`include "csim/ports/scoreboard_ports.svh"
);
  localparam int unsigned Ports = Releases + 3;

  // By kind: of registers and of predicates.
  logic [Warps-1:0] raw_reg, raw_pred, waw_reg, waw_pred;
  always_comb begin
    for (int w = 0; w < Warps; w++) begin
      raw_reg[w]  = has_q[w] && (head_reads_q[w][31:0] & wpend[w][31:0]) != '0;
      raw_pred[w] = has_q[w] && (head_reads_q[w][47:32] & wpend[w][47:32]) != '0;
      waw_reg[w]  = has_q[w] && (head_writes_q[w][31:0] & wpend[w][31:0]) != '0;
      waw_pred[w] = has_q[w] && (head_writes_q[w][47:32] & wpend[w][47:32]) != '0;
    end
  end
  always_ff @(negedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      raw_of_register:      cover (raw_reg != '0);
      raw_of_predicate:     cover (raw_pred != '0);
      waw_of_register:      cover (waw_reg != '0);
      waw_of_predicate:     cover (waw_pred != '0);
      war:                  cover ((has_q & r_hit) != '0);
      raw_alone:            cover ((has_q & (raw_reg | raw_pred) & ~(waw_reg | waw_pred) & ~r_hit) != '0);
      waw_alone:            cover ((has_q & ~(raw_reg | raw_pred) & (waw_reg | waw_pred) & ~r_hit) != '0);
      war_alone:            cover ((has_q & ~w_hit & r_hit) != '0);
      raw_waw_and_war:      cover ((has_q & (raw_reg | raw_pred) & (waw_reg | waw_pred) & r_hit) != '0);
      exit_waits_for_write: cover ((has_q & is_exit_q & ~w_hit & ~r_hit & w_some & ~u_some) != '0);
      exit_waits_for_read:  cover ((has_q & is_exit_q & ~w_hit & ~r_hit & ~w_some & u_some) != '0);
      every_warp_has_head:  cover (has_q == '1);
      nothing_pending:      cover (idle_o);
      pending_everywhere:   cover ((w_some | u_some) == '1);
    end
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(negedge clk_i or negedge rst_ni) if (rst_ni) waits: cover (hazard[w]);
  end

  logic [Ports-1:0] of_issued;  // write-backs of a warp that issues
  always_comb begin
    for (int k = 0; k < Ports; k++)
      of_issued[k] = wb_valid_i[k] && ((iss0_valid_i && wb_warp_i[6*k+:6] == iss0_warp_i) ||
                                       (iss1_valid_i && wb_warp_i[6*k+:6] == iss1_warp_i));
  end
  logic counts;
  assign counts = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      three_new_heads:         cover (nh0_valid_i && nh1_valid_i && nh2_valid_i);
      two_issues:              cover (iss0_valid_i && iss1_valid_i);
      issue_empties_buffer:    cover (iss0_valid_i && !nh1_valid_i);
      flush_of_head:           cover (flush_valid_i && has_q[flush_warp_i]);
      flush_of_waiting_head:   cover (flush_valid_i && hazard[flush_warp_i]);
      flush_without_head:      cover (flush_valid_i && !has_q[flush_warp_i]);
      every_port_releases:     cover (wb_valid_i == '1);
      every_pipeline_collects: cover (col_valid_i == '1);
      two_collect_of_one_warp: cover (col_valid_i[0] && col_valid_i[1] && col_warp_i[5:0] == col_warp_i[11:6]);
      two_releases_of_one_warp: cover (wb_valid_i[0] && wb_valid_i[1] && wb_warp_i[5:0] == wb_warp_i[11:6]);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar k = 0; k < Ports; k++) begin : g_port
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      releases_predicate:  cover (wb_valid_i[k] && wb_pred_i[k]);
      releases_register:   cover (wb_valid_i[k] && !wb_pred_i[k] && wb_size_i[2*k+:2] == 2'd1);
      releases_pair:       cover (wb_valid_i[k] && !wb_pred_i[k] && wb_size_i[2*k+:2] == 2'd2);
      releases_and_issues: cover (of_issued[k]);
    end
  end
  for (genvar k = 3; k < Ports; k++) begin : g_memory
    always_ff @(posedge clk_i or negedge rst_ni)
      if (counts) releases_quad: cover (wb_valid_i[k] && !wb_pred_i[k] && wb_size_i[2*k+:2] == 2'd3);
  end
  for (genvar k = 0; k < 4; k++) begin : g_collect
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) collects: cover (col_valid_i[k]);
  end
endmodule
bind scoreboard scoreboard_cover #(.Releases(Releases)) u_cover (.wpend(u_writes.wpend_q), .*);
