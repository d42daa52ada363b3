// park: a warp never parks with entries on its stack that were not there when the member became
// independent; the roll calls each parked warp once, nobody else, and then says how many.  The assertions are in
// rtl/buddy/park.sv, as they speak of its registers; the inputs are any that the unit allows, but that
// schedulers pick nothing while the roll is called.
module park_formal #(
  parameter int unsigned Warps = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             kernel_start_i,
  input logic             park_i,
  input logic             together_i,
  input logic             set_valid_i,
  input logic [15:0]      set_pc_i,
  input logic             launch_valid_i,
  input logic [5:0]       launch_warp_i,
  input logic             res_valid_i,
  input logic [5:0]       res_warp_i,
  input logic [1:0]       res_push_i,
  input logic             pop_valid_i,
  input logic [5:0]       pop_warp_i,
  input logic [Warps-1:0] live_i,
  input logic             pick0_valid_i,
  input logic [5:0]       pick0_warp_i,
  input logic [15:0]      pick0_pc_i,
  input logic             pick1_valid_i,
  input logic [5:0]       pick1_warp_i,
  input logic [15:0]      pick1_pc_i,
  input logic             call_i
);
  // One clock; reset lasts for a cycle.
  logic run_q;
  initial run_q = 1'b0;
  always_ff @(posedge clk_i) run_q <= 1'b1;
  always_comb begin
    assume (clk_i);
    assume (rst_ni == run_q);
    assume (launch_warp_i < 6'(Warps) && res_warp_i < 6'(Warps) && pop_warp_i < 6'(Warps));
    assume (pick0_warp_i < 6'(Warps) && pick1_warp_i < 6'(Warps));
    assume (!pick0_warp_i[0] && pick1_warp_i[0]);
    assume (res_push_i != 2'd3);
  end

  logic             stop0, stop1, all, cancel, call0_valid, call1_valid, last_valid, differs;
  logic [Warps-1:0] parked;
  logic [5:0]       call0_warp, call1_warp, last_count;
  park #(
    .Warps(Warps)
  ) u_park (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i(8'd`FAULT),
`endif
    .kernel_start_i,
    .park_i,
    .together_i,
    .set_valid_i,
    .set_pc_i,
    .launch_valid_i,
    .launch_warp_i,
    .res_valid_i,
    .res_warp_i,
    .res_push_i,
    .pop_valid_i,
    .pop_warp_i,
    .live_i,
    .held_i('0),
    .pick0_valid_i,
    .pick0_warp_i,
    .pick0_pc_i,
    .pick1_valid_i,
    .pick1_warp_i,
    .pick1_pc_i,
    .stop0_o(stop0),
    .stop1_o(stop1),
    .parked_o(parked),
    .all_o(all),
    .cancel_o(cancel),
    .call_i,
    .call0_valid_o(call0_valid),
    .call0_warp_o(call0_warp),
    .call1_valid_o(call1_valid),
    .call1_warp_o(call1_warp),
    .last_valid_o(last_valid),
    .last_count_o(last_count),
    .called0_valid_i(1'b0),
    .called0_warp_i('0),
    .called0_depth_i('0),
    .called1_valid_i(1'b0),
    .called1_warp_i('0),
    .called1_depth_i('0),
    .end_valid_i(1'b0),
    .end_count_i('0),
    .depth0_i('0),
    .depth1_i('0),
    .differs_o(differs)
  );
endmodule
