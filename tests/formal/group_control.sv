// group_control: no member follows two masters; each lead is a powered master; a slave is on for
// power_up cycles and reset before it is independent, its group drained; hold covers the ramp.  The
// assertions are in rtl/buddy/group_control.sv, as they speak of its registers; the inputs are any,
// but that the configuration stands still within a kernel and that its residue is one.
module group_control_formal #(
  parameter int unsigned Members = 4
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               kernel_start_i,
  input logic [2:0]         form_i,
  input logic               solo_i,
  input logic [7:0]         power_up_i,
  input logic               halfway_i,
  input logic [Members-1:0] ungroup_i,
  input logic [Members-1:0] split_i,
  input logic [Members-1:0] drained_i,
  input logic [Members-1:0] parked_i,
  input logic [Members-1:0] cancel_i,
  input logic [Members-1:0] called_i
);
  // One clock; reset lasts for a cycle.  A new configuration comes with kernel_start.
  logic       run_q, halfway_q;
  logic [7:0] power_up_q;
  initial run_q = 1'b0;
  always_ff @(posedge clk_i) begin
    run_q      <= 1'b1;
    power_up_q <= power_up_i;
    halfway_q  <= halfway_i;
  end
  always_comb begin
    assume (clk_i);
    assume (rst_ni == run_q);
    assume ({29'd0, form_i} < Members);
    if (run_q && !kernel_start_i) assume (power_up_i == power_up_q && halfway_i == halfway_q);
  end

  logic [Members-1:0]       master, slave, power, reset_fe, hold, park, call, cta_lead;
  logic [3*Members-1:0]     lead;
  logic [3*(Members/2)-1:0] state;
  group_control #(
    .Members(Members)
  ) u_group_control (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i(8'd`FAULT),
`endif
    .kernel_start_i,
    .form_i,
    .solo_i,
    .power_up_i,
    .halfway_i,
    .ungroup_i,
    .split_i,
    .drained_i,
    .parked_i,
    .cancel_i,
    .called_i,
    .master_o  (master),
    .slave_o   (slave),
    .lead_o    (lead),
    .power_o   (power),
    .reset_fe_o(reset_fe),
    .hold_o    (hold),
    .park_o    (park),
    .call_o    (call),
    .cta_lead_o(cta_lead),
    .state_o   (state)
  );

  // A ramp can end, and a roll call begin.
  if (Members == 2) begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        cover (state[2:0] == 3'd4 && power_up_i == 8'd2);
        cover (call != '0);
      end
    end
  end
endmodule
