// Group control of a buddy cluster: which members work together, who leads, whose front end is on.
//
// kernel_start forms the groups (docs/buddy.md, group_control) and wins over everything; leaders
// whose front end is not up then wake first.  Each group has a state of its own, so that one may
// split while another of the same cluster works on.
//
// In one cycle: ungroup and split together go to Ramp once, with the split remembered; the end of
// the power-up counter and drained together leave Ramp; cancel or split wins over parked, ungroup or
// split over called and over the end of the verdict window.  Every output is a register.
//
// Illegal: a residue of Members or more; ungroup of a member that is not one of a group's slaves,
// or while its group parks; split of a member that does not lead the group that it is in; power_up
// or halfway changing within a kernel.

module group_control #(
  parameter int unsigned Members = 8,  // 2, 4 or 8
  parameter int unsigned Hop     = 1,  // NoC cycles from a member to the next one
  localparam int unsigned Groups = Members / 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]            bug_i,
`endif
  // Formation: the residue of the grid's CTAs over Members; solo: every member for itself
  input  logic                  kernel_start_i,
  input  logic [2:0]            form_i,
  input  logic                  solo_i,

  // Configuration: cycles that a front end takes to come up; whether to regroup halfway
  input  logic [7:0]            power_up_i,
  input  logic                  halfway_i,

  input  logic [Members-1:0]    ungroup_i,  // requests of the slaves, as they arrive at the master
  input  logic [Members-1:0]    split_i,    // from CTA dispatch, of a group's leader
  input  logic [Members-1:0]    drained_i,
  input  logic [Members-1:0]    parked_i,
  input  logic [Members-1:0]    cancel_i,
  input  logic [Members-1:0]    called_i,   // the leader's roll call has left

  output logic [Members-1:0]    master_o,
  output logic [Members-1:0]    slave_o,
  output logic [3*Members-1:0]  lead_o,
  output logic [Members-1:0]    power_o,
  output logic [Members-1:0]    reset_fe_o,
  output logic [Members-1:0]    hold_o,
  output logic [Members-1:0]    park_o,
  output logic [Members-1:0]    call_o,
  output logic [Members-1:0]    cta_lead_o,  // first member of those that take CTAs together
  output logic [3*Groups-1:0]   state_o
);
  localparam int unsigned Distance = Hop * (Members - 1);
  localparam int unsigned Delay    = (Distance + 2) / 2;  // the communicate stage, core cycles
  localparam int unsigned Verdict  = 2 * Delay + 4;

  localparam logic [2:0] None    = 3'd0;  // no group has this leader
  localparam logic [2:0] Grouped = 3'd1;
  localparam logic [2:0] Ramp    = 3'd2;
  localparam logic [2:0] Reset   = 3'd3;  // the last cycle of the ramp
  localparam logic [2:0] Solo    = 3'd4;
  localparam logic [2:0] Parking = 3'd5;
  localparam logic [2:0] Call    = 3'd6;
  localparam logic [2:0] Window  = 3'd7;  // the roll has been called: answers may come

  // Group g is led by member 2g.  mask: its members.
  logic [3*Groups-1:0]       state_q  /*verilator public_flat_rd*/;
  logic [Members*Groups-1:0] mask_q  /*verilator public_flat_rd*/;
  logic [8*Groups-1:0]       count_q  /*verilator public_flat_rd*/;
  logic [Groups-1:0]         apart_q  /*verilator public_flat_rd*/;  // not to be grouped again
  logic [3*Groups-1:0]       state_d;
  logic [Members*Groups-1:0] mask_d;
  logic [8*Groups-1:0]       count_d;
  logic [Groups-1:0]         apart_d;

  // Leaders that wake at the start of a kernel.
  logic [Members-1:0]        wake_q  /*verilator public_flat_rd*/;
  logic [7:0]                wake_count_q  /*verilator public_flat_rd*/;
  logic                      woken_q  /*verilator public_flat_rd*/;  // their last cycle
  logic [Members-1:0]        wake_d;
  logic [7:0]                wake_count_d;
  logic                      woken_d;

  logic [Members-1:0] master_q, slave_q, power_q, reset_q, hold_q, park_q, call_q, cta_lead_q;
  logic [Members-1:0] master_d, slave_d, power_d, reset_d, hold_d, park_d, call_d, cta_lead_d;
  logic [3*Members-1:0] lead_q, lead_d;

  // Formation: where node n of the tree is split, its upper half starts a group of its own.  The
  // recursive rule comes down to this: the last group has as many members as the lowest bit set in
  // the residue, and every node above it is split.
  logic [3:0]                low;
  logic [Members-1:0]        formed_lead;  // first of a group, or alone
  logic [Members*Groups-1:0] formed;
  always_comb begin
    low         = '0;
    formed_lead = Members'(1);
    formed      = '0;
    if (kernel_start_i) begin
      low = {1'b0, form_i & (~form_i + 3'd1)};
      for (int n = 1; n < Members; n = 2 * n) begin
        if (low != 4'd0 && low <= 4'(n)) formed_lead[Members-n] = 1'b1;
      end
      if (solo_i) formed_lead = '1;
`ifdef TANDEM_BUGS
      // Forms 2,2 where it should form 2,1,1.
      if (bug_i == 8'd63 && !solo_i) formed_lead[Members-1] = 1'b0;
`endif
      for (int g = 0; g < Groups; g++) begin
        if (formed_lead[2*g] && !formed_lead[2*g+1]) begin
          formed[Members*g+2*g+:2] = 2'b11;
          for (int k = 2 * g + 2; k < Members; k++) begin
            formed[Members*g+k] = formed[Members*g+k-1] && !formed_lead[k];
          end
        end
      end
    end
  end

  // Nothing changes until something is asked while every group works as one or stays apart.
  logic moves;
  always_comb begin
    moves = kernel_start_i || woken_q || wake_q != '0 || ungroup_i != '0 || split_i != '0;
    for (int g = 0; g < Groups; g++) begin
      if (state_q[3*g+:3] != None && state_q[3*g+:3] != Grouped && state_q[3*g+:3] != Solo)
        moves = 1'b1;
    end
  end

  // Each group
  logic [Groups-1:0] asks, splits, cancels, drained, parked;
  always_comb begin
    {asks, splits, cancels, drained, parked} = '0;
    if (moves) for (int g = 0; g < Groups; g++) begin
      asks[g]    = (ungroup_i & mask_q[Members*g+:Members]) != '0;
      splits[g]  = split_i[2*g] && state_q[3*g+:3] != None;
      cancels[g] = (cancel_i & mask_q[Members*g+:Members]) != '0;
      drained[g] = (~drained_i & mask_q[Members*g+:Members]) == '0;
      parked[g]  = (~parked_i & mask_q[Members*g+:Members]) == '0;
`ifdef TANDEM_BUGS
      if (bug_i == 8'd62) splits[g] = 1'b0;
      // Looks at the master alone.
      if (bug_i == 8'd60) drained[g] = drained_i[2*g];
`endif
    end
  end

  always_comb begin
    state_d = state_q;
    mask_d  = mask_q;
    count_d = count_q;
    apart_d = apart_q;
    if (moves) for (int g = 0; g < Groups; g++) begin
      apart_d[g] = apart_q[g] || splits[g];
      unique case (state_q[3*g+:3])
        Grouped: begin
          if (asks[g] || splits[g]) begin
            state_d[3*g+:3] = Ramp;
            count_d[8*g+:8] = power_up_i;
`ifdef TANDEM_BUGS
            if (bug_i == 8'd61 && power_up_i != 8'd0) count_d[8*g+:8] = power_up_i - 8'd1;
`endif
          end
        end
        Ramp: begin
          if (count_q[8*g+:8] != 8'd0) count_d[8*g+:8] = count_q[8*g+:8] - 8'd1;
          else if (drained[g] && !wake_q[2*g]) state_d[3*g+:3] = Reset;
        end
        Reset: state_d[3*g+:3] = (halfway_i && !apart_d[g]) ? Parking : Solo;
        Solo: state_d[3*g+:3] = Solo;
        Parking: begin
          if (cancels[g] || splits[g]) begin
            state_d[3*g+:3] = Solo;
            apart_d[g]      = 1'b1;
          end else if (parked[g] && drained[g]) begin
            state_d[3*g+:3] = Call;
          end
`ifdef TANDEM_BUGS
          if (bug_i == 8'd64 && parked[g] && drained[g]) state_d[3*g+:3] = Call;
`endif
        end
        Call: begin
          if (asks[g] || splits[g]) begin
            state_d[3*g+:3] = Solo;
            apart_d[g]      = 1'b1;
          end else if (called_i[2*g]) begin
            state_d[3*g+:3] = Window;
            count_d[8*g+:8] = 8'(Verdict - 1);
          end
        end
        Window: begin
          if (asks[g] || splits[g]) begin
            state_d[3*g+:3] = Solo;
            apart_d[g]      = 1'b1;
          end else if (count_q[8*g+:8] == 8'd0) begin
            state_d[3*g+:3] = Grouped;
          end else begin
            count_d[8*g+:8] = count_q[8*g+:8] - 8'd1;
          end
        end
        default: state_d[3*g+:3] = None;
      endcase
    end
    if (kernel_start_i) begin
      mask_d  = formed;
      count_d = '0;
      apart_d = '0;
      for (int g = 0; g < Groups; g++) begin
        state_d[3*g+:3] = formed[Members*g+2*g] ? Grouped : None;
      end
    end
  end

  // Waking: like the ramp, but of leaders, at the start of a kernel.  A front end is up if it is on
  // and has been reset.
  logic [Members-1:0] up;
  assign up = power_q & ~slave_q & ~wake_q;
  always_comb begin
    wake_d       = wake_q;
    wake_count_d = wake_count_q;
    woken_d      = 1'b0;
    if (woken_q) begin
      wake_d = '0;
    end else if (wake_q != '0) begin
      if (wake_count_q != 8'd0) wake_count_d = wake_count_q - 8'd1;
      else woken_d = 1'b1;
    end
    if (kernel_start_i) begin
      wake_d       = formed_lead & ~up;
      wake_count_d = power_up_i;
      woken_d      = 1'b0;
    end
  end

  // Outputs, from the next state
  logic [Members-1:0] followers, group;
  logic               together, listens;
  always_comb begin
    master_d   = '0;
    slave_d    = '0;
    power_d    = '1;
    reset_d    = woken_d ? wake_d : '0;
    hold_d     = wake_d;
    park_d     = '0;
    call_d     = '0;
    cta_lead_d = '1;
    for (int k = 0; k < Members; k++) lead_d[3*k+:3] = 3'(k);
    followers = '0;
    group     = '0;
    together  = 1'b0;
    listens   = 1'b0;
    if (moves) for (int g = 0; g < Groups; g++) begin
      group          = mask_d[Members*g+:Members];
      followers      = group;
      followers[2*g] = 1'b0;
      together       = state_d[3*g+:3] == Grouped || state_d[3*g+:3] == Ramp ||
                       state_d[3*g+:3] == Reset;
      listens        = state_d[3*g+:3] == Call || state_d[3*g+:3] == Window;
      if (together) begin
        master_d[2*g] = 1'b1;
        slave_d       = slave_d | followers;
      end
      if (state_d[3*g+:3] == Grouped) power_d = power_d & ~followers;
      if (state_d[3*g+:3] == Reset) reset_d = reset_d | followers;
      if ((together && state_d[3*g+:3] != Grouped) || listens) hold_d = hold_d | group;
      if (state_d[3*g+:3] == Parking || listens) park_d = park_d | group;
      if (state_d[3*g+:3] == Call) call_d[2*g] = 1'b1;
      if (state_d[3*g+:3] != None && state_d[3*g+:3] != Solo) cta_lead_d = cta_lead_d & ~followers;
      if (together || listens) begin
        for (int k = 0; k < Members; k++) if (followers[k]) lead_d[3*k+:3] = 3'(2 * g);
      end
    end
`ifdef TANDEM_BUGS
    // Members of a group take CTAs by themselves.
    if (bug_i == 8'd66) cta_lead_d = '1;
    // The slave of the second group follows the first group's master.
    if (bug_i == 8'd65 && slave_d[Members-1]) lead_d[3*(Members-1)+:3] = 3'd0;
`endif
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= '0;
      mask_q       <= '0;
      count_q      <= '0;
      apart_q      <= '0;
      wake_q       <= '0;
      wake_count_q <= '0;
      woken_q      <= 1'b0;
      master_q     <= '0;
      slave_q      <= '0;
      power_q      <= '1;
      reset_q      <= '0;
      hold_q       <= '0;
      park_q       <= '0;
      call_q       <= '0;
      cta_lead_q   <= '1;
      for (int k = 0; k < Members; k++) lead_q[3*k+:3] <= 3'(k);
    end else if (moves) begin
      state_q      <= state_d;
      mask_q       <= mask_d;
      count_q      <= count_d;
      apart_q      <= apart_d;
      wake_q       <= wake_d;
      wake_count_q <= wake_count_d;
      woken_q      <= woken_d;
      master_q     <= master_d;
      slave_q      <= slave_d;
      power_q      <= power_d;
      reset_q      <= reset_d;
      hold_q       <= hold_d;
      park_q       <= park_d;
      call_q       <= call_d;
      cta_lead_q   <= cta_lead_d;
      lead_q       <= lead_d;
    end
  end
  assign master_o   = master_q;
  assign slave_o    = slave_q;
  assign lead_o     = lead_q;
  assign power_o    = power_q;
  assign reset_fe_o = reset_q;
  assign hold_o     = hold_q;
  assign park_o     = park_q;
  assign call_o     = call_q;
  assign cta_lead_o = cta_lead_q;
  assign state_o    = state_q;

`ifndef SYNTHESIS
  // The caller's contract.
  logic [Members-1:0] may_ungroup, may_split;
  logic [7:0]         power_up_last;
  logic               halfway_last;
  always_comb begin
    may_ungroup = '0;
    may_split   = '0;
    for (int g = 0; g < Groups; g++) begin
      if (state_q[3*g+:3] != Parking) may_ungroup = may_ungroup | mask_q[Members*g+:Members];
      if (state_q[3*g+:3] != None) begin
        may_ungroup[2*g] = 1'b0;
        may_split[2*g]   = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      power_up_last <= power_up_i;
      halfway_last  <= halfway_i;
      if (kernel_start_i) begin
        assert ({29'd0, form_i} < Members);
      end else begin
        assert ((ungroup_i & ~may_ungroup) == '0);
        assert ((split_i & ~may_split) == '0);
        // Looked at while a group exists or a leader wakes, that is, after a kernel_start.
        assert ((mask_q == '0 && wake_q == '0) ||
                (power_up_i == power_up_last && halfway_i == halfway_last));
      end
    end
  end
`endif

`ifdef FORMAL
  // What tests/formal/group_control.sv proves, here for the sake of the registers.
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
    f_slave   <= slave_q;
    f_started <= kernel_start_i;
    for (int g = 0; g < Groups; g++) begin
      f_drained[g] <= (~drained_i & mask_q[Members*g+:Members]) == '0;
    end
    for (int k = 0; k < Members; k++) begin
      f_on[10*k+:10] <= !rst_ni || !power_q[k] ? 10'd0
                        : f_on[10*k+:10] == 10'd511 ? 10'd511 : f_on[10*k+:10] + 10'd1;
      f_ready[k]     <= !rst_ni || (power_q[k] && (f_ready[k] || reset_q[k]));
    end
  end

  // What each register is, of state and groups; and which shapes a group has.
  logic [Members-1:0] f_group, f_follow, f_all, f_m, f_s, f_off, f_hold, f_ramp;
  logic [2:0]         f_state;
  always_comb begin
    f_all  = '0;
    f_m    = '0;
    f_s    = '0;
    f_off  = '0;
    f_hold = wake_q;
    f_ramp = '0;

    f_group  = '0;
    f_follow = '0;
    f_state  = None;
    if (rst_ni && f_run) begin
      for (int g = 0; g < Groups; g++) begin
        f_group       = mask_q[Members*g+:Members];
        f_state       = state_q[3*g+:3];
        f_follow      = f_group;
        f_follow[2*g] = 1'b0;
        // A group is an aligned set of 2, 4 or 8 that begins with its leader; groups are disjoint.
        assert ((f_group == '0) == (f_state == None));
        assert (f_group == '0 || f_group == (Members'(3) << (2 * g)) ||
                (g % 2 == 0 && f_group == (Members'(15) << (2 * g))) ||
                (g == 0 && f_group == '1));
        assert ((f_group & f_all) == '0);
        f_all = f_all | f_group;
        assert ((wake_q & f_follow) == '0);
        if (f_state == Grouped || f_state == Ramp || f_state == Reset) begin
          f_m[2*g] = 1'b1;
          f_s      = f_s | f_follow;
          for (int k = 0; k < Members; k++) begin
            if (f_follow[k]) assert (lead_q[3*k+:3] == 3'(2 * g));
          end
        end
        if (f_state == Grouped) f_off = f_off | f_follow;
        if (f_state == Ramp || f_state == Reset) f_ramp = f_ramp | f_group;
        if (f_state == Call || f_state == Window) f_hold = f_hold | f_group;
        // The ramp: so many cycles are over, and at its end all are drained.
        for (int k = 0; k < Members; k++) begin
          if (f_follow[k] && f_state == Ramp)
            assert (f_on[10*k+:10] + {2'b0, count_q[8*g+:8]} >= {2'b0, f_power_up});
          if (f_follow[k] && f_state == Reset) begin
            assert (f_on[10*k+:10] > {2'b0, f_power_up});
            assert (reset_q[k]);
          end
        end
        if (f_state == Reset) assert (f_drained[g]);
      end
      assert (master_q == f_m);
      assert (slave_q == f_s);
      assert (power_q == ~f_off);
      assert (hold_q == (f_hold | f_ramp));

      // No member follows two masters, or one that is none: each slave has one lead, which is a
      // powered master and no slave, and so do all members between the two.
      for (int k = 0; k < Members; k++) begin
        if (slave_q[k]) begin
          assert (lead_q[3*k+:3] < 3'(k));
          assert (master_q[lead_q[3*k+:3]]);
          assert (power_q[lead_q[3*k+:3]]);
          assert (!slave_q[lead_q[3*k+:3]]);
          // The master's hold covers the ramp: while its slave comes up, both are held.
          if (power_q[k]) assert (hold_q[k] && hold_q[lead_q[3*k+:3]]);
        end else begin
          assert (power_q[k]);
          if (!hold_q[k]) assert (f_ready[k]);
        end
        // A slave is independent only after power_up cycles, its reset and a drained group.
        if (f_slave[k] && !slave_q[k] && !f_started) begin
          assert (f_on[10*k+:10] > {2'b0, f_power_up});
          assert (f_ready[k]);
        end
        assert (f_on[10*k+:10] <= 10'd511);
        if (wake_q[k]) begin
          assert (!slave_q[k]);
          assert (f_on[10*k+:10] + {2'b0, wake_count_q} >= {2'b0, f_power_up});
        end
        if (!slave_q[k] && !wake_q[k]) assert (f_ready[k]);
      end
      assert (!woken_q || (wake_q != '0 && wake_count_q == 8'd0));
      assert (!woken_q || (reset_q & wake_q) == wake_q);
    end
  end
`endif
endmodule
