// Cover points of spu_global (docs/models/coverage.md).
module spu_global_cover #(
  parameter int unsigned Slots = 256,
  parameter int unsigned Lanes = 128
) (
  input logic [1:0]             hops,
  input logic [Slots+Lanes-1:0] enabled_q,
  input logic [Slots+Lanes-1:0] member_q,
  input logic [Slots+Lanes-1:0] here,
  input logic [Slots+Lanes-1:0] posts,
  input logic                   fires,
  input logic                   ends,
  input logic [61:0]            done_line_q,
`include "csim/ports/spu_global_ports.svh"
);
  localparam int unsigned Units = Slots + Lanes;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      barrier_of_one:           cover (fires && (member_q & (member_q - Units'(1))) == '0);
      barrier_of_some:          cover (fires && member_q != enabled_q && (member_q & (member_q - Units'(1))) != '0);
      barrier_of_all:           cover (fires && member_q == enabled_q);
      barrier_of_lanes_too:     cover (fires && member_q[Units-1:Slots] != '0 && member_q[Slots-1:0] != '0);
      many_post_at_once:        cover ((posts & (posts - Units'(1))) != '0);
      no_members:               cover (member_q == '0 && enabled_q != '0);
      pass_ends:                cover (ends);
      all_units_there_are:      cover (enabled_q == '1 && fires);
    end
    if (rst_ni) begin
      kernel_starts_amid_barrier: cover (kernel_start_i && here != '0);
      kernel_starts_under_way:    cover (kernel_start_i && done_line_q != '0);
    end
  end
  // By eight numbers of hops
  for (genvar h = 0; h < 4; h++) begin : g_hops
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && !kernel_start_i) begin
      answers:   cover (done_o && hops == 2'(h));
      ends_pass: cover (go_o && hops == 2'(h));
    end
  end
endmodule
bind spu_global spu_global_cover u_cover (.hops(hops_i[4:3]), .*);
