// Roles: what each member is and has to do, by the next states and members of the groups
// (docs/hardware/buddy_control.md, outputs of group_control).  A member of no group is on its own.  A leader that
// wakes is held, and reset at the end.
//
// Every output is a register.  While moves_i is low nothing changes.

module group_roles #(
  parameter int unsigned Members = 8,
  localparam int unsigned Groups = Members / 2
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      moves_i,

  // Next states: groups; leaders that wake, and whether in their last cycle
  input  logic [3*Groups-1:0]       state_i,
  input  logic [Groups-1:0]         waits_i,  // in Call: for the members' answers
  input  logic [Members*Groups-1:0] mask_i,
  input  logic [Members-1:0]        wake_i,
  input  logic                      woken_i,

  output logic [Members-1:0]        master_o,
  output logic [Members-1:0]        slave_o,
  output logic [3*Members-1:0]      lead_o,
  output logic [Members-1:0]        power_o,
  output logic [Members-1:0]        reset_fe_o,
  output logic [Members-1:0]        hold_o,
  output logic [Members-1:0]        park_o,
  output logic [Members-1:0]        call_o,
  output logic [Members-1:0]        cta_lead_o
);
  logic [Members-1:0] master_q, slave_q, power_q, reset_q, hold_q, park_q, call_q, cta_lead_q;
  logic [Members-1:0] master_d, slave_d, power_d, reset_d, hold_d, park_d, call_d, cta_lead_d;
  logic [3*Members-1:0] lead_q, lead_d;

  logic [Members-1:0] group, followers;
  logic [2:0]         state;
  logic               together, listens;
  always_comb begin
    master_d   = '0;
    slave_d    = '0;
    power_d    = '1;
    reset_d    = woken_i ? wake_i : '0;
    hold_d     = wake_i;
    park_d     = '0;
    call_d     = '0;
    cta_lead_d = '1;
    for (int k = 0; k < Members; k++) lead_d[3*k+:3] = 3'(k);
    group     = '0;
    followers = '0;
    state     = tandem_pkg::GroupNone;
    together  = 1'b0;
    listens   = 1'b0;
    if (moves_i) for (int g = 0; g < Groups; g++) begin
      state          = state_i[3*g+:3];
      group          = mask_i[Members*g+:Members] >> 2 * g << 2 * g;  // none below the leader
      followers      = group;
      followers[2*g] = 1'b0;
      together       = state == tandem_pkg::GroupGrouped || state == tandem_pkg::GroupRamp ||
                       state == tandem_pkg::GroupReset;
      listens        = state == tandem_pkg::GroupCall || state == tandem_pkg::GroupWindow;
      if (together) begin
        master_d[2*g] = 1'b1;
        slave_d       = slave_d | followers;
      end
      if (state == tandem_pkg::GroupGrouped) power_d = power_d & ~followers;
      if (state == tandem_pkg::GroupReset) reset_d = reset_d | followers;
      if ((together && state != tandem_pkg::GroupGrouped) || listens) hold_d = hold_d | group;
      if (state == tandem_pkg::GroupParking || listens) park_d = park_d | group;
      if (state == tandem_pkg::GroupCall) call_d[2*g] = !waits_i[g];
      if (state != tandem_pkg::GroupNone && state != tandem_pkg::GroupSolo)
        cta_lead_d = cta_lead_d & ~followers;
      if (together || listens) begin
        for (int k = 0; k < Members; k++) if (followers[k]) lead_d[3*k+:3] = 3'(2 * g);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {master_q, slave_q, reset_q, hold_q, park_q, call_q} <= '0;
      {power_q, cta_lead_q}                                <= '1;
      for (int k = 0; k < Members; k++) lead_q[3*k+:3] <= 3'(k);
    end else if (moves_i) begin
      master_q   <= master_d;
      slave_q    <= slave_d;
      power_q    <= power_d;
      reset_q    <= reset_d;
      hold_q     <= hold_d;
      park_q     <= park_d;
      call_q     <= call_d;
      cta_lead_q <= cta_lead_d;
      lead_q     <= lead_d;
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
endmodule
