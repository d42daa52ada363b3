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
// code as cause; one whose code is 0 is not there.  A vetoed pick is not granted and wants nothing.
//
// Illegal: a pick that is not eligible; what slot_counter forbids.

module issue #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Sides = 1,    // with slots of their own: 1 or 2
  parameter int unsigned SpSlots = 8,  // of side 0 after a reset; side 1 has none then
  parameter int unsigned SfuSlots = 4,
  parameter int unsigned MemSlots = 4,
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
  // Slots of side 0 and of side 1.
  logic [SpW-1:0]   sp_count  /*verilator public_flat_rd*/;
  logic [SpW-1:0]   sp_count1  /*verilator public_flat_rd*/;
  logic [SfuW-1:0]  sfu_count  /*verilator public_flat_rd*/;
  logic [SfuW-1:0]  sfu_count1  /*verilator public_flat_rd*/;
  logic [MemW-1:0]  mem_count  /*verilator public_flat_rd*/;
  logic [MemW-1:0]  mem_count1  /*verilator public_flat_rd*/;
  logic             sp_none, sp_none1, sp_last, sp_last1, sfu_none, sfu_none1, mem_none, mem_none1;
  logic             prio_q  /*verilator public_flat_rd*/;

  // Vetoes that are there.
  logic             all, two, veto0, veto1;
  logic [Warps-1:0] slot_a, slot_b, ready_a, ready_b;
  assign all            = (Causes[27:24] != '0) & veto_all_i;
  assign {veto0, veto1} = (Causes[23:20] != '0) ? {veto_pick0_i, veto_pick1_i} : '0;
  assign two            = (Causes[19:16] != '0) & veto_two_i;
  assign slot_a         = (Causes[15:12] != '0) ? veto_slot_a_i : '0;
  assign slot_b         = (Causes[11:8] != '0) ? veto_slot_b_i : '0;
  assign ready_a        = (Causes[7:4] != '0) ? veto_ready_a_i : '0;
  assign ready_b        = (Causes[3:0] != '0) ? veto_ready_b_i : '0;

  logic [Warps-1:0] far, not_sp;
  logic [Warps-1:0] active;         // nothing but the instruction itself can hold the warp
  logic [Warps-1:0] no_slot, no_slot1;  // of side 0, of side 1: the pipeline is full
  logic [Warps-1:0] ready, elig, kept;
  assign far    = (Sides > 1) ? far_i : '0;
  assign not_sp = ib_sfu_i | ib_mem_i | ib_none_i;
  always_comb begin
    active   = live_i & ~ctrl_i & ~settle_i & ~waiting_i;
    ready    = active & ib_valid_i & ~hazard_i & ~ready_a & ~ready_b;
    no_slot  = ({Warps{sfu_none}} & ib_sfu_i) | ({Warps{mem_none}} & ib_mem_i) | ({Warps{sp_none}} & ~not_sp);
    no_slot1 = ({Warps{sfu_none1}} & ib_sfu_i) | ({Warps{mem_none1}} & ib_mem_i) | ({Warps{sp_none1}} & ~not_sp);
    elig     = ready & ~(no_slot & ~far) & ~(no_slot1 & far);
    kept     = elig & (slot_a | slot_b);
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
    .sp_o(sp0), .sfu_o(sfu0), .mem_o(mem0)
  );
  issue_pick #(
    .Warps(Warps),
    .Parity(1'b1)
  ) u_pick1 (
    .valid_i(pick1_valid_i), .warp_i(pick1_warp_i), .sfu_i(ib_sfu_i), .mem_i(ib_mem_i), .not_sp_i(not_sp),
    .sp_o(sp1), .sfu_o(sfu1), .mem_o(mem1)
  );
  assign far0 = pick0_valid_i & far[{pick0_warp_i[tandem_pkg::WarpW-1:1], 1'b0}];
  assign far1 = pick1_valid_i & far[{pick1_warp_i[tandem_pkg::WarpW-1:1], 1'b1}];

  // Conflicts, if neither pick is vetoed: such a veto comes late, and only selects.
  logic last, both, conflict, grant0, grant1;
  assign last = far0 ? sp_last1 : sp_last;
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
  assign hazard = active & ib_valid_i & (hazard_i | {Warps{Causes == '0}});
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
  logic [1:0] own, across, sp_credit, sp_credit1, sp_take, sfu_take, mem_take;
  assign own        = {grant1 & ~far1, grant0 & ~far0};
  assign across     = {grant1 & far1, grant0 & far0};
  assign sp_take    = {sp1, sp0};
  assign sfu_take   = {sfu1, sfu0};
  assign mem_take   = {mem1, mem0};
  assign sp_credit1 = `FAULT(175, sp_credit1_i, 2'd0);
  assign sp_credit  = sp_credit_i + (sp_credit1_i ^ sp_credit1);  // all of side 1 that is not its own
  logic unused_sfu_last, unused_mem_last;
  slot_counter #(
    .Slots(SpSlots),
    .CountW(SpW)
  ) u_sp (
    .start_i(kernel_start_i), .slots_i(start_sp_i), .credit_i(sp_credit), .take_i(own & sp_take),
    .count_o(sp_count), .none_o(sp_none), .last_o(sp_last), .*
  );
  slot_counter #(
    .Slots(SfuSlots),
    .CountW(SfuW)
  ) u_sfu (
    .start_i(kernel_start_i), .slots_i(start_sfu_i), .credit_i({1'b0, sfu_credit_i}), .take_i(own & sfu_take),
    .count_o(sfu_count), .none_o(sfu_none), .last_o(unused_sfu_last), .*
  );
  slot_counter #(
    .Slots(MemSlots),
    .CountW(MemW)
  ) u_mem (
    .start_i(kernel_start_i), .slots_i(start_mem_i), .credit_i({1'b0, mem_credit_i}), .take_i(own & mem_take),
    .count_o(mem_count), .none_o(mem_none), .last_o(unused_mem_last), .*
  );
  if (Sides > 1) begin : g_side1
    logic unused_sfu_last1, unused_mem_last1;
    slot_counter #(
      .Slots(0),
      .CountW(SpW)
    ) u_sp (
      .start_i(kernel_start_i), .slots_i(start_sp1_i), .credit_i(sp_credit1), .take_i(across & sp_take),
      .count_o(sp_count1), .none_o(sp_none1), .last_o(sp_last1), .*
    );
    slot_counter #(
      .Slots(0),
      .CountW(SfuW)
    ) u_sfu (
      .start_i(kernel_start_i), .slots_i(start_sfu1_i), .credit_i({1'b0, sfu_credit1_i}),
      .take_i(across & sfu_take), .count_o(sfu_count1), .none_o(sfu_none1), .last_o(unused_sfu_last1), .*
    );
    slot_counter #(
      .Slots(0),
      .CountW(MemW)
    ) u_mem (
      .start_i(kernel_start_i), .slots_i(start_mem1_i), .credit_i({1'b0, mem_credit1_i}),
      .take_i(across & mem_take), .count_o(mem_count1), .none_o(mem_none1), .last_o(unused_mem_last1), .*
    );
  end else begin : g_one_side
    assign {sp_count1, sfu_count1, mem_count1, sp_none1, sfu_none1, mem_none1, sp_last1} = '0;
    logic unused_side1;
    assign unused_side1 = 1'b0 & ^{across, start_sp1_i, start_sfu1_i, start_mem1_i, sfu_credit1_i, mem_credit1_i};
  end

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
