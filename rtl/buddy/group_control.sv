// Group control of a buddy cluster: which members work together, who leads, whose front end is on.
//
// kernel_start forms the groups (group_formation) and wins over everything; leaders whose front end is
// not up then wake first (group_wake).  Each group has a state of its own (group_next), so that one may
// split while another of the same cluster works on.  The states give every member its role
// (group_roles).  Every output is a register.
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

  // Group g is led by member 2g.  mask: its members.
  logic [3*Groups-1:0]       state_q  /*verilator public_flat_rd*/;
  logic [Members*Groups-1:0] mask_q  /*verilator public_flat_rd*/;
  logic [8*Groups-1:0]       count_q  /*verilator public_flat_rd*/;
  logic [Groups-1:0]         apart_q  /*verilator public_flat_rd*/;  // not to be grouped again
  logic [3*Groups-1:0]       state_d;
  logic [Members*Groups-1:0] mask_d;
  logic [8*Groups-1:0]       count_d;
  logic [Groups-1:0]         apart_d, waits_d;

  // Leaders that wake at the start of a kernel.
  logic [Members-1:0]        wake_q  /*verilator public_flat_rd*/;
  logic [7:0]                wake_count_q  /*verilator public_flat_rd*/;
  logic                      woken_q  /*verilator public_flat_rd*/;  // their last cycle
  logic [Members-1:0]        wake_d;
  logic [7:0]                wake_count_d;
  logic                      woken_d;

  // An odd member leads nobody, and calls no roll.
  logic unused_called;
  assign unused_called = ^called_i;

  // Nothing changes until something is asked while every group works as one or stays apart.
  logic moves;
  always_comb begin
    moves = kernel_start_i || woken_q || wake_q != '0 || ungroup_i != '0 || split_i != '0;
    for (int g = 0; g < Groups; g++) begin
      if (state_q[3*g+:3] != tandem_pkg::GroupNone &&
          state_q[3*g+:3] != tandem_pkg::GroupGrouped && state_q[3*g+:3] != tandem_pkg::GroupSolo)
        moves = 1'b1;
    end
  end

  logic [Members-1:0]        formed_lead;
  logic [Members*Groups-1:0] formed;
  group_formation #(
    .Members(Members)
  ) u_formation (
    .kernel_start_i, .form_i, .solo_i, .lead_o(formed_lead), .mask_o(formed)
  );

  for (genvar g = 0; g < Groups; g++) begin : g_group
    localparam int unsigned Size = Members - 2 * g;
    localparam int unsigned First = Members * g + 2 * g;  // bit of its leader
    group_next #(
      .Size(Size),
      .Verdict(2 * Delay + 4),
      .Settle(2 * Delay)
    ) u_next (
      .moves_i(moves), .kernel_start_i, .formed_i(formed[First+:Size]), .power_up_i, .halfway_i,
      .ungroup_i(ungroup_i[2*g+:Size]), .drained_i(drained_i[2*g+:Size]),
      .parked_i(parked_i[2*g+:Size]), .cancel_i(cancel_i[2*g+:Size]), .split_i(split_i[2*g]),
      .called_i(called_i[2*g]), .wakes_i(wake_q[2*g]), .state_i(state_q[3*g+:3]),
      .mask_i(mask_q[First+:Size]), .count_i(count_q[8*g+:8]), .apart_i(apart_q[g]),
      .state_o(state_d[3*g+:3]), .mask_o(mask_d[First+:Size]), .count_o(count_d[8*g+:8]),
      .apart_o(apart_d[g])
    );
    assign waits_d[g] = count_d[8*g+:8] != 8'd0;
    if (g > 0) begin : g_below
      logic unused_formed;
      assign unused_formed          = ^formed[Members*g+:2*g];
      assign mask_d[Members*g+:2*g] = '0;
    end
  end

  logic [Members-1:0] up;
  assign up = power_o & ~slave_o & ~wake_q;
  group_wake #(
    .Members(Members)
  ) u_wake (
    .kernel_start_i, .lead_i(formed_lead), .up_i(up), .power_up_i, .wake_i(wake_q),
    .count_i(wake_count_q), .woken_i(woken_q), .wake_o(wake_d), .count_o(wake_count_d),
    .woken_o(woken_d)
  );

  group_roles #(
    .Members(Members)
  ) u_roles (
    .clk_i, .rst_ni,
    .moves_i(moves), .state_i(state_d), .waits_i(waits_d), .mask_i(mask_d), .wake_i(wake_d), .woken_i(woken_d),
    .master_o, .slave_o, .lead_o, .power_o, .reset_fe_o, .hold_o, .park_o, .call_o, .cta_lead_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= '0;
      mask_q       <= '0;
      count_q      <= '0;
      apart_q      <= '0;
      wake_q       <= '0;
      wake_count_q <= '0;
      woken_q      <= 1'b0;
    end else if (moves) begin
      state_q      <= state_d;
      mask_q       <= mask_d;
      count_q      <= count_d;
      apart_q      <= apart_d;
      wake_q       <= wake_d;
      wake_count_q <= wake_count_d;
      woken_q      <= woken_d;
    end
  end
  assign state_o = state_q;

`ifndef SYNTHESIS
  // The caller's contract.
  logic [Members-1:0] may_ungroup, may_split;
  logic [7:0]         power_up_last;
  logic               halfway_last;
  always_comb begin
    may_ungroup = '0;
    may_split   = '0;
    for (int g = 0; g < Groups; g++) begin
      if (state_q[3*g+:3] != tandem_pkg::GroupParking)
        may_ungroup = may_ungroup | mask_q[Members*g+:Members];
      if (state_q[3*g+:3] != tandem_pkg::GroupNone) begin
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
        form_in_cluster: assert ({29'd0, form_i} < Members);
      end else begin
        ungroups_grouped:  assert ((ungroup_i & ~may_ungroup) == '0);
        splits_splittable: assert ((split_i & ~may_split) == '0);
        // Looked at while a group exists or a leader wakes, that is, after a kernel_start.
        changes_one_at_a_time: assert ((mask_q == '0 && wake_q == '0) ||
                                       (power_up_i == power_up_last && halfway_i == halfway_last));
      end
    end
  end
`endif

`ifdef FORMAL
  // tests/formal/group_control.sv
  group_control_properties #(
    .Members(Members)
  ) u_properties (
    .clk_i, .rst_ni, .kernel_start_i, .power_up_i, .drained_i, .state_i(state_q), .mask_i(mask_q),
    .count_i(count_q), .wake_i(wake_q), .wake_count_i(wake_count_q), .woken_i(woken_q),
    .master_i(master_o), .slave_i(slave_o), .lead_i(lead_o), .power_i(power_o), .reset_i(reset_fe_o),
    .hold_i(hold_o)
  );
`endif
endmodule
