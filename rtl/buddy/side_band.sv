// Side-band of a buddy cluster: the wires between group control, which is at the leaders, and all members,
// with a register in each core cycle of their way (docs/hardware/buddy_control.md, side_band).
//
// Roles are seen Delay cycles later, by all members in the same cycle.  A leader sees its hold at once
// too.  Members' answers are heard Delay cycles later; drained is sent only while it is asked for.

module side_band #(
  parameter int unsigned Members = 4,
  parameter int unsigned Delay = 2,  // core cycles, at least 1
  localparam int unsigned Groups = Members / 2
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // From group control: its outputs
  input  logic [3*Groups-1:0]  state_i,
  input  logic [Members-1:0]   master_i,
  input  logic [Members-1:0]   slave_i,
  input  logic [3*Members-1:0] lead_i,
  input  logic [Members-1:0]   power_i,
  input  logic [Members-1:0]   reset_fe_i,
  input  logic [Members-1:0]   hold_i,
  input  logic [Members-1:0]   park_i,
  input  logic [Members-1:0]   call_i,
  input  logic [Members-1:0]   cta_lead_i,

  // To the members
  output logic [3*Groups-1:0]  state_o,
  output logic [Members-1:0]   master_o,
  output logic [Members-1:0]   slave_o,
  output logic [3*Members-1:0] lead_o,
  output logic [Members-1:0]   power_o,
  output logic [Members-1:0]   reset_fe_o,
  output logic [Members-1:0]   hold_o,
  output logic [Members-1:0]   park_o,
  output logic [Members-1:0]   call_o,
  output logic [Members-1:0]   cta_lead_o,

  // The members' inputs of the next cycle, for the registers that say which front ends are on
  output logic [Members-1:0]   power_next_o,
  output logic [Members-1:0]   reset_fe_next_o,

  // From the members, and to group control
  input  logic [Members-1:0]   drained_i,
  input  logic [Members-1:0]   parked_i,
  input  logic [Members-1:0]   cancel_i,
  output logic [Members-1:0]   drained_o,
  output logic [Members-1:0]   parked_o,
  output logic [Members-1:0]   cancel_o
);
  localparam int unsigned Roles = 3 * Groups + 11 * Members;
  localparam int unsigned Answers = 3 * Members;

  // A member that is its own lead: as each is after reset.
  logic [3*Members-1:0] own;
  for (genvar m = 0; m < Members; m++) begin : g_own
    assign own[3*m+:3] = 3'(m);
  end

  // Registers hold in what the roles differ from those of reset, so that reset clears them.
  logic [Roles-1:0]           rest, sent, seen;
  logic [Delay*Roles-1:0]     roles_q;  // the latest lowest
  logic [(Delay+1)*Roles-1:0] way;      // with what enters it
  assign rest = {own, {Members{1'b1}}, {Members{1'b1}}, {(3*Groups+6*Members){1'b0}}};
  assign sent = rest ^ {lead_i, power_i, cta_lead_i, state_i, master_i, slave_i, reset_fe_i, hold_i,
                        park_i, call_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) roles_q <= '0;
    else         roles_q <= way[Delay*Roles-1:0];
  end
  assign way = {roles_q, sent};

  logic [Members-1:0] hold;
  assign seen = rest ^ way[(Delay+1)*Roles-1-:Roles];
  assign {lead_o, power_o, cta_lead_o, state_o, master_o, slave_o, reset_fe_o, hold, park_o,
          call_o} = seen;

  localparam int unsigned PowerAt = Roles - 4 * Members;  // of the roles
  localparam int unsigned ResetAt = 3 * Members;
  assign power_next_o    = rest[PowerAt+:Members] ^ way[(Delay-1)*Roles+PowerAt+:Members];
  assign reset_fe_next_o = rest[ResetAt+:Members] ^ way[(Delay-1)*Roles+ResetAt+:Members];

  // Leaders hear their own hold at once.
  logic [Members-1:0] at_once;
  for (genvar m = 0; m < Members; m++) begin : g_hold
    assign at_once[m] = (m % 2 == 0) && hold_i[m] && lead_i[3*m+:3] == 3'(m);
  end
  assign hold_o = hold | at_once;

  logic [Answers-1:0]       answers;
  logic [Delay*Answers-1:0] answers_q;  // the latest lowest
  assign answers = {drained_i & (hold_o | parked_i), parked_i, cancel_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answers_q <= '0;
    else         answers_q <= (Delay*Answers)'({answers_q, answers});
  end
  assign {drained_o, parked_o, cancel_o} = answers_q[Delay*Answers-1-:Answers];
endmodule
