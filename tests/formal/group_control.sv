// group_control: no member follows two masters; each lead is a powered master; a slave is on for
// power_up cycles and reset before it is independent, its group drained; hold covers the ramp.  The
// inputs are any, but that the configuration stands still within a kernel and that its residue is one.
module group_control_formal #(
  parameter int unsigned Members = 4,
  localparam int unsigned Groups = Members / 2
) (
`include "csim/ports/group_control_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);
  // A new configuration comes with kernel_start.
  logic       halfway_q;
  logic [7:0] power_up_q;
  always_ff @(posedge clk_i) begin
    power_up_q <= power_up_i;
    halfway_q  <= halfway_i;
  end
  always_comb begin
    assume ({29'd0, form_i} < Members);
    if (rst_ni && !kernel_start_i) assume (power_up_i == power_up_q && halfway_i == halfway_q);
  end

`include "csim/ports/group_control_outputs.svh"
  group_control #(
    .Members(Members)
  ) u_group_control (
    .*
  );

  // A ramp can end, and a roll call begin.
  if (Members == 2) begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        cover (state_o[2:0] == 3'd4 && power_up_i == 8'd2);
        cover (call_o != '0);
      end
    end
  end
endmodule

// The properties, of the registers of group_control, which instantiates this module.
module group_control_properties #(
  parameter int unsigned Members = 4,
  localparam int unsigned Groups = Members / 2
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic                      kernel_start_i,
  input logic [7:0]                power_up_i,
  input logic [Members-1:0]        drained_i,
  input logic [3*Groups-1:0]       state_i,
  input logic [Members*Groups-1:0] mask_i,
  input logic [8*Groups-1:0]       count_i,
  input logic [Members-1:0]        wake_i,
  input logic [7:0]                wake_count_i,
  input logic                      woken_i,
  input logic [Members-1:0]        master_i,
  input logic [Members-1:0]        slave_i,
  input logic [3*Members-1:0]      lead_i,
  input logic [Members-1:0]        power_i,
  input logic [Members-1:0]        reset_i,
  input logic [Members-1:0]        hold_i
);
  // f_on: cycles before this one for which a front end has been on; f_ready: since it came on, it has
  // been reset, after enough of them.  f_drained: the group was, in the cycle before.
  logic [10*Members-1:0] f_on;
  logic [Members-1:0] f_ready, f_slave;
  logic [Groups-1:0]  f_drained;
  logic               f_started, f_run;
  logic [7:0]         f_power_up;
  initial f_run = 1'b0;
  always_ff @(posedge clk_i) begin
    f_run     <= rst_ni;
    f_power_up <= power_up_i;
    f_slave   <= slave_i;
    f_started <= kernel_start_i;
    for (int g = 0; g < Groups; g++) begin
      f_drained[g] <= (~drained_i & mask_i[Members*g+:Members]) == '0;
    end
    for (int k = 0; k < Members; k++) begin
      f_on[10*k+:10] <= !rst_ni || !power_i[k] ? 10'd0
                        : f_on[10*k+:10] == 10'd511 ? 10'd511 : f_on[10*k+:10] + 10'd1;
      f_ready[k]     <= !rst_ni || (power_i[k] && (f_ready[k] || reset_i[k]));
    end
  end

  // The value that each register has by state and groups, and the shapes of a group.
  logic [Members-1:0] f_group, f_follow, f_all, f_m, f_s, f_off, f_hold, f_ramp;
  logic [2:0]         f_state;
  always_comb begin
    f_all  = '0;
    f_m    = '0;
    f_s    = '0;
    f_off  = '0;
    f_hold = wake_i;
    f_ramp = '0;
    f_group  = '0;
    f_follow = '0;
    f_state  = tandem_pkg::GroupNone;
    if (rst_ni && f_run) begin
      for (int g = 0; g < Groups; g++) begin
        f_group       = mask_i[Members*g+:Members];
        f_state       = state_i[3*g+:3];
        f_follow      = f_group;
        f_follow[2*g] = 1'b0;
        // A group is an aligned set of 2, 4 or 8 that begins with its leader; groups are disjoint.
        assert ((f_group == '0) == (f_state == tandem_pkg::GroupNone));
        assert (f_group == '0 || f_group == (Members'(3) << (2 * g)) ||
                (g % 2 == 0 && f_group == (Members'(15) << (2 * g))) ||
                (g == 0 && f_group == '1));
        assert ((f_group & f_all) == '0);
        f_all = f_all | f_group;
        assert ((wake_i & f_follow) == '0);
        if (f_state == tandem_pkg::GroupGrouped || f_state == tandem_pkg::GroupRamp ||
            f_state == tandem_pkg::GroupReset) begin
          f_m[2*g] = 1'b1;
          f_s      = f_s | f_follow;
          for (int k = 0; k < Members; k++) begin
            if (f_follow[k]) assert (lead_i[3*k+:3] == 3'(2 * g));
          end
        end
        if (f_state == tandem_pkg::GroupGrouped) f_off = f_off | f_follow;
        if (f_state == tandem_pkg::GroupRamp || f_state == tandem_pkg::GroupReset)
          f_ramp = f_ramp | f_group;
        if (f_state == tandem_pkg::GroupCall || f_state == tandem_pkg::GroupWindow)
          f_hold = f_hold | f_group;
        // The ramp: so many cycles are over, and at its end all are drained.
        for (int k = 0; k < Members; k++) begin
          if (f_follow[k] && f_state == tandem_pkg::GroupRamp)
            assert (f_on[10*k+:10] + {2'b0, count_i[8*g+:8]} >= {2'b0, f_power_up});
          if (f_follow[k] && f_state == tandem_pkg::GroupReset) begin
            assert (f_on[10*k+:10] > {2'b0, f_power_up});
            assert (reset_i[k]);
          end
        end
        if (f_state == tandem_pkg::GroupReset) assert (f_drained[g]);
      end
      assert (master_i == f_m);
      assert (slave_i == f_s);
      assert (power_i == ~f_off);
      assert (hold_i == (f_hold | f_ramp));

      // No member follows two masters, or one that is none: each slave has one lead, which is a
      // powered master and no slave, and so do all members between the two.
      for (int k = 0; k < Members; k++) begin
        if (slave_i[k]) begin
          assert (lead_i[3*k+:3] < 3'(k));
          assert (master_i[lead_i[3*k+:3]]);
          assert (power_i[lead_i[3*k+:3]]);
          assert (!slave_i[lead_i[3*k+:3]]);
          // The master's hold covers the ramp: while its slave comes up, both are held.
          if (power_i[k]) assert (hold_i[k] && hold_i[lead_i[3*k+:3]]);
        end else begin
          assert (power_i[k]);
          if (!hold_i[k]) assert (f_ready[k]);
        end
        // A slave is independent only after power_up cycles, its reset and a drained group.
        if (f_slave[k] && !slave_i[k] && !f_started) begin
          assert (f_on[10*k+:10] > {2'b0, f_power_up});
          assert (f_ready[k]);
        end
        assert (f_on[10*k+:10] <= 10'd511);
        if (wake_i[k]) begin
          assert (!slave_i[k]);
          assert (f_on[10*k+:10] + {2'b0, wake_count_i} >= {2'b0, f_power_up});
        end
        if (!slave_i[k] && !wake_i[k]) assert (f_ready[k]);
      end
      assert (!woken_i || (wake_i != '0 && wake_count_i == 8'd0));
      assert (!woken_i || (reset_i & wake_i) == wake_i);
    end
  end
endmodule

// group_control at its ports, by what the article says of grouping (sections 4.1, 4.4 to 4.6), not by the states of
// docs/hardware/buddy.md.  The member with the least index leads.  Slaves' front ends are powered off while they are grouped,
// the master's never is.  The first request of any slave takes the group apart.  In the ramp-down slaves are powered
// up, which takes power_up cycles, and all wait until the master's scoreboard is empty.  Then all are independent.
// A group that has come apart comes together with the next kernel; with halfway regrouping also in a kernel,
// where all its members have arrived.
//
// `split`, by CTA dispatch, which the article does not have, counts as a request.  Never=1 claims that no group ever
// forms again within a kernel.
module group_article_formal #(
  parameter int unsigned Members = 4,
  parameter int unsigned Halfway = 0,
  parameter int unsigned Never   = 0
) (
  input logic               clk_i,
  input logic               start_i,
  input logic [1:0]         power_up_i,
  input logic [Members-1:0] ungroup_i,
  input logic [Members-1:0] split_i,
  input logic [Members-1:0] drained_i,
  input logic [Members-1:0] parked_i,
  input logic [Members-1:0] cancel_i,
  input logic [Members-1:0] called_i
);
  // A kernel starts after reset, and then whenever it does; all of its SMs are grouped.
  logic [1:0] begun_q;
  logic [1:0] power_up_q;
  logic       kernel_start;
  initial begun_q = 2'd0;
  initial power_up_q = 2'd0;
  always_ff @(posedge clk_i) begin
    if (begun_q != 2'd2) begun_q <= begun_q + 2'd1;
    if (kernel_start) power_up_q <= power_up_i;
  end
  assign kernel_start = begun_q == 2'd1 || (begun_q == 2'd2 && start_i);

  logic [Members-1:0]       master_o, slave_o, power_o, reset_fe_o, hold_o, park_o, call_o, cta_lead_o;
  logic [3*Members-1:0]     lead_o;
  logic [3*(Members/2)-1:0] state_o;
  group_control #(
    .Members(Members)
  ) u_group_control (
    .rst_ni        (begun_q != 2'd0),
    .kernel_start_i(kernel_start),
    .form_i        (3'd0),
    .solo_i        (1'b0),
    .power_up_i    ({6'd0, kernel_start ? power_up_i : power_up_q}),
    .halfway_i     (Halfway != 0),
    .*
  );

  // Events since the kernel started (all), and of each member since it came to where it is.
  logic               asked_q;    // a slave has asked, or CTA dispatch, since they were grouped
  logic               apart_q;    // the slaves have been independent
  logic               parked_q;   // all members were parked and drained in one cycle since
  logic               again_q;    // they are grouped again
  logic               kernel_was_q, drained_q;
  logic [Members-1:0] slave_q, off_q, ready_q;
  logic [4:0]         up_q;       // cycles for which slaves have had power; saturates
  logic [4:0]         calm_q;     // cycles of a ramp in which all were drained, in a row
  logic [Members-1:0] followers, request;
  logic               drained, whole;
  always_comb begin
    followers    = {Members{1'b1}};
    followers[0] = 1'b0;
    drained      = drained_i == {Members{1'b1}};
    whole        = slave_o == followers && master_o == Members'(1);
    request      = (ungroup_i & slave_o) | (split_i & master_o);
    // Slaves ask, and of a group its leader is split.  One that has parked asks nothing.
    assume ((ungroup_i & ~slave_o) == '0);
    assume ((split_i & ~master_o) == '0);
    if (Halfway != 0) assume (ungroup_i == '0 || park_o == '0);
    // A member that is held starts nothing, so that it stays drained.
    if (hold_o == {Members{1'b1}} && drained_q) assume (drained);
  end
  always_ff @(posedge clk_i) begin
    slave_q <= slave_o;
    if (begun_q != 2'd2 || kernel_start) begin
      asked_q  <= 1'b0;
      apart_q  <= 1'b0;
      parked_q <= 1'b0;
      again_q  <= 1'b0;
      up_q     <= '0;
      calm_q   <= '0;
      ready_q  <= '0;
      off_q    <= '0;
    end else begin
      off_q    <= slave_o & ~power_o;
      asked_q  <= request != '0 || (asked_q && !(slave_q == '0 && whole));
      apart_q  <= apart_q || (slave_q != '0 && slave_o == '0);
      parked_q <= slave_o == '0 && (parked_q || (parked_i == {Members{1'b1}} && drained));
      again_q  <= again_q || (apart_q && slave_o != '0);
      up_q     <= (slave_o & ~power_o) != '0 ? '0 : up_q == '1 ? up_q : up_q + 5'd1;
      calm_q   <= slave_o == '0 || (slave_o & ~power_o) != '0 || !drained ? '0
                  : calm_q == '1 ? calm_q : calm_q + 5'd1;
      // Powered, and then reset.
      ready_q  <= power_o & (ready_q | reset_fe_o);
    end
  end

  always_comb begin
    if (begun_q == 2'd2) begin
      // One master, the one with the least index, which has power; or all are independent.
      assert (whole || slave_o == '0);
      if (whole) begin
        for (int k = 1; k < Members; k++) assert (lead_o[3*k+:3] == 3'd0);
        // Nothing but a request takes a group apart; from the next cycle on it ramps down.
        assert (power_o == Members'(1) || power_o == {Members{1'b1}});
        if (!asked_q) assert (power_o == Members'(1));
        // While slaves are up and not independent nothing issues.
        if (power_o != Members'(1)) assert (hold_o == {Members{1'b1}});
      end else begin
        assert (asked_q);
        assert (power_o == {Members{1'b1}});
      end
      assert (power_o[0]);
      // The request is heard.
      if (asked_q && slave_q != '0) assert (power_o == {Members{1'b1}});
      // Slaves become independent after the time that their front ends take to come up, when they have been reset and the
      // scoreboard is empty; and then they do.
      if (slave_q != '0 && slave_o == '0 && !again_q && !kernel_was_q) begin
        assert (up_q > {3'd0, power_up_q});
        assert ((ready_q & followers) == followers);
        assert (drained_q);
      end
      assert (slave_o == '0 || again_q || calm_q < 5'd10 || up_q < {3'd0, power_up_q} + 5'd10);
      // Once apart, apart for the kernel; or until all have come to one place.
      if (Halfway == 0) assert (!apart_q || slave_o == '0);
      if (Halfway != 0 && apart_q && slave_q == '0 && slave_o != '0 && !kernel_was_q) assert (parked_q);
      assert (Never == 0 || !again_q);
    end
  end
  initial kernel_was_q = 1'b0;
  always_ff @(posedge clk_i) begin
    kernel_was_q <= kernel_start;
    drained_q    <= drained;
  end
endmodule
