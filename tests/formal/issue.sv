// issue, by what the article says of issue (section 3.2; 4.2 of a cluster), not by docs/hardware/frontend.md.  A warp is
// eligible if it is not waiting at a barrier, has a valid instruction in its buffer that passes the scoreboard
// check, and there is no structural hazard; at most two instructions issue in a cycle, one of each scheduler.
// A structural hazard is that of a pipeline without room, by the instructions sent to it and those that it has
// taken on: counted here.  Each scheduler picks some eligible warp of its half if there is one.
//
// A veto takes a warp out of those that issue: by it the master of a cluster issues only what all members can take.
module issue_formal #(
  parameter int unsigned Warps = 4,
  parameter int unsigned SpSlots = 8,
  parameter int unsigned SfuSlots = 4,
  parameter int unsigned MemSlots = 4,
  localparam int unsigned SpW = 4,
  localparam int unsigned SfuW = 3,
  localparam int unsigned MemW = 4
) (
`include "csim/ports/issue_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/issue_outputs.svh"
  issue #(
    .Warps(Warps),
    .SpSlots(SpSlots),
    .SfuSlots(SfuSlots),
    .MemSlots(MemSlots)
  ) u_issue (
    .*
  );

  // Instructions in the pipelines.
  logic [4:0] sp_q, sfu_q, mem_q;
  logic [1:0] pick_sp, pick_sfu, pick_mem, grants;
  logic [Warps-1:0] instruction, other, room;
  always_comb begin
    other       = ib_sfu_i | ib_mem_i | ib_none_i;
    pick_sp     = '0;
    pick_sfu    = '0;
    pick_mem    = '0;
    grants      = {grant1_o, grant0_o};
    for (int unsigned w = 0; w < Warps; w++) begin
      // An instruction is of one kind.
      assume ({2'd0, ib_sfu_i[w]} + {2'd0, ib_mem_i[w]} + {2'd0, ib_none_i[w]} <= 3'd1);
      if (pick0_valid_i && pick0_warp_i == 6'(w)) begin
        pick_sp[0]   = !other[w];
        pick_sfu[0]  = ib_sfu_i[w];
        pick_mem[0]  = ib_mem_i[w];
      end
      if (pick1_valid_i && pick1_warp_i == 6'(w)) begin
        pick_sp[1]   = !other[w];
        pick_sfu[1]  = ib_sfu_i[w];
        pick_mem[1]  = ib_mem_i[w];
      end
    end
    room = {Warps{1'b1}};
    if (sp_q == 5'(SpSlots)) room = room & other;
    if (sfu_q == 5'(SfuSlots)) room = room & ~ib_sfu_i;
    if (mem_q == 5'(MemSlots)) room = room & ~ib_mem_i;
    instruction = live_i & ib_valid_i & ~hazard_i & ~waiting_i & room;
    // A kernel begins with all slots, those of one side.
    assume (start_sp_i == SpW'(SpSlots) && start_sfu_i == SfuW'(SfuSlots) && start_mem_i == MemW'(MemSlots));
    assume ({start_sp1_i, start_sfu1_i, start_mem1_i, sp_credit1_i, sfu_credit1_i, mem_credit1_i} == '0);
    // Pipelines return what they have.
    assume ({3'd0, sp_credit_i} <= sp_q && sp_credit_i != 2'd3);
    assume ({4'd0, sfu_credit_i} <= sfu_q && {4'd0, mem_credit_i} <= mem_q);
    // Scheduler 0 has the even warps, and picks an eligible one if there is one.
    assume (pick0_valid_i == ((elig_o & {(Warps / 2) {2'b01}}) != '0));
    assume (pick1_valid_i == ((elig_o & {(Warps / 2) {2'b10}}) != '0));
    if (pick0_valid_i)
      assume (pick0_warp_i < 6'(Warps) && !pick0_warp_i[0] && ((elig_o >> pick0_warp_i) & Warps'(1)) != '0);
    if (pick1_valid_i)
      assume (pick1_warp_i < 6'(Warps) && pick1_warp_i[0] && ((elig_o >> pick1_warp_i) & Warps'(1)) != '0);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_start_i) begin
      sp_q  <= '0;
      sfu_q <= '0;
      mem_q <= '0;
    end else begin
      sp_q  <= sp_q + {4'd0, grants[0] & pick_sp[0]} + {4'd0, grants[1] & pick_sp[1]} - {3'd0, sp_credit_i};
      sfu_q <= sfu_q + {4'd0, grants[0] & pick_sfu[0]} + {4'd0, grants[1] & pick_sfu[1]} - {4'd0, sfu_credit_i};
      mem_q <= mem_q + {4'd0, grants[0] & pick_mem[0]} + {4'd0, grants[1] & pick_mem[1]} - {4'd0, mem_credit_i};
    end
  end

  // alone: there is no veto, no branch or pop is under way.
  logic alone, wanted0, wanted1;
  logic [Warps-1:0] vetoed;
  always_comb begin
    vetoed = veto_slot_a_i | veto_slot_b_i | veto_ready_a_i | veto_ready_b_i;
    alone  = !veto_all_i && !veto_two_i && !veto_pick0_i && !veto_pick1_i && vetoed == '0 &&
             (ctrl_i | settle_i) == '0;
    wanted0 = (instruction & {(Warps / 2) {2'b01}}) != '0;
    wanted1 = (instruction & {(Warps / 2) {2'b10}}) != '0;
    if (rst_ni && !kernel_start_i) begin
      // Only eligible warps issue.
      assert (!grant0_o || (pick0_valid_i && ((instruction >> pick0_warp_i) & Warps'(1)) != '0));
      assert (!grant1_o || (pick1_valid_i && ((instruction >> pick1_warp_i) & Warps'(1)) != '0));
      // No pipeline is given more than it has room for.
      assert (sp_q <= 5'(SpSlots) && sfu_q <= 5'(SfuSlots) && mem_q <= 5'(MemSlots));
      // An SM alone issues if it can: two instructions, unless both want the same last room.  SFU and memory
      // pipelines take one a cycle.
      if (alone) begin
        assert ((grant0_o || grant1_o) == (wanted0 || wanted1));
        if (wanted0 && wanted1 && !(pick_sfu == 2'b11 || pick_mem == 2'b11 ||
            (pick_sp == 2'b11 && sp_q == 5'(SpSlots - 1))))
          assert (grant0_o && grant1_o);
      end
      // Vetoes: on all, of two, of a pick, of a warp.
      if (veto_all_i) assert (!grant0_o && !grant1_o);
      if (veto_two_i) assert (!(grant0_o && grant1_o));
      assert (!grant0_o || (!veto_pick0_i && ((vetoed >> pick0_warp_i) & Warps'(1)) == '0));
      assert (!grant1_o || (!veto_pick1_i && ((vetoed >> pick1_warp_i) & Warps'(1)) == '0));
      // Memory is at rest if it has nothing, and takes an instruction when one is granted.
      assert (mem_home_o == (mem_q == '0));
      assert (take_mem_o == ((grants & pick_mem) != '0));
      // A scheduler either issues or reports a stall cause.
      assert ((stall0_o == '0) == grant0_o);
      assert ((stall1_o == '0) == grant1_o);
    end
    if (rst_ni) begin
      cover (grant0_o && grant1_o);
      cover (sp_q == 5'(SpSlots));
      cover (grant0_o && pick_mem[0] && veto_slot_b_i != '0);
    end
  end

  // Neither waits forever: of two that want one room, the one that went without goes first.
  logic lost0_q, lost1_q;
  always_ff @(posedge clk_i) begin
    lost0_q <= rst_ni && !kernel_start_i && alone && pick0_valid_i && pick1_valid_i && grant1_o && !grant0_o;
    lost1_q <= rst_ni && !kernel_start_i && alone && pick0_valid_i && pick1_valid_i && grant0_o && !grant1_o;
  end
  always_comb begin
    if (rst_ni && !kernel_start_i && alone) begin
      if (lost0_q && pick0_valid_i) assert (grant0_o);
      if (lost1_q && pick1_valid_i) assert (grant1_o);
    end
  end
endmodule

// Two sides: registers and their operand collectors are an SM's own or lent, and each side has slots of its own,
// counted here by the instructions that a side's pipelines hold.  There is one SFU and one LDST unit.
//
// slots: what a side holds and what it counts as free are together what the kernel began with; so neither is ever
// below 0 or above that.  one: at most one MEM and one SFU instruction are granted in a cycle, of whatever side.
// room: only what has a slot on its side is granted.  turns: a pick that lost a conflict wins the next one.
module issue_sides_formal #(
  parameter int unsigned Warps = 4,
  localparam int unsigned SpW = 4,
  localparam int unsigned SfuW = 3,
  localparam int unsigned MemW = 4
) (
`include "csim/ports/issue_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/issue_outputs.svh"
  issue #(
    .Warps(Warps),
    .Sides(2)
  ) u_issue (
    .*
  );
  always_comb begin
    assume ({veto_two_i, veto_pick0_i, veto_pick1_i} == '0);
    assume (start_sp_i <= 4'd12 && start_sfu_i <= 3'd4 && start_mem_i <= 4'd4);
    assume (start_sp1_i <= 4'd12 && start_sfu1_i <= 3'd4 && start_mem1_i <= 4'd4);
  end
endmodule

module issue_properties #(
  parameter int unsigned Warps = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             kernel_start_i,
  input logic [10:0]       start0_i,   // SP, SFU, MEM with which a kernel begins on side 0
  input logic [10:0]       start1_i,
  input logic [Warps-1:0] ib_sfu_i,
  input logic [Warps-1:0] ib_mem_i,
  input logic [Warps-1:0] ib_none_i,
  input logic [Warps-1:0] far_i,
  input logic [1:0]       sp_credit_i,
  input logic             sfu_credit_i,
  input logic             mem_credit_i,
  input logic [1:0]       sp_credit1_i,
  input logic             sfu_credit1_i,
  input logic             mem_credit1_i,
  input logic             veto_all_i,
  input logic [Warps-1:0] elig_i,
  input logic             pick0_valid_i,
  input logic [5:0]       pick0_warp_i,
  input logic             pick1_valid_i,
  input logic [5:0]       pick1_warp_i,
  input logic             grant0_i,
  input logic             grant1_i,
  input logic [10:0]       counts0_i,  // SP, SFU, MEM that side 0 has free
  input logic [10:0]       counts1_i,
  input logic             prio_i
);
  // The kinds of the picks, one-hot: SP, SFU, MEM of side 0, then of side 1.
  logic [5:0] kind0, kind1;
  logic [Warps-1:0] one0, one1;
  always_comb begin
    one0 = Warps'(1) << pick0_warp_i;
    one1 = Warps'(1) << pick1_warp_i;
    kind0 = {3'b0, (ib_mem_i & one0) != '0, (ib_sfu_i & one0) != '0,
             ((ib_mem_i | ib_sfu_i | ib_none_i) & one0) == '0};
    kind1 = {3'b0, (ib_mem_i & one1) != '0, (ib_sfu_i & one1) != '0,
             ((ib_mem_i | ib_sfu_i | ib_none_i) & one1) == '0};
    if ((far_i & one0) != '0) kind0 = {kind0[2:0], 3'b0};
    if ((far_i & one1) != '0) kind1 = {kind1[2:0], 3'b0};
  end

  // Slots of SP, SFU and MEM that the kernel began with.
  logic [10:0] all0_q, all1_q;

  // Instructions that the sides' pipelines hold.
  logic [3:0] sp0_q, sp1_q, sfu0_q, sfu1_q, mem0_q, mem1_q;
  logic [5:0] take0, take1;
  assign take0 = kind0 & {6{grant0_i}};
  assign take1 = kind1 & {6{grant1_i}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_start_i) begin
      {sp0_q, sp1_q, sfu0_q, sfu1_q, mem0_q, mem1_q} <= '0;
      all0_q <= rst_ni ? start0_i : {4'd8, 3'd4, 4'd4};
      all1_q <= rst_ni ? start1_i : '0;
    end else begin
      sp0_q  <= sp0_q + {3'd0, take0[0]} + {3'd0, take1[0]} - {2'd0, sp_credit_i};
      sfu0_q <= sfu0_q + {3'd0, take0[1]} + {3'd0, take1[1]} - {3'd0, sfu_credit_i};
      mem0_q <= mem0_q + {3'd0, take0[2]} + {3'd0, take1[2]} - {3'd0, mem_credit_i};
      sp1_q  <= sp1_q + {3'd0, take0[3]} + {3'd0, take1[3]} - {2'd0, sp_credit1_i};
      sfu1_q <= sfu1_q + {3'd0, take0[4]} + {3'd0, take1[4]} - {3'd0, sfu_credit1_i};
      mem1_q <= mem1_q + {3'd0, take0[5]} + {3'd0, take1[5]} - {3'd0, mem_credit1_i};
    end
  end

  // Legal inputs: an instruction has one pipe; pipelines return what they hold; the schedulers pick eligible warps.
  always_comb begin
    assume ((ib_sfu_i & ib_mem_i) == '0 && ((ib_sfu_i | ib_mem_i) & ib_none_i) == '0);
    assume ({2'd0, sp_credit_i} <= sp0_q && sp_credit_i != 2'd3);
    assume ({2'd0, sp_credit1_i} <= sp1_q && sp_credit1_i != 2'd3);
    assume ({3'd0, sfu_credit_i} <= sfu0_q && {3'd0, sfu_credit1_i} <= sfu1_q);
    assume ({3'd0, mem_credit_i} <= mem0_q && {3'd0, mem_credit1_i} <= mem1_q);
    if (pick0_valid_i) assume (pick0_warp_i < 6'(Warps) && !pick0_warp_i[0] && (elig_i & one0) != '0);
    if (pick1_valid_i) assume (pick1_warp_i < 6'(Warps) && pick1_warp_i[0] && (elig_i & one1) != '0);
  end

  // A pick that lost, of scheduler 1 or 0.
  logic lost0_q, lost1_q, conflict;
  assign conflict = rst_ni && !kernel_start_i && pick0_valid_i && pick1_valid_i && !(grant0_i && grant1_i);
  initial {lost0_q, lost1_q} = '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_start_i) {lost0_q, lost1_q} <= '0;
    else if (conflict)             {lost0_q, lost1_q} <= {!grant0_i, !grant1_i};
  end

  always_comb begin
    if (rst_ni) begin
      // slots
      assert ({1'b0, counts0_i[10:7]} + {1'b0, sp0_q} == {1'b0, all0_q[10:7]});
      assert ({2'd0, counts0_i[6:4]} + {1'b0, sfu0_q} == {2'd0, all0_q[6:4]});
      assert ({1'b0, counts0_i[3:0]} + {1'b0, mem0_q} == {1'b0, all0_q[3:0]});
      assert ({1'b0, counts1_i[10:7]} + {1'b0, sp1_q} == {1'b0, all1_q[10:7]});
      assert ({2'd0, counts1_i[6:4]} + {1'b0, sfu1_q} == {2'd0, all1_q[6:4]});
      assert ({1'b0, counts1_i[3:0]} + {1'b0, mem1_q} == {1'b0, all1_q[3:0]});
      // one
      assert (!(grant0_i && grant1_i && ((ib_mem_i & one0) != '0) && ((ib_mem_i & one1) != '0)));
      assert (!(grant0_i && grant1_i && ((ib_sfu_i & one0) != '0) && ((ib_sfu_i & one1) != '0)));
      // room
      if (grant0_i) assert (pick0_valid_i && !veto_all_i);
      if (grant1_i) assert (pick1_valid_i && !veto_all_i);
      if (!kernel_start_i && pick0_valid_i && pick1_valid_i) assert (grant0_i || grant1_i);
      // A conflict is over one unit, or over the last slot of a side.
      if (conflict) assert (((kind0[2:1] | kind0[5:4]) & (kind1[2:1] | kind1[5:4])) != '0 ||
                            (kind0[0] && kind1[0] && sp0_q + 4'd1 == all0_q[10:7]) ||
                            (kind0[3] && kind1[3] && sp1_q + 4'd1 == all1_q[10:7]));
      // turns
      assert (!(lost0_q && lost1_q));
      assert ((!lost0_q || !prio_i) && (!lost1_q || prio_i));
      if (conflict && lost0_q) assert (grant0_i);
      if (conflict && lost1_q) assert (grant1_i);
      cover (conflict && kind0[4] && kind1[1]);
      cover (grant0_i && grant1_i && kind0[0] && kind1[3] && all1_q[10:7] == 4'd6);
    end
  end
endmodule
