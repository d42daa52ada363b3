// Issue: which warps may issue, which of the two picks do, and why a scheduler issues nothing.
//
// A warp may issue when it is live, has a decoded instruction without hazard, waits for no branch,
// pop or barrier, and the pipeline of the instruction has a free slot on the warp's side.  Slots are
// counted as credits (slot_counter).  There is one SFU and one LDST unit for all sides.  If both
// schedulers want what only one can have, they take turns (prio).  kernel_start wins over everything,
// and begins with the slots of start.
//
// Vetoes are inputs for what is around the front end (docs/hardware/frontend.md, issue): on all warps, on
// a pick, on two picks at once, on warps with a slot, and on warps before they are ready.  Each has its
// code as cause.  A vetoed pick is not granted and wants nothing.
//
// Illegal: a pick that is not eligible; what slot_counter forbids.

module issue #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Sides = 1,    // with slots of their own: 1 or 2
  parameter int unsigned SpSlots = 8,  // of side 0 after a reset; side 1 has none then
  parameter int unsigned SfuSlots = 4,
  parameter int unsigned MemSlots = 4,
  parameter bit          Vetoes = 1'b1,         // 0: none is looked at
  parameter logic [27:0] Causes = 28'hBC89A7C,  // of vetoes: all, pick, two, slot a and b, ready a and b
  localparam int unsigned SpW = 4,
  localparam int unsigned SfuW = 3,
  localparam int unsigned MemW = 4
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  // Slots that a kernel begins with, of side 0 and of side 1
  input  logic [SpW-1:0]               start_sp_i,
  input  logic [SfuW-1:0]              start_sfu_i,
  input  logic [MemW-1:0]              start_mem_i,
  input  logic [SpW-1:0]               start_sp1_i,
  input  logic [SfuW-1:0]              start_sfu1_i,
  input  logic [MemW-1:0]              start_mem1_i,

  // State of the warps
  input  logic [Warps-1:0]             live_i,
  input  logic [Warps-1:0]             ctrl_i,
  input  logic [Warps-1:0]             settle_i,
  input  logic [Warps-1:0]             waiting_i,
  input  logic [Warps-1:0]             ib_valid_i,
  input  logic [Warps-1:0]             ib_sfu_i,
  input  logic [Warps-1:0]             ib_mem_i,
  input  logic [Warps-1:0]             ib_none_i,
  input  logic [Warps-1:0]             hazard_i,
  input  logic [Warps-1:0]             far_i,  // of side 1

  // Slots freed by the pipelines, of side 0 and of side 1
  input  logic [1:0]                   sp_credit_i,
  input  logic                         sfu_credit_i,
  input  logic                         mem_credit_i,
  input  logic [1:0]                   sp_credit1_i,
  input  logic                         sfu_credit1_i,
  input  logic                         mem_credit1_i,

  // Vetoes
  input  logic                         veto_all_i,
  input  logic                         veto_two_i,
  input  logic                         veto_pick0_i,
  input  logic                         veto_pick1_i,
  input  logic [Warps-1:0]             veto_slot_a_i,
  input  logic [Warps-1:0]             veto_slot_b_i,
  input  logic [Warps-1:0]             veto_ready_a_i,
  input  logic [Warps-1:0]             veto_ready_b_i,
  output logic                         mem_home_o,  // no MEM slot of side 0 is taken
  output logic                         take_mem_o,  // a memory instruction is granted

  // Schedulers
  output logic [Warps-1:0]             elig_o,
  input  logic                         pick0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pick0_warp_i,
  input  logic                         pick1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pick1_warp_i,
  output logic                         grant0_o,
  output logic                         grant1_o,
  output logic [3:0]                   stall0_o,
  output logic [3:0]                   stall1_o
);
  logic [SpW-1:0]   sp_count, sp_count1;
  logic [SfuW-1:0]  sfu_count, sfu_count1;
  logic [MemW-1:0]  mem_count, mem_count1;
  logic             prio_q  /*verilator public_flat_rd*/;

  // Vetoes that are looked at.
  logic             all, two, veto0, veto1;
  logic [Warps-1:0] slot_a, slot_b, ready_a, ready_b;
  assign {all, two, veto0, veto1} = {4{Vetoes}} & {veto_all_i, veto_two_i, veto_pick0_i, veto_pick1_i};
  assign {slot_a, slot_b}         = {2 * Warps{Vetoes}} & {veto_slot_a_i, veto_slot_b_i};
  assign {ready_a, ready_b}       = {2 * Warps{Vetoes}} & {veto_ready_a_i, veto_ready_b_i};

  logic [Warps-1:0] far, not_sp;
  logic [Warps-1:0] active;  // nothing but the instruction itself can hold the warp
  logic [Warps-1:0] ready, elig, kept;
  assign far    = (Sides > 1) ? far_i : '0;
  assign not_sp = ib_sfu_i | ib_mem_i | ib_none_i;
  always_comb begin
    active = live_i & ~ctrl_i & ~settle_i & ~waiting_i;
    ready  = active & ib_valid_i & ~hazard_i & ~ready_a & ~ready_b;
    elig   = ready;
    if (sfu_count == '0)  elig = elig & (far | ~ib_sfu_i);
    if (mem_count == '0)  elig = elig & (far | ~ib_mem_i);
    if (sp_count == '0)   elig = elig & (far | not_sp);
    if (sfu_count1 == '0) elig = elig & (~far | ~ib_sfu_i);
    if (mem_count1 == '0) elig = elig & (~far | ~ib_mem_i);
    if (sp_count1 == '0)  elig = elig & (~far | not_sp);
    kept = elig & (slot_a | slot_b);
    elig = elig & ~kept;
    if (all) elig = '0;
  end
  assign elig_o = elig;

  logic sfu0, sfu1, mem0, mem1, sp0, sp1, far0, far1;
  issue_pick #(
    .Warps(Warps),
    .Parity(1'b0)
  ) u_pick0 (
    .valid_i(pick0_valid_i), .warp_i(pick0_warp_i), .sfu_i(ib_sfu_i), .mem_i(ib_mem_i), .not_sp_i(not_sp),
    .far_i(far), .sp_o(sp0), .sfu_o(sfu0), .mem_o(mem0), .far_o(far0)
  );
  issue_pick #(
    .Warps(Warps),
    .Parity(1'b1)
  ) u_pick1 (
    .valid_i(pick1_valid_i), .warp_i(pick1_warp_i), .sfu_i(ib_sfu_i), .mem_i(ib_mem_i), .not_sp_i(not_sp),
    .far_i(far), .sp_o(sp1), .sfu_o(sfu1), .mem_o(mem1), .far_o(far1)
  );

  // Conflicts, if neither pick is vetoed: such a veto comes late, and only selects.
  logic last, both, conflict, grant0, grant1;
  assign last = (far0 ? sp_count1 : sp_count) == SpW'(1);
  always_comb begin
    both = (sfu0 & sfu1) | `FAULT(6, mem0 & mem1, 1'b0) | (sp0 & sp1 & (far0 == far1) & last);
    if (two) both = pick0_valid_i & pick1_valid_i;
    conflict = both & ~veto0 & ~veto1;
    grant0   = pick0_valid_i & ~veto0 & ~(both & prio_q & ~veto1);
    grant1   = pick1_valid_i & ~veto1 & ~(both & ~prio_q & ~veto0);
  end
  assign grant0_o   = grant0;
  assign grant1_o   = grant1;
  assign mem_home_o = mem_count == MemW'(MemSlots);
  assign take_mem_o = (mem0 & grant0) | (mem1 & grant1);

  // Without vetoes, a head that is not ready has a hazard.
  logic [Warps-1:0] hazard;
  assign hazard = active & ib_valid_i & (hazard_i | {Warps{!Vetoes}});
  issue_cause #(
    .Warps(Warps),
    .Parity(1'b0),
    .Causes(Causes)
  ) u_cause0 (
    .grant_i(grant0), .all_i(all), .pick_vetoed_i(veto0 & pick0_valid_i), .pick_lost_i(two & pick0_valid_i),
    .live_i, .ready_i(ready & ~kept), .kept_i(kept), .slot_b_i(slot_b), .hazard_i(hazard), .ready_a_i(ready_a),
    .ready_b_i(ready_b), .control_i(ctrl_i | settle_i), .active_i(active), .cause_o(stall0_o)
  );
  issue_cause #(
    .Warps(Warps),
    .Parity(1'b1),
    .Causes(Causes)
  ) u_cause1 (
    .grant_i(grant1), .all_i(all), .pick_vetoed_i(veto1 & pick1_valid_i), .pick_lost_i(two & pick1_valid_i),
    .live_i, .ready_i(ready & ~kept), .kept_i(kept), .slot_b_i(slot_b), .hazard_i(hazard), .ready_a_i(ready_a),
    .ready_b_i(ready_b), .control_i(ctrl_i | settle_i), .active_i(active), .cause_o(stall1_o)
  );

  // Slots: those that a grant takes are of the warp's side.
  logic [1:0] sp_credit, sp_credit1;
  assign sp_credit1 = `FAULT(175, sp_credit1_i, 2'd0);
  assign sp_credit  = sp_credit_i + (sp_credit1_i ^ sp_credit1);  // all of side 1 that is not its own
  logic near0, near1, across0, across1;
  assign near0   = grant0 & ~far0;
  assign near1   = grant1 & ~far1;
  assign across0 = grant0 & far0;
  assign across1 = grant1 & far1;
  slot_counter #(
    .Slots(SpSlots),
    .CountW(SpW)
  ) u_sp (
    .start_i(kernel_start_i), .slots_i(start_sp_i), .credit_i(sp_credit),
    .take_i({1'b0, near0 & sp0} + {1'b0, near1 & sp1}), .count_o(sp_count), .*
  );
  slot_counter #(
    .Slots(SfuSlots),
    .CountW(SfuW)
  ) u_sfu (
    .start_i(kernel_start_i), .slots_i(start_sfu_i), .credit_i({1'b0, sfu_credit_i}),
    .take_i({1'b0, (near0 & sfu0) | (near1 & sfu1)}), .count_o(sfu_count), .*
  );
  slot_counter #(
    .Slots(MemSlots),
    .CountW(MemW)
  ) u_mem (
    .start_i(kernel_start_i), .slots_i(start_mem_i), .credit_i({1'b0, mem_credit_i}),
    .take_i({1'b0, (near0 & mem0) | (near1 & mem1)}), .count_o(mem_count), .*
  );
  slot_counter #(
    .Slots(0),
    .CountW(SpW)
  ) u_sp1 (
    .start_i(kernel_start_i), .slots_i(start_sp1_i), .credit_i(sp_credit1),
    .take_i({1'b0, across0 & sp0} + {1'b0, across1 & sp1}), .count_o(sp_count1), .*
  );
  slot_counter #(
    .Slots(0),
    .CountW(SfuW)
  ) u_sfu1 (
    .start_i(kernel_start_i), .slots_i(start_sfu1_i), .credit_i({1'b0, sfu_credit1_i}),
    .take_i({1'b0, (across0 & sfu0) | (across1 & sfu1)}), .count_o(sfu_count1), .*
  );
  slot_counter #(
    .Slots(0),
    .CountW(MemW)
  ) u_mem1 (
    .start_i(kernel_start_i), .slots_i(start_mem1_i), .credit_i({1'b0, mem_credit1_i}),
    .take_i({1'b0, (across0 & mem0) | (across1 & mem1)}), .count_o(mem_count1), .*
  );

  // A conflict is granted to one of the two, so that prio moves with a grant only.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) prio_q <= 1'b0;
    else         prio_q <= kernel_start_i ? 1'b0 : prio_q ^ conflict;
  end

`ifdef FORMAL
  // tests/formal/issue.sv
  if (Sides > 1) begin : g_properties
    issue_properties #(
      .Warps(Warps)
    ) u_properties (
      .clk_i, .rst_ni, .kernel_start_i, .start0_i({start_sp_i, start_sfu_i, start_mem_i}),
      .start1_i({start_sp1_i, start_sfu1_i, start_mem1_i}), .ib_sfu_i, .ib_mem_i, .ib_none_i, .far_i,
      .sp_credit_i, .sfu_credit_i, .mem_credit_i, .sp_credit1_i, .sfu_credit1_i, .mem_credit1_i, .veto_all_i,
      .elig_i(elig), .pick0_valid_i, .pick0_warp_i, .pick1_valid_i, .pick1_warp_i, .grant0_i(grant0),
      .grant1_i(grant1), .counts0_i({sp_count, sfu_count, mem_count}),
      .counts1_i({sp_count1, sfu_count1, mem_count1}), .prio_i(prio_q)
    );
  end
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      pick0_eligible: assert (!pick0_valid_i || (elig[pick0_warp_i] && !pick0_warp_i[0]));
      pick1_eligible: assert (!pick1_valid_i || (elig[pick1_warp_i] && pick1_warp_i[0]));
    end
  end
`endif
endmodule
