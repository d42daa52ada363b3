// Roles: what each member is and has to do, by the states and members of the groups (docs/buddy.md,
// outputs of group_control).  A member of no group is on its own.
//
// While moves_i is low the outputs mean nothing.

module group_roles #(
  parameter int unsigned Members = 8,
  localparam int unsigned Groups = Members / 2
) (
`ifdef TANDEM_BUGS
  input  logic [7:0]                bug_i,
`endif
  input  logic                      moves_i,
  input  logic [3*Groups-1:0]       state_i,
  input  logic [Members*Groups-1:0] mask_i,

  output logic [Members-1:0]        master_o,
  output logic [Members-1:0]        slave_o,
  output logic [3*Members-1:0]      lead_o,
  output logic [Members-1:0]        power_o,
  output logic [Members-1:0]        reset_o,
  output logic [Members-1:0]        hold_o,
  output logic [Members-1:0]        park_o,
  output logic [Members-1:0]        call_o,
  output logic [Members-1:0]        cta_lead_o
);
  logic [Members-1:0] group, followers;
  logic [2:0]         state;
  logic               together, listens;
  always_comb begin
    master_o   = '0;
    slave_o    = '0;
    power_o    = '1;
    reset_o    = '0;
    hold_o     = '0;
    park_o     = '0;
    call_o     = '0;
    cta_lead_o = '1;
    for (int k = 0; k < Members; k++) lead_o[3*k+:3] = 3'(k);
    group     = '0;
    followers = '0;
    state     = tandem_pkg::GroupNone;
    together  = 1'b0;
    listens   = 1'b0;
    if (moves_i) for (int g = 0; g < Groups; g++) begin
      state          = state_i[3*g+:3];
      group          = mask_i[Members*g+:Members];
      followers      = group;
      followers[2*g] = 1'b0;
      together       = state == tandem_pkg::GroupGrouped || state == tandem_pkg::GroupRamp ||
                       state == tandem_pkg::GroupReset;
      listens        = state == tandem_pkg::GroupCall || state == tandem_pkg::GroupWindow;
      if (together) begin
        master_o[2*g] = 1'b1;
        slave_o       = slave_o | followers;
      end
      if (state == tandem_pkg::GroupGrouped) power_o = power_o & ~followers;
      if (state == tandem_pkg::GroupReset) reset_o = reset_o | followers;
      if ((together && state != tandem_pkg::GroupGrouped) || listens) hold_o = hold_o | group;
      if (state == tandem_pkg::GroupParking || listens) park_o = park_o | group;
      if (state == tandem_pkg::GroupCall) call_o[2*g] = 1'b1;
      if (state != tandem_pkg::GroupNone && state != tandem_pkg::GroupSolo)
        cta_lead_o = cta_lead_o & ~followers;
      if (together || listens) begin
        for (int k = 0; k < Members; k++) if (followers[k]) lead_o[3*k+:3] = 3'(2 * g);
      end
    end
`ifdef TANDEM_BUGS
    // Members of a group take CTAs by themselves.
    if (bug_i == 8'd66) cta_lead_o = '1;
    // The slave of the second group follows the first group's master.
    if (bug_i == 8'd65 && slave_o[Members-1]) lead_o[3*(Members-1)+:3] = 3'd0;
`endif
  end
endmodule
