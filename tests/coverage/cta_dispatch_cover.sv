// Cover points of cta_dispatch (docs/models/coverage.md).
module cta_dispatch_cover #(
  parameter int unsigned Sms = 64
) (
  input logic [2:0]     residue,
  input logic [Sms-1:0] starts,
  input logic [Sms-1:0] ready,
  input logic [Sms-1:0] full,
  input logic [Sms-1:0] give,
  input logic [Sms-1:0] split,
  input logic           asked_q,
  input logic [31:0]    left_q,
  input logic [6:0]     left,
  input logic [6:0]     taken,
  input logic [7*Sms-1:0] sizes,
`include "csim/ports/cta_dispatch_ports.svh"
);
  logic runs;
  assign runs = rst_ni && !kernel_start_i;

  // Sizes of the cycle's groups that take, are passed over, wait for a member.
  logic [8:0] takes, passed, waits;
  always_comb begin
    takes  = '0;
    passed = '0;
    waits  = '0;
    for (int i = 0; i < Sms; i++) begin
      for (int n = 1; n <= 8; n++) begin
        if (starts[i] && enabled_i[i] && sizes[7*i+:7] == 7'(n)) begin
          if (give[i])       takes[n]  = 1'b1;
          else if (full[i])  passed[n] = 1'b1;
          else if (ready[i]) waits[n]  = 1'b1;
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (runs) begin
      every_sm_takes:            cover (give == '1);
      one_sm_takes:              cover (give != '0 && (give & (give - 64'd1)) == '0);
      nobody_ready:              cover (left_q != '0 && ready == '0);
      groups_of_several_sizes:   cover ((takes & (takes - 9'd1)) != '0);
      takes_all_that_is_left:    cover (taken != '0 && taken == left && left_q <= 32'(Sms));
      passed_over_for_a_smaller: cover (passed != '0 && takes != '0 && passed > takes);
      splits:                    cover (split != '0);
      splits_not_the_first:      cover (split != '0 && !split[0]);
      asked_already:             cover (asked_q && left_q != '0 && give == '0);
      grid_done:                 cover (left_q == '0);
    end
    if (rst_ni) begin
      grid_of_none:              cover (kernel_start_i && ctas_i == '0);
      grid_below_a_group:        cover (kernel_start_i && ctas_i != '0 && ctas_i < 32'd8);
      grid_of_millions:          cover (kernel_start_i && ctas_i[31:22] != '0);
      kernel_starts_amid_another: cover (kernel_start_i && left_q != '0);
    end
  end
  for (genvar k = 0; k < 4; k++) begin : g_size
    localparam int unsigned Size = 1 << k;
    always_ff @(posedge clk_i or negedge rst_ni) if (runs) begin
      takes_ctas:  cover (takes[Size]);
      passed_over: cover (passed[Size]);
    end
    if (k > 0) begin : g_set
      always_ff @(posedge clk_i or negedge rst_ni) if (runs) waits_for_member: cover (waits[Size]);
    end
    // Clusters of so many: each residue
    for (genvar r = 0; r < Size; r++) begin : g_residue
      always_ff @(posedge clk_i or negedge rst_ni)
        if (rst_ni) adaptive: cover (kernel_start_i && adaptive_i && cluster_i == 3'(Size - 1) && residue == 3'(r));
    end
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni) by_default: cover (kernel_start_i && !adaptive_i && cluster_i == 3'(Size - 1));
  end
  for (genvar i = 0; i < Sms; i++) begin : g_sm
    always_ff @(posedge clk_i or negedge rst_ni) if (runs) takes: cover (give[i]);
  end
endmodule
bind cta_dispatch cta_dispatch_cover u_cover (.*);
