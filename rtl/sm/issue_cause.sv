// Why a scheduler issues nothing: the first cause that applies to one of its warps (docs/hardware/frontend.md, issue).
// A set is of all warps.

module issue_cause #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter bit          Parity = 1'b0,  // of the scheduler's warps
  parameter logic [27:0] Causes = 28'd0  // as that of issue
) (
  input  logic             grant_i,
  input  logic             all_i,           // vetoes, as those of issue
  input  logic             pick_vetoed_i,
  input  logic             pick_lost_i,     // by the veto of two
  input  logic [Warps-1:0] live_i,
  input  logic [Warps-1:0] ready_i,         // without those of kept
  input  logic [Warps-1:0] kept_i,          // by a veto after slots
  input  logic [Warps-1:0] slot_b_i,
  input  logic [Warps-1:0] hazard_i,        // with a head and a hazard, nothing else holds the warp
  input  logic [Warps-1:0] ready_a_i,
  input  logic [Warps-1:0] ready_b_i,
  input  logic [Warps-1:0] control_i,
  input  logic [Warps-1:0] active_i,
  output logic [3:0]       cause_o
);
  localparam logic [Warps-1:0] Own = {(Warps / 2) {Parity ? 2'b10 : 2'b01}};
  localparam logic [3:0] All = Causes[27:24], Pick = Causes[23:20], Two = Causes[19:16];
  localparam logic [3:0] SlotA = Causes[15:12], SlotB = Causes[11:8], ReadyA = Causes[7:4], ReadyB = Causes[3:0];

  // A cause is looked for only where the ones before do not apply.  One whose code is 0 has no logic: synthesis maps
  // this module by itself, and does not see that its veto is never there.
  always_comb begin
    logic [Warps-1:0] live;
    live    = '0;
    cause_o = tandem_pkg::StallIdle;
    if (grant_i) begin
      cause_o = tandem_pkg::StallNone;
    end else begin
      live = live_i & Own;
      if (live != '0) begin
        if (All != '0 && all_i)                                       cause_o = All;
        else if (Pick != '0 && pick_vetoed_i)                         cause_o = Pick;
        else if (Two != '0 && pick_lost_i)                            cause_o = Two;
        else if ((ready_i & Own) != '0)                               cause_o = tandem_pkg::StallStructural;
        else if (SlotA != '0 && (kept_i & ~slot_b_i & Own) != '0)     cause_o = SlotA;
        else if (SlotB != '0 && (kept_i & slot_b_i & Own) != '0)      cause_o = SlotB;
        else if ((hazard_i & Own) != '0)                              cause_o = tandem_pkg::StallScoreboard;
        else if (ReadyA != '0 && (live & ready_a_i) != '0)            cause_o = ReadyA;
        else if (ReadyB != '0 && (live & ready_b_i) != '0)            cause_o = ReadyB;
        else if ((live & control_i) != '0)                            cause_o = tandem_pkg::StallControl;
        else if ((active_i & Own) != '0)                              cause_o = tandem_pkg::StallFetch;
        else                                                          cause_o = tandem_pkg::StallBarrier;
      end
    end
  end
endmodule
