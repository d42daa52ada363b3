// Control of a Flex cluster: the scheme of the kernel, the role of each member, the power of its domains.
//
// kernel_start takes a scheme and wins over everything.  Each bank, lender and borrower then keeps its role until
// the next one (flex_roles).  Domains that come on need power_up_i cycles: the members that have or use
// one are held while the counter runs down to 0 and one cycle more, in which reset_fe_o is high for those
// whose front end comes on.  A kernel_start before that starts the counter again: what has not come up yet
// counts as off.  Every output is a register.  Reset: Base, everything is on.
//
// Illegal: a scheme that there is not, Bal with two members, a change of power_up_i within a kernel.

module flex_control #(
  parameter int unsigned Members = 6  // 2 or 6
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 kernel_start_i,
  input  logic [2:0]           mode_i,        // flex_e
  input  logic                 own_memory_i,  // Occ and Bal do not lend shared memory and L1D
  input  logic [7:0]           power_up_i,

  output logic [2:0]           mode_o,
  output logic [Members-1:0]   active_o,
  output logic [Members-1:0]   hold_o,
  output logic [Members-1:0]   reset_fe_o,
  output logic [2*Members-1:0] lend_o,  // bit b of a member: its bank b
  output logic [2*Members-1:0] from_o,  // 0 borrows nothing, 1 from the left, 2 from the right neighbour
  output logic [7*Members-1:0] power_o  // fe, ctx, rf, simd, mem, lsu, misc from bit 0 on
);
  localparam int unsigned Domains = 7;

  logic [2:0]                 mode_q  /*verilator public_flat_rd*/;
  logic [Members-1:0]         active_q, hold_q, reset_q;
  logic [2*Members-1:0]       lend_q, from_q;
  logic [Domains*Members-1:0] power_q;
  logic [Domains*Members-1:0] rising_q  /*verilator public_flat_rd*/;  // domains that come up
  logic [7:0]                 count_q  /*verilator public_flat_rd*/;   // cycles left
  logic                       woken_q  /*verilator public_flat_rd*/;   // the last cycle of that

  logic [Members-1:0]         active;
  logic [2*Members-1:0]       lend, from;
  logic [Domains*Members-1:0] power;
  flex_roles #(
    .Members(Members)
  ) u_roles (
    .mode_i, .own_memory_i, .active_o(active), .lend_o(lend), .from_o(from), .power_o(power)
  );

  // Domains that the new scheme switches on.
  logic [Domains*Members-1:0] rising;
  assign rising = power & ~(power_q & ~rising_q);

  // By member: a domain of its own comes on; so does one that it uses.
  logic [Members-1:0] comes, waits;
  always_comb begin
    for (int m = 0; m < Members; m++) comes[m] = rising[Domains*m+:Domains] != '0;
    for (int m = 0; m < Members; m++) begin
      waits[m] = comes[m];
      if (m > 0 && from[2*m])             waits[m] = waits[m] | comes[m > 0 ? m - 1 : 0];
      if (m < Members - 1 && from[2*m+1]) waits[m] = waits[m] | comes[m < Members - 1 ? m + 1 : m];
    end
  end

  // Front ends that are reset in the next cycle.
  logic               last;
  logic [Members-1:0] reset_d;
  assign last = rising_q != '0 && !woken_q && count_q == 8'd0;
  always_comb begin
    reset_d = '0;
    if (last) begin
      for (int m = 0; m < Members; m++) reset_d[m] = `FAULT(185, rising_q[Domains*m], 1'b0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mode_q   <= tandem_pkg::FlexBase;
      active_q <= '1;
      power_q  <= '1;
      hold_q   <= '0;
      reset_q  <= '0;
      lend_q   <= '0;
      from_q   <= '0;
      rising_q <= '0;
      count_q  <= '0;
      woken_q  <= 1'b0;
    end else if (kernel_start_i) begin
      mode_q   <= mode_i;
      active_q <= active;
      power_q  <= power;
      hold_q   <= active & waits;
      reset_q  <= '0;
      lend_q   <= lend;
      from_q   <= from;
      rising_q <= rising;
      count_q  <= power_up_i;
      woken_q  <= 1'b0;
    end else if (rising_q != '0) begin
      reset_q <= reset_d;
      woken_q <= last;
      if (count_q != 8'd0) count_q <= count_q - 8'd1;
      if (woken_q) begin
        rising_q <= '0;
        hold_q   <= '0;
      end
    end
  end

  assign mode_o     = mode_q;
  assign active_o   = active_q;
  assign hold_o     = hold_q;
  assign reset_fe_o = reset_q;
  assign lend_o     = lend_q;
  assign from_o     = from_q;
  assign power_o    = power_q;

`ifndef SYNTHESIS
  // The caller's contract.  power_up_i is looked at from the first kernel_start on.
  logic       started;
  logic [7:0] power_up_last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started <= 1'b0;
    end else begin
      power_up_last <= power_up_i;
      if (kernel_start_i) begin
        started <= 1'b1;
        mode_known:    assert (mode_i <= tandem_pkg::FlexBigsmOcc);
        bal_has_trios: assert (Members > 2 || mode_i != tandem_pkg::FlexBal);
      end else begin
        power_up_stable: assert (!started || power_up_i == power_up_last);
      end
    end
  end
`endif

`ifdef FORMAL
  // tests/formal/flex_control.sv
  flex_control_properties #(
    .Members(Members)
  ) u_properties (
    .clk_i, .rst_ni, .kernel_start_i, .mode_i, .power_up_i, .in_force_i(mode_q), .active_i(active_q),
    .hold_i(hold_q), .reset_i(reset_q), .lend_i(lend_q), .from_i(from_q), .power_i(power_q),
    .rising_i(rising_q), .count_i(count_q), .woken_i(woken_q)
  );
`endif
endmodule
