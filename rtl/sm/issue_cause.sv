// Why a scheduler issues nothing: the first cause that applies to one of its warps (docs/hardware/frontend.md, issue).
// A set is of all warps.

module issue_cause #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter bit          Parity = 1'b0,             // of the scheduler's warps
  parameter logic [27:0] Causes = 28'd0             // of vetoes: all, pick, two, slot a and b, ready a and b
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

  // A cause is looked for only where the ones before do not apply.
  always_comb begin
    logic [Warps-1:0] live;
    live    = '0;
    cause_o = tandem_pkg::StallIdle;
    if (grant_i) begin
      cause_o = tandem_pkg::StallNone;
    end else begin
      live = live_i & Own;
      if (live != '0) begin
        if (all_i)                                cause_o = Causes[27:24];
        else if (pick_vetoed_i)                        cause_o = Causes[23:20];
        else if (pick_lost_i)                          cause_o = Causes[19:16];
        else if ((ready_i & Own) != '0)                cause_o = tandem_pkg::StallStructural;
        else if ((kept_i & ~slot_b_i & Own) != '0) cause_o = Causes[15:12];
        else if ((kept_i & Own) != '0)                 cause_o = Causes[11:8];
        else if ((hazard_i & Own) != '0)               cause_o = tandem_pkg::StallScoreboard;
        else if ((live & ready_a_i) != '0)        cause_o = Causes[7:4];
        else if ((live & ready_b_i) != '0)        cause_o = Causes[3:0];
        else if ((live & control_i) != '0)             cause_o = tandem_pkg::StallControl;
        else if ((active_i & Own) != '0)               cause_o = tandem_pkg::StallFetch;
        else                                           cause_o = tandem_pkg::StallBarrier;
      end
    end
  end
endmodule
