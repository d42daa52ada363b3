// Cover points of fetch (docs/models/coverage.md).
module fetch_cover #(
  parameter int unsigned Warps = 48
) (
  input logic [Warps-1:0] outstanding_q,
  input logic [Warps-1:0] eligible,
  input logic [5:0]       last_q,
`include "csim/ports/fetch_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      nobody_eligible:       cover (eligible == '0);
      everybody_eligible:    cover (eligible == '1);
      wraps_around:          cover (sel_valid_o && sel_warp_o < last_q);
      same_warp_again:       cover (sel_valid_o && sel_warp_o == last_q);
      all_outstanding:       cover (outstanding_q == '1);
      buffered_but_fetchable: cover ((fetchable_i & ib_valid_i) != '0);
      delivers:              cover (deliver_valid_i);
      wakes_one:             cover (wake_i != '0 && (wake_i & (wake_i - 48'd1)) == '0);
      wakes_many:            cover ((wake_i & (wake_i - 48'd1)) != '0);
      delivers_and_wakes:    cover (deliver_valid_i && wake_i != '0);
      delivers_and_selects:  cover (deliver_valid_i && sel_valid_o);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni) selected: cover (sel_valid_o && sel_warp_o == 6'(w));
  end
endmodule
bind fetch fetch_cover u_cover (.*);
