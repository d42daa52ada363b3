// Issue with slots on two sides (docs/hardware/flex_frontend.md): which warps may issue, which of the two picks do,
// and why a scheduler issues nothing.
//
// It acts as issue does without clusters.  A warp's operand collectors and queues are the SM's own (side 0) or
// borrowed (side 1, far_i), and slots are counted for each side: a grant takes one, the pipeline returns
// it, and it can be used from the next cycle on.  There is one SFU and one LDST unit for both sides.  With hold
// nothing issues.  kernel_start wins over everything, and sets the counts by mode.
//
// Illegal: a pick that is not eligible, credits beyond the number of slots, a mode above 4.

module near_issue #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,
  input  logic [2:0]                   mode_i,

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

  // Slots freed by the pipelines, of side 0 and side 1
  input  logic [1:0]                   sp_credit_i,
  input  logic                         sfu_credit_i,
  input  logic                         mem_credit_i,
  input  logic [1:0]                   sp_credit1_i,
  input  logic                         sfu_credit1_i,
  input  logic                         mem_credit1_i,
  input  logic                         hold_i,

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
  localparam int unsigned SpW = 4;
  localparam int unsigned SfuW = 3;
  localparam int unsigned MemW = 3;
  localparam int unsigned CountW = SpW + SfuW + MemW;
  localparam logic [Warps-1:0] Even = {(Warps / 2) {2'b01}};

  localparam logic [2:0] ModeBase = 3'd0;
  localparam logic [2:0] ModeOcc = 3'd1;
  localparam logic [2:0] ModeBal = 3'd2;

  // Slots of SP, SFU, MEM.
  localparam logic [CountW-1:0] SlotsBase = {4'd8, 3'd4, 3'd4};
  localparam logic [CountW-1:0] SlotsFull = {4'd12, 3'd4, 3'd4};
  localparam logic [CountW-1:0] SlotsHalf = {4'd6, 3'd2, 3'd2};
  localparam logic [CountW-1:0] SlotsNone = '0;

  logic [SpW-1:0]  sp_count_q  /*verilator public_flat_rd*/;
  logic [SfuW-1:0] sfu_count_q  /*verilator public_flat_rd*/;
  logic [MemW-1:0] mem_count_q  /*verilator public_flat_rd*/;
  logic [SpW-1:0]  sp_count1_q  /*verilator public_flat_rd*/;
  logic [SfuW-1:0] sfu_count1_q  /*verilator public_flat_rd*/;
  logic [MemW-1:0] mem_count1_q  /*verilator public_flat_rd*/;
  logic            prio_q  /*verilator public_flat_rd*/;

  logic [Warps-1:0] not_sp;
  logic [Warps-1:0] active;  // nothing but the instruction itself can hold the warp
  logic [Warps-1:0] ready, elig;
  assign not_sp = ib_sfu_i | ib_mem_i | ib_none_i;
  always_comb begin
    active = live_i & ~ctrl_i & ~settle_i & ~waiting_i;
    ready  = active & ib_valid_i & ~hazard_i;
    elig   = ready;
    if (sfu_count_q == '0)  elig = elig & (far_i | ~ib_sfu_i);
    if (mem_count_q == '0)  elig = elig & (far_i | ~ib_mem_i);
    if (sp_count_q == '0)   elig = elig & (far_i | not_sp);
    if (sfu_count1_q == '0) elig = elig & (~far_i | ~ib_sfu_i);
    if (mem_count1_q == '0) elig = elig & (~far_i | ~ib_mem_i);
    if (sp_count1_q == '0)  elig = elig & (~far_i | not_sp);
    if (hold_i)             elig = '0;
  end
  assign elig_o = elig;

  // Pipelines and sides of the picks; without a pick none.
  logic sfu0, sfu1, mem0, mem1, sp0, sp1, far0, far1, conflict, grant0, grant1;
  always_comb begin
    logic [Warps-1:0] one0, one1;
    one0 = '0;
    one1 = '0;
    if (pick0_valid_i) one0 = Warps'(1) << {pick0_warp_i[tandem_pkg::WarpW-1:1], 1'b0};
    if (pick1_valid_i) one1 = Warps'(1) << {pick1_warp_i[tandem_pkg::WarpW-1:1], 1'b1};
    sfu0 = (ib_sfu_i & one0) != '0;
    sfu1 = (ib_sfu_i & one1) != '0;
    mem0 = (ib_mem_i & one0) != '0;
    mem1 = (ib_mem_i & one1) != '0;
    sp0  = (~not_sp & one0) != '0;
    sp1  = (~not_sp & one1) != '0;
    far0 = (far_i & one0) != '0;
    far1 = (far_i & one1) != '0;
  end

  logic last;  // a slot of SP is the last one, and both picks want it
  always_comb begin
    last     = sp0 && sp1 && far0 == far1 && (far0 ? sp_count1_q : sp_count_q) == SpW'(1);
    conflict = (sfu0 & sfu1) | (mem0 & mem1) | last;
    grant0   = pick0_valid_i & ~(conflict & prio_q);
    grant1   = pick1_valid_i & ~(conflict & ~prio_q);
  end
  assign grant0_o = grant0;
  assign grant1_o = grant1;

  // Why nothing issues: the first cause that applies to a warp of the scheduler.
  logic [Warps-1:0] held, blocked;
  assign held    = active & ib_valid_i & hazard_i;
  assign blocked = live_i & (ctrl_i | settle_i);
  always_comb begin
    stall0_o = tandem_pkg::StallIdle;
    if (grant0)                                 stall0_o = tandem_pkg::StallNone;
    else if ((live_i & Even) == '0)             stall0_o = tandem_pkg::StallIdle;
    else if (hold_i)                            stall0_o = tandem_pkg::StallHold;
    else if ((ready & Even) != '0)              stall0_o = tandem_pkg::StallStructural;
    else if ((held & Even) != '0)               stall0_o = tandem_pkg::StallScoreboard;
    else if ((blocked & Even) != '0)            stall0_o = tandem_pkg::StallControl;
    else if ((active & Even) != '0)             stall0_o = tandem_pkg::StallFetch;
    else                                        stall0_o = tandem_pkg::StallBarrier;
  end
  always_comb begin
    stall1_o = tandem_pkg::StallIdle;
    if (grant1)                                  stall1_o = tandem_pkg::StallNone;
    else if ((live_i & ~Even) == '0)             stall1_o = tandem_pkg::StallIdle;
    else if (hold_i)                             stall1_o = tandem_pkg::StallHold;
    else if ((ready & ~Even) != '0)              stall1_o = tandem_pkg::StallStructural;
    else if ((held & ~Even) != '0)               stall1_o = tandem_pkg::StallScoreboard;
    else if ((blocked & ~Even) != '0)            stall1_o = tandem_pkg::StallControl;
    else if ((active & ~Even) != '0)             stall1_o = tandem_pkg::StallFetch;
    else                                         stall1_o = tandem_pkg::StallBarrier;
  end

// Slots that the grants take, of side 0 and of side 1.
  logic       take0, take1;
  logic [1:0] sp_take, sp_take1;
  logic       sfu_take, sfu_take1, mem_take, mem_take1;
  always_comb begin
    take0     = grant0 & ~far0;
    take1     = grant1 & ~far1;
    sp_take   = {1'b0, take0 & sp0} + {1'b0, take1 & sp1};
    sfu_take  = (take0 & sfu0) | (take1 & sfu1);
    mem_take  = (take0 & mem0) | (take1 & mem1);
    sp_take1  = {1'b0, grant0 & far0 & sp0} + {1'b0, grant1 & far1 & sp1};
    sfu_take1 = (grant0 & far0 & sfu0) | (grant1 & far1 & sfu1);
    mem_take1 = (grant0 & far0 & mem0) | (grant1 & far1 & mem1);
  end

  // Next counts; a kernel begins with those of its mode.
  logic [CountW-1:0] start, start1, next, next1;
  always_comb begin
    start  = (mode_i == ModeBase) ? SlotsBase : SlotsFull;
    start1 = SlotsNone;
    if (mode_i == ModeOcc) start1 = SlotsFull;
    if (mode_i == ModeBal) start1 = SlotsHalf;
  end
  always_comb begin
    logic [1:0] sp_credit, sp_credit1;
    sp_credit1 = `FAULT(175, sp_credit1_i, 2'd0);
    sp_credit  = sp_credit_i + (sp_credit1_i ^ sp_credit1);  // all of side 1 that is not its own
    next  = {sp_count_q + SpW'(sp_credit) - SpW'(sp_take), sfu_count_q + SfuW'(sfu_credit_i) - SfuW'(sfu_take),
             mem_count_q + MemW'(mem_credit_i) - MemW'(mem_take)};
    next1 = {sp_count1_q + SpW'(sp_credit1) - SpW'(sp_take1),
             sfu_count1_q + SfuW'(sfu_credit1_i) - SfuW'(sfu_take1),
             mem_count1_q + MemW'(mem_credit1_i) - MemW'(mem_take1)};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {sp_count_q, sfu_count_q, mem_count_q}    <= SlotsBase;
      {sp_count1_q, sfu_count1_q, mem_count1_q} <= SlotsNone;
      prio_q                                    <= 1'b0;
    end else begin
      {sp_count_q, sfu_count_q, mem_count_q}    <= kernel_start_i ? start : next;
      {sp_count1_q, sfu_count1_q, mem_count1_q} <= kernel_start_i ? start1 : next1;
      prio_q                                    <= kernel_start_i ? 1'b0 : prio_q ^ conflict;
    end
  end

`ifdef FORMAL
  // tests/formal/near_issue.sv
  near_issue_properties #(
    .Warps(Warps)
  ) u_properties (
    .clk_i, .rst_ni, .kernel_start_i, .mode_i, .ib_sfu_i, .ib_mem_i, .ib_none_i, .far_i, .sp_credit_i,
    .sfu_credit_i, .mem_credit_i, .sp_credit1_i, .sfu_credit1_i, .mem_credit1_i, .hold_i, .elig_i(elig),
    .pick0_valid_i, .pick0_warp_i, .pick1_valid_i, .pick1_warp_i, .grant0_i(grant0), .grant1_i(grant1),
    .counts0_i({sp_count_q, sfu_count_q, mem_count_q}), .counts1_i({sp_count1_q, sfu_count1_q, mem_count1_q}),
    .prio_i(prio_q)
  );
`endif

`ifndef SYNTHESIS
  logic [CountW-1:0] most_q, most1_q;  // the slots that there are
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      most_q  <= SlotsBase;
      most1_q <= SlotsNone;
    end else if (kernel_start_i) begin
      most_q  <= start;
      most1_q <= start1;
    end
    if (rst_ni && kernel_start_i) assert (mode_i <= 3'd4);
    if (rst_ni && !kernel_start_i) begin
      assert (!pick0_valid_i || (elig[pick0_warp_i] && !pick0_warp_i[0]));
      assert (!pick1_valid_i || (elig[pick1_warp_i] && pick1_warp_i[0]));
      assert (sp_credit_i != 2'd3 && sp_credit1_i != 2'd3);
      // credits: what is counted is never more than what there is.
      assert ({1'b0, sp_count_q} + (SpW+1)'(sp_credit_i) <= {1'b0, most_q[CountW-1-:SpW]} + (SpW+1)'(sp_take));
      assert ({1'b0, sp_count1_q} + (SpW+1)'(sp_credit1_i) <= {1'b0, most1_q[CountW-1-:SpW]} + (SpW+1)'(sp_take1));
      assert (sfu_count_q <= most_q[MemW+:SfuW] && sfu_count1_q <= most1_q[MemW+:SfuW]);
      assert (mem_count_q <= most_q[MemW-1:0] && mem_count1_q <= most1_q[MemW-1:0]);
    end
  end
`endif
endmodule
