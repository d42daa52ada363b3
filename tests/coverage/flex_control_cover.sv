// Cover points of flex_control (docs/models/coverage.md).
module flex_control_cover #(
  parameter int unsigned Members = 6
) (
  input logic [Members-1:0]   waits,
  input logic [Members-1:0]   comes,
  input logic [7*Members-1:0] rising_q,
  input logic [7:0]           count_q,
  input logic                 woken_q,
`include "csim/ports/flex_control_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      starts_base:            cover (kernel_start_i && mode_i == tandem_pkg::FlexBase);
      starts_occ:             cover (kernel_start_i && mode_i == tandem_pkg::FlexOcc && !own_memory_i);
      starts_occ_own_memory:  cover (kernel_start_i && mode_i == tandem_pkg::FlexOcc && own_memory_i);
      starts_bigsm:           cover (kernel_start_i && mode_i == tandem_pkg::FlexBigsm);
      starts_bigsm_occ:       cover (kernel_start_i && mode_i == tandem_pkg::FlexBigsmOcc);
      nothing_rises:          cover (kernel_start_i && comes == '0 && mode_i != tandem_pkg::FlexBase);
      borrower_waits:         cover (kernel_start_i && (waits & ~comes) != '0);
      counter_runs:           cover (!kernel_start_i && rising_q != '0 && count_q != '0);
      last_cycle:             cover (!kernel_start_i && woken_q);
      resets:                 cover (reset_fe_o != '0);
      wakes_without_reset:    cover (woken_q && reset_fe_o == '0);
      starts_in_last_cycle:   cover (kernel_start_i && woken_q);
      starts_while_counting:  cover (kernel_start_i && rising_q != '0 && count_q != '0);
      no_power_up:            cover (kernel_start_i && comes != '0 && power_up_i == '0);
    end
  end
endmodule
bind flex_control flex_control_cover #(.Members(Members)) u_cover (.*);
