// Next state of the waking of leaders: at the start of a kernel, leaders whose front end is not up are
// held for the cycles that a front end takes to come up, and reset in the last one.
//
// kernel_start wins over everything.

module group_wake #(
  parameter int unsigned Members = 8
) (
  input  logic               kernel_start_i,
  input  logic [Members-1:0] lead_i,  // of the formation
  input  logic [Members-1:0] up_i,    // front ends that are on and have been reset
  input  logic [7:0]         power_up_i,

  // Leaders that wake, the cycles left, and whether this is their last one: as it is and will be
  input  logic [Members-1:0] wake_i,
  input  logic [7:0]         count_i,
  input  logic               woken_i,
  output logic [Members-1:0] wake_o,
  output logic [7:0]         count_o,
  output logic               woken_o
);
  always_comb begin
    wake_o  = wake_i;
    count_o = count_i;
    woken_o = 1'b0;
    if (woken_i) begin
      wake_o = '0;
    end else if (wake_i != '0) begin
      if (count_i != 8'd0) count_o = count_i - 8'd1;
      else                 woken_o = 1'b1;
    end
    if (kernel_start_i) begin
      wake_o  = lead_i & ~up_i;
      count_o = power_up_i;
      woken_o = 1'b0;
    end
  end
endmodule
