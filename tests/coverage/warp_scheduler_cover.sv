// Cover points of warp_scheduler (docs/models/coverage.md).
module warp_scheduler_cover #(
  parameter int unsigned Warps = 48,
  parameter bit          Parity = 1'b0
) (
  input logic [5:0]       last_q,
  input logic             greedy_q,
  input logic             stays,
  input logic [15:0]      count_q,
`include "csim/ports/warp_scheduler_ports.svh"
);
  localparam logic [Warps-1:0] Own = {(Warps / 2) {Parity ? 2'b10 : 2'b01}};
  logic counts;
  assign counts = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      every_warp_eligible:      cover (elig_i == Own);
      no_warp_eligible:         cover (elig_i == '0);
      goes_on_with_last:        cover (!lrr_i && stays);
      last_is_not_eligible:     cover (!lrr_i && pick_valid_o && greedy_q && !stays);
      last_eligible_not_greedy: cover (!lrr_i && pick_valid_o && !greedy_q && elig_i[last_q]);
      oldest_is_not_lowest:     cover (!lrr_i && pick_valid_o && !stays && (elig_i & ((48'd1 << pick_warp_o) - 48'd1)) != '0);
      oldest_is_lowest:         cover (!lrr_i && pick_valid_o && !stays && (elig_i & (elig_i - 48'd1)) != '0 &&
                                       (elig_i & ((48'd1 << pick_warp_o) - 48'd1)) == '0);
      robin_goes_up:            cover (lrr_i && pick_valid_o && pick_warp_o > last_q);
      robin_wraps_around:       cover (lrr_i && pick_valid_o && pick_warp_o < last_q);
      robin_same_again:         cover (lrr_i && pick_valid_o && pick_warp_o == last_q);
      pick_without_grant:       cover (pick_valid_o && !grant_i);
      launch_ends_greed:        cover (launch_valid_i && launch_warp_i == last_q && greedy_q && !grant_i);
      grant_wins_over_launch:   cover (launch_valid_i && launch_warp_i == last_q && grant_i);
      ages_wrap:                cover (launch_valid_i && count_q == '1);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i && greedy_q);
  end
  for (genvar i = 0; i < Warps / 2; i++) begin : g_warp
    localparam logic [5:0] Warp = 6'(2 * i) + 6'(Parity);
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      oldest:   cover (!lrr_i && pick_valid_o && !stays && pick_warp_o == Warp);
      in_turn:  cover (lrr_i && pick_valid_o && pick_warp_o == Warp);
      launched: cover (launch_valid_i && launch_warp_i == Warp);
    end
  end
endmodule
bind warp_scheduler warp_scheduler_cover #(.Parity(Parity)) u_cover (.*);
