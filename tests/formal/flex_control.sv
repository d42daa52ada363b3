// flex_control: each bank has one owner and each borrower a neighbour that lends to it, by the kernel's scheme, from
// one kernel_start to the next; whatever an active member has or uses is up before it works, its front end reset;
// waking ends.  The inputs are any that the unit allows.
module flex_control_formal #(
  parameter int unsigned Members = 6
) (
`include "csim/ports/flex_control_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);
  logic [7:0] power_up_q;
  always_ff @(posedge clk_i) power_up_q <= power_up_i;
  always_comb begin
    assume (mode_i <= 3'd4 && (Members > 2 || mode_i != 3'd2));
    if (rst_ni && !kernel_start_i) assume (power_up_i == power_up_q);
  end

`include "csim/ports/flex_control_outputs.svh"
  flex_control #(
    .Members(Members)
  ) u_control (
    .*
  );
  always_comb begin
    if (rst_ni) begin
      cover (reset_fe_o != '0 && power_up_i == 8'd1);
      cover (hold_o != '0 && reset_fe_o == '0 && power_up_i == 8'd0);
      cover (hold_o != '0 && (hold_o & 1) != '0);
    end
  end
endmodule

// The properties, of the registers of flex_control, which instantiates this module.
module flex_control_properties #(
  parameter int unsigned Members = 6
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 kernel_start_i,
  input logic [2:0]           mode_i,
  input logic [7:0]           power_up_i,
  input logic [2:0]           in_force_i,
  input logic [Members-1:0]   active_i,
  input logic [Members-1:0]   hold_i,
  input logic [Members-1:0]   reset_i,
  input logic [2*Members-1:0] lend_i,
  input logic [2*Members-1:0] from_i,
  input logic [7*Members-1:0] power_i,
  input logic [7*Members-1:0] rising_i,
  input logic [7:0]           count_i,
  input logic                 woken_i
);
  // Domain `domain` of member `member`, which are any: it is up; else for how many cycles it has been on since
  // it was switched on or a kernel started.
  (* anyconst *) logic [2:0] member;
  (* anyconst *) logic [2:0] domain;
  logic       f_run, f_start, f_up, on, front, rises;
  logic [9:0] f_n, f_since;  // f_since: cycles since kernel_start
  logic [7:0] f_power_up;
  logic [2:0] f_mode;
  logic [Members-1:0]   f_active;
  logic [2*Members-1:0] f_lend, f_from;
  logic [7*Members-1:0] f_power;
  always_comb begin
    assume ({29'd0, member} < Members && domain < 3'd7);
    on    = ((power_i >> (7 * member + domain)) & 1'b1) != '0;
    rises = ((rising_i >> (7 * member + domain)) & 1'b1) != '0;
    front = domain == 3'd0;
  end
  initial f_run = 1'b0;
  always_ff @(posedge clk_i) begin
    f_run    <= rst_ni;
    f_power_up <= power_up_i;
    f_start  <= kernel_start_i;
    f_mode   <= kernel_start_i ? mode_i : in_force_i;
    f_active <= active_i;
    f_lend   <= lend_i;
    f_from   <= from_i;
    f_power  <= power_i;
    f_since  <= kernel_start_i ? '0 : f_since == '1 ? f_since : f_since + 10'd1;
    if (!on || (kernel_start_i && !f_up)) begin
      f_n  <= '0;
      f_up <= 1'b0;
    end else if (!f_up) begin
      f_n  <= f_n + 10'd1;
      f_up <= f_n == {2'd0, power_up_i} + 10'd1 && (!front || ((reset_i >> member) & 1'b1) != '0);
    end
    if (!rst_ni) begin
      f_up    <= 1'b1;
      f_since <= '1;
      f_mode  <= '0;
    end
  end

  logic [1:0] from, lend;
  logic [6:0] power;
  logic       left, right, works, uses, holds, waits, own;
  always_comb begin
    from  = '0;
    lend  = '0;
    power = '0;
    left  = 1'b0;
    right = 1'b0;
    works = 1'b0;
    uses  = 1'b0;
    holds = 1'b0;
    waits = 1'b0;
    own   = 1'b0;
    if (rst_ni && f_run) begin
      // The scheme of the last kernel_start, and roles that stand still since.
      assert (in_force_i == f_mode);
      if (!f_start) assert (active_i == f_active && lend_i == f_lend && from_i == f_from && power_i == f_power);
      for (int unsigned m = 0; m < Members; m++) begin
        from  = from_i[2*m+:2];
        lend  = lend_i[2*m+:2];
        power = power_i[7*m+:7];
        left  = m > 0 ? from_i[2*(m > 0 ? m - 1 : 0)+1] : 1'b0;        // the left neighbour borrows from it
        right = m < Members - 1 ? from_i[2*(m < Members - 1 ? m + 1 : 0)] : 1'b0;
        // Role: who borrows does so from a neighbour that lends, and lends nothing.
        assert (from != 2'd3 && active_i[m] == (lend == '0));
        if (from == 2'd1) assert (m > 0 && !active_i[m > 0 ? m - 1 : 0]);
        if (from == 2'd2) assert (m < Members - 1 && !active_i[m < Members - 1 ? m + 1 : 0]);
        if (from != '0) assert (active_i[m]);
        // Owner: a lender has one borrower for both banks, or in Bal one on each side.
        if (!active_i[m]) assert (lend == 2'd3 && (in_force_i == 3'd2 ? left && right : left != right));
        if (in_force_i == 3'd0) assert (active_i[m] && from == '0);
        // Power: an active member has all; a lender that is lent alone.
        if (active_i[m]) begin
          assert (power == '1);
        end else begin
          assert ((power & 7'b1100001) == '0 && power[2]);
          assert (power[1] == (in_force_i != 3'd3) && power[3] == (in_force_i > 3'd2));
          if (in_force_i > 3'd2) assert (power[4]);
        end
        assert ((hold_i[m] & ~active_i[m]) == 1'b0 && (reset_i[m] & ~hold_i[m]) == 1'b0);
        // Nothing that the member has or uses comes up while it works.
        own   = rising_i[7*m+:7] != '0;
        waits = own;
        if (from == 2'd1) waits = waits | (rising_i[7*(m > 0 ? m - 1 : 0)+:7] != '0);
        if (from == 2'd2) waits = waits | (rising_i[7*(m < Members - 1 ? m + 1 : 0)+:7] != '0);
        assert (hold_i[m] == (active_i[m] & waits));
        assert (reset_i[m] == (woken_i & rising_i[7*m]));
        uses = {29'd0, member} == m || (from == 2'd1 && {29'd0, member} + 1 == m) ||
               (from == 2'd2 && {29'd0, member} == m + 1);
        if (active_i[m] && uses && on && !hold_i[m]) assert (f_up);
      end
      // Waking ends: hold takes power_up + 2 cycles at most.
      if (hold_i != '0) assert (f_since <= {2'd0, f_power_up} + 10'd1);
      // Registers by which these follow from those of the cycle before.
      assert ((rising_i & ~power_i) == '0);
      if (on) assert (f_up != rises);
      if (rises) assert (f_n == f_since);
      if (woken_i) assert (rising_i != '0 && count_i == '0);
      if (rising_i != '0)
        assert (f_since == (woken_i ? {2'd0, f_power_up} + 10'd1 : {2'd0, f_power_up} - {2'd0, count_i}) &&
                count_i <= f_power_up);
    end
  end
endmodule
