// Cover points of barrier (docs/models/coverage.md).
module barrier_cover #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Ctas = 8
) (
  input logic [Warps-1:0] waiting_q,
  input logic [Ctas-1:0]  complete_q,
  input logic [Warps-1:0] members_q [Ctas],
  input logic [Ctas-1:0]  release_d,
`include "csim/ports/barrier_ports.svh"
);
  logic             counts;
  logic [Warps-1:0] early, dead;  // of incomplete CTAs; of CTAs that are released
  always_comb begin
    early = '0;
    dead  = '0;
    for (int c = 0; c < Ctas; c++) begin
      if (!complete_q[c]) early = early | members_q[c];
      if (release_d[c]) dead = dead | (members_q[c] & ~live_i);
    end
  end
  assign counts = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      one_arrives:              cover (arrive0_valid_i ^ arrive1_valid_i);
      two_arrive:               cover (arrive0_valid_i && arrive1_valid_i);
      arrives_before_complete:  cover ((arrive0_valid_i && early[arrive0_warp_i]) ||
                                       (arrive1_valid_i && early[arrive1_warp_i]));
      waits_before_complete:    cover ((waiting_q & early & live_i) != '0);
      releases_one:             cover (release_d != '0 && (release_d & (release_d - 8'd1)) == '0);
      releases_many:            cover ((release_d & (release_d - 8'd1)) != '0);
      releases_without_dead:    cover (dead != '0);
      release_and_arrival:      cover (release_d != '0 && (arrive0_valid_i || arrive1_valid_i));
      release_and_launch:       cover (release_d != '0 && launch_valid_i);
      release_of_one_warp:      cover (release_d[0] && (members_q[0] & live_i & (members_q[0] & live_i) - 48'd1) == '0);
      completes_with_waiting:   cover (launch_valid_i && launch_last_i && !complete_q[launch_cta_i] &&
                                       (members_q[launch_cta_i] & waiting_q & live_i) != '0);
      warp_changes_slot:        cover (launch_valid_i && !members_q[launch_cta_i][launch_warp_i]);
      launch_into_same_slot:    cover (launch_valid_i && members_q[launch_cta_i][launch_warp_i]);
      cta_of_one_warp:          cover (launch_valid_i && launch_last_i && complete_q[launch_cta_i]);
      holds_running_warps:      cover ((held_o & ~waiting_q) != '0);
      nobody_waits:             cover (waiting_q == '0 && live_i != '0);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar c = 0; c < Ctas; c++) begin : g_cta
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      released:  cover (release_d[c]);
      completed: cover (launch_valid_i && launch_last_i && launch_cta_i == 3'(c));
    end
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      arrives: cover ((arrive0_valid_i && arrive0_warp_i == 6'(w)) || (arrive1_valid_i && arrive1_warp_i == 6'(w)));
    end
  end
endmodule
bind barrier barrier_cover u_cover (.*);
