// Cover points of monitor (docs/models/coverage.md).
module monitor_cover #(
  parameter int unsigned Members = 4,
  parameter int unsigned Entries = 1,
  parameter int unsigned Warps = 48
) (
  input logic [Members-1:0]         ev_valid,
  input logic [6*Members-1:0]       ev_warp,
  input logic [Entries*Members-1:0] clear,
  input logic [Entries-1:0]         take,
  input logic [Warps-1:0]           full,
  input logic [Warps-1:0]           some,
`include "csim/ports/monitor_ports.svh"
);
  logic counts, own_clears;
  assign counts = rst_ni && !kernel_start_i;
  always_comb begin
    own_clears = 1'b0;
    for (int e = 0; e < Entries; e++) own_clears = own_clears | clear[e*Members];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      own_without_entry:       cover (ev_valid[0] && !own_clears);
      own_clears_and_waits:    cover (ev_valid[0] && own_clears && !rel_valid_o[0]);
      own_is_last:             cover (ev_valid[0] && own_clears && rel_valid_o[0]);
      every_member_completes:  cover (ev_valid == '1);
      two_release:             cover ((rel_valid_o & (rel_valid_o - Members'(1))) != '0);
      issue_to_all:            cover (iss_valid_i && iss_members_i == '1);
      issue_to_some:           cover (iss_valid_i && iss_members_i != '1);
      issue_and_completion_of_warp: cover (iss_valid_i && ev_valid[1] && ev_warp[11:6] == iss_warp_i);
      every_warp_full:         cover (full == '1);
      every_warp_busy:         cover (some == '1);
      empty:                   cover (some == '0);
    end
    if (rst_ni) kernel_starts_while_busy: cover (kernel_start_i && some != '0);
  end
  for (genvar k = 1; k < Members; k++) begin : g_slave
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      waits_for_others: cover (ev_valid[k] && !rel_valid_o[k]);
      is_last:          cover (rel_valid_o[k]);
      last_with_own:    cover (rel_valid_o[k] && ev_valid[0] && ev_warp[5:0] == ev_warp[6*k+:6]);
    end
  end
  for (genvar e = 0; e < Entries; e++) begin : g_entry
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      is_taken:   cover (take[e]);
      is_cleared: cover (clear[e*Members+:Members] != '0);
    end
  end
  for (genvar i = 1; i < 4; i++) begin : g_size
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      released_by_own: cover (rel_valid_o[0] && rel_size_o[1:0] == 2'(i));
      released_by_ack: cover (rel_valid_o[1] && rel_size_o[3:2] == 2'(i));
    end
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) fills: cover (full[w]);
  end
endmodule
bind monitor monitor_cover #(.Members(Members), .Entries(Entries)) u_cover (.*);
