// Issue: which warps may issue, which of the two picks do, and why a scheduler issues nothing.
//
// A warp may issue when it is live, has a decoded instruction without hazard, waits for no branch,
// pop or barrier, and the pipeline of the instruction has a free slot.  Slots are counted as
// credits: a grant takes one, the pipeline returns it.  If both schedulers want what only one can
// have, they take turns (prio).  A credit returned in a cycle can be used from the next one on.
// kernel_start wins over everything.
//
// In a buddy cluster (docs/hardware/buddy_member.md): hold stops everything, a warp in verdict is not ready, a
// memory instruction waits for a place at every member (members_short), a load room in its warp's monitor,
// and with one_slot two picks always want what only one can have.  A pick that park stops is not granted
// and wants nothing; a parked warp is not ready.
//
// Illegal: a pick that is not eligible, credits beyond the number of slots.

module issue #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned SpSlots = 8,
  parameter int unsigned SfuSlots = 4,
  parameter int unsigned MemSlots = 4,
  parameter bit          Buddy = 1'b1  // 0: nothing of a cluster is looked at
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

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

  // Slots freed by the pipelines
  input  logic [1:0]                   sp_credit_i,
  input  logic                         sfu_credit_i,
  input  logic                         mem_credit_i,

  // Buddy cluster
  input  logic                         hold_i,
  input  logic                         members_short_i,
  input  logic                         one_slot_i,
  input  logic [Warps-1:0]             verdict_i,
  input  logic [Warps-1:0]             ib_load_i,   // the head is a load: of ib_mem_i
  input  logic [Warps-1:0]             mon_full_i,
  input  logic                         stop0_i,     // the pick parks
  input  logic                         stop1_i,
  input  logic [Warps-1:0]             parked_i,
  output logic                         mem_home_o,  // no place of the MEM collectors is taken
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
  localparam int unsigned SpW = $clog2(SpSlots + 1);
  localparam int unsigned SfuW = $clog2(SfuSlots + 1);
  localparam int unsigned MemW = $clog2(MemSlots + 1);
  localparam logic [Warps-1:0] Even = {(Warps / 2) {2'b01}};

  logic [SpW-1:0]  sp_count_q  /*verilator public_flat_rd*/;
  logic [SfuW-1:0] sfu_count_q  /*verilator public_flat_rd*/;
  logic [MemW-1:0] mem_count_q  /*verilator public_flat_rd*/;
  logic            prio_q  /*verilator public_flat_rd*/;

  logic [Warps-1:0] active;  // nothing but the instruction itself can hold the warp
  logic [Warps-1:0] ready, elig;
  logic [Warps-1:0] own;     // ready, and its pipeline has a slot; 0 without cluster
  always_comb begin
    active = live_i & ~ctrl_i & ~settle_i & ~waiting_i;
    ready = active & ib_valid_i & ~hazard_i & ~verdict_i;
    if (Buddy) ready = ready & ~parked_i;
    own  = '0;
    elig = ready;
    if (sfu_count_q == '0) elig = elig & ~ib_sfu_i;
    if (mem_count_q == '0) elig = elig & ~ib_mem_i;
    if (sp_count_q == '0)  elig = elig & (ib_sfu_i | ib_mem_i | ib_none_i);
    if (Buddy) begin
      own  = elig;
      elig = elig & ~(ib_load_i & mon_full_i);
      if (members_short_i) elig = elig & ~ib_mem_i;
      if (hold_i)          elig = '0;
    end
  end
  assign elig_o = elig;

  logic [tandem_pkg::WarpW-1:0] even, odd;
  assign even = {pick0_warp_i[tandem_pkg::WarpW-1:1], 1'b0};
  assign odd  = {pick1_warp_i[tandem_pkg::WarpW-1:1], 1'b1};

  // Pipelines of the picks, and conflicts if neither is stopped: a stop comes late (park), and only
  // selects.
  logic sfu0, sfu1, mem0, mem1, sp0, sp1, both, conflict, grant0, grant1;
  always_comb begin
    logic [Warps-1:0] not_sp;
    logic             stop0, stop1;
    sfu0     = 1'b0;
    sfu1     = 1'b0;
    mem0     = 1'b0;
    mem1     = 1'b0;
    sp0      = 1'b0;
    sp1      = 1'b0;
    stop0    = Buddy & stop0_i;
    stop1    = Buddy & stop1_i;
    not_sp   = ib_sfu_i | ib_mem_i | ib_none_i;
    if (pick0_valid_i) begin
      if (((not_sp >> even) & Warps'(1)) == '0) begin
        sp0  = 1'b1;
      end else begin
        sfu0 = ((ib_sfu_i >> even) & Warps'(1)) != '0;
        mem0 = ((ib_mem_i >> even) & Warps'(1)) != '0;
      end
    end
    if (pick1_valid_i) begin
      if (((not_sp >> odd) & Warps'(1)) == '0) begin
        sp1  = 1'b1;
      end else begin
        sfu1 = ((ib_sfu_i >> odd) & Warps'(1)) != '0;
        mem1 = ((ib_mem_i >> odd) & Warps'(1)) != '0;
      end
    end
    both = (sfu0 & sfu1) | `FAULT(6, mem0 & mem1, 1'b0) | (sp0 & sp1 & (sp_count_q == SpW'(1)));
    if (Buddy && one_slot_i) both = pick0_valid_i & pick1_valid_i;
    conflict = both & ~stop0 & ~stop1;
    grant0   = pick0_valid_i & ~stop0 & ~(both & prio_q & ~stop1);
    grant1   = pick1_valid_i & ~stop1 & ~(both & ~prio_q & ~stop0);
  end
  assign grant0_o = grant0;
  assign grant1_o = grant1;
  assign mem_home_o = Buddy && mem_count_q == MemW'(MemSlots);
  assign take_mem_o = (mem0 & grant0) | (mem1 & grant1);

  // Why nothing issues: the first cause that applies to a warp of the scheduler.  One is looked for
  // only where the ones before do not apply.
  always_comb begin
    logic [Warps-1:0] of_half;
    of_half  = '0;
    stall0_o = tandem_pkg::StallIdle;
    stall1_o = tandem_pkg::StallIdle;
    if (grant0) begin
      stall0_o = tandem_pkg::StallNone;
    end else begin
      of_half = live_i & Even;
      if (of_half != '0) begin
        if (Buddy && hold_i)                                       stall0_o = tandem_pkg::StallHold;
        else if (Buddy && stop0_i && pick0_valid_i)                stall0_o = tandem_pkg::StallPark;
        else if (Buddy && one_slot_i && pick0_valid_i)             stall0_o = tandem_pkg::StallSlot;
        else if ((ready & ~(own & ~elig) & Even) != '0)  stall0_o = tandem_pkg::StallStructural;
        else if ((own & ~(ib_load_i & mon_full_i) & Even) != '0) stall0_o = tandem_pkg::StallMembers;
        else if ((own & Even) != '0)                     stall0_o = tandem_pkg::StallMonitor;
        else if ((active & ib_valid_i & (hazard_i | {Warps{!Buddy}}) & Even) != '0)
          stall0_o = tandem_pkg::StallScoreboard;
        else if (Buddy && (of_half & verdict_i) != '0)              stall0_o = tandem_pkg::StallVerdict;
        else if (Buddy && (of_half & parked_i) != '0)               stall0_o = tandem_pkg::StallPark;
        else if ((of_half & (ctrl_i | settle_i)) != '0)         stall0_o = tandem_pkg::StallControl;
        else if ((active & Even) != '0)                         stall0_o = tandem_pkg::StallFetch;
        else if ((of_half & waiting_i) != '0)                   stall0_o = tandem_pkg::StallBarrier;
      end
    end
    if (grant1) begin
      stall1_o = tandem_pkg::StallNone;
    end else begin
      of_half = live_i & ~Even;
      if (of_half != '0) begin
        if (Buddy && hold_i)                                       stall1_o = tandem_pkg::StallHold;
        else if (Buddy && stop1_i && pick1_valid_i)                stall1_o = tandem_pkg::StallPark;
        else if (Buddy && one_slot_i && pick1_valid_i)             stall1_o = tandem_pkg::StallSlot;
        else if ((ready & ~(own & ~elig) & ~Even) != '0)  stall1_o = tandem_pkg::StallStructural;
        else if ((own & ~(ib_load_i & mon_full_i) & ~Even) != '0) stall1_o = tandem_pkg::StallMembers;
        else if ((own & ~Even) != '0)                     stall1_o = tandem_pkg::StallMonitor;
        else if ((active & ib_valid_i & (hazard_i | {Warps{!Buddy}}) & ~Even) != '0)
          stall1_o = tandem_pkg::StallScoreboard;
        else if (Buddy && (of_half & verdict_i) != '0)              stall1_o = tandem_pkg::StallVerdict;
        else if (Buddy && (of_half & parked_i) != '0)               stall1_o = tandem_pkg::StallPark;
        else if ((of_half & (ctrl_i | settle_i)) != '0)         stall1_o = tandem_pkg::StallControl;
        else if ((active & ~Even) != '0)                        stall1_o = tandem_pkg::StallFetch;
        else if ((of_half & waiting_i) != '0)                   stall1_o = tandem_pkg::StallBarrier;
      end
    end
  end

  // A conflict is granted to one of the two, so that prio moves with a grant only.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [SpW-1:0]  sp_count;
    logic [SfuW-1:0] sfu_count;
    logic [MemW-1:0] mem_count;
    logic            prio;
    prio      = 1'b0;
    sp_count  = SpW'(SpSlots);
    sfu_count = SfuW'(SfuSlots);
    mem_count = MemW'(MemSlots);
    if (rst_ni) begin
      if (!kernel_start_i) begin
        prio      = prio_q ^ conflict;
        sp_count  = sp_count_q + SpW'(sp_credit_i);
        sfu_count = sfu_count_q + SfuW'(sfu_credit_i);
        mem_count = mem_count_q + MemW'(mem_credit_i);
        if (grant0) begin
          sp_count  = sp_count - SpW'(sp0);
          sfu_count = sfu_count - SfuW'(sfu0);
          mem_count = mem_count - MemW'(mem0);
        end
        if (grant1) begin
          sp_count  = sp_count - SpW'(sp1);
          sfu_count = sfu_count - SfuW'(sfu1);
          mem_count = mem_count - MemW'(mem1);
        end
      end
      sp_count_q  <= sp_count;
      sfu_count_q <= sfu_count;
      mem_count_q <= mem_count;
      prio_q      <= prio;
    end else begin
      sp_count_q  <= SpW'(SpSlots);
      sfu_count_q <= SfuW'(SfuSlots);
      mem_count_q <= MemW'(MemSlots);
      prio_q      <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!pick0_valid_i || (elig[pick0_warp_i] && !pick0_warp_i[0]));
      assert (!pick1_valid_i || (elig[pick1_warp_i] && pick1_warp_i[0]));
      assert (sp_credit_i != 2'd3);
      assert (sp_count_q <= SpW'(SpSlots));
      assert (sfu_count_q <= SfuW'(SfuSlots));
      assert (mem_count_q <= MemW'(MemSlots));
    end
  end
`endif
endmodule
