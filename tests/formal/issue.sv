// issue, by what the article says of issue (section 3.2; 4.2 of a cluster), not by docs/hardware/frontend.md.  A warp is
// eligible if it is not waiting at a barrier, has a valid instruction in its buffer that passes the scoreboard
// check, and there is no structural hazard; at most two instructions issue in a cycle, one of each scheduler.
// A structural hazard is that of a pipeline without room, by the instructions sent to it and those that it has
// taken on: counted here.  Each scheduler picks some eligible warp of its half if there is one.
//
// In a cluster the master issues what all members can take: a memory instruction only if each has a place and the
// enhanced scoreboard has room for the load.
module issue_formal #(
  parameter int unsigned Warps = 4,
  parameter int unsigned SpSlots = 8,
  parameter int unsigned SfuSlots = 4,
  parameter int unsigned MemSlots = 4
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
  logic [1:0] pick_sp, pick_sfu, pick_mem, pick_load, grants;
  logic [Warps-1:0] instruction, other, room;
  always_comb begin
    other       = ib_sfu_i | ib_mem_i | ib_none_i;
    pick_sp     = '0;
    pick_sfu    = '0;
    pick_mem    = '0;
    pick_load   = '0;
    grants      = {grant1_o, grant0_o};
    for (int unsigned w = 0; w < Warps; w++) begin
      // An instruction is of one kind; a load is one of memory; a warp that none lives in has none.
      assume ({2'd0, ib_sfu_i[w]} + {2'd0, ib_mem_i[w]} + {2'd0, ib_none_i[w]} <= 3'd1);
      if (ib_load_i[w]) assume (ib_mem_i[w]);
      if (pick0_valid_i && pick0_warp_i == 6'(w)) begin
        pick_sp[0]   = !other[w];
        pick_sfu[0]  = ib_sfu_i[w];
        pick_mem[0]  = ib_mem_i[w];
        pick_load[0] = ib_load_i[w];
      end
      if (pick1_valid_i && pick1_warp_i == 6'(w)) begin
        pick_sp[1]   = !other[w];
        pick_sfu[1]  = ib_sfu_i[w];
        pick_mem[1]  = ib_mem_i[w];
        pick_load[1] = ib_load_i[w];
      end
    end
    room = {Warps{1'b1}};
    if (sp_q == 5'(SpSlots)) room = room & other;
    if (sfu_q == 5'(SfuSlots)) room = room & ~ib_sfu_i;
    if (mem_q == 5'(MemSlots)) room = room & ~ib_mem_i;
    instruction = live_i & ib_valid_i & ~hazard_i & ~waiting_i & room;
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

  // alone: no cluster asks for anything, no branch or pop is under way.
  logic alone, wanted0, wanted1;
  always_comb begin
    alone = !hold_i && !members_short_i && !one_slot_i && !stop0_i && !stop1_i && verdict_i == '0 &&
            (ib_load_i & mon_full_i) == '0 && parked_i == '0 && (ctrl_i | settle_i) == '0;
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
      // A cluster that goes apart issues nothing; a branch waits for the word of the members; what comes over the
      // links to a cluster's back ends is one instruction where there is one slot.
      if (hold_i) assert (!grant0_o && !grant1_o);
      if (one_slot_i) assert (!(grant0_o && grant1_o));
      assert (!grant0_o || ((verdict_i >> pick0_warp_i) & Warps'(1)) == '0);
      assert (!grant1_o || ((verdict_i >> pick1_warp_i) & Warps'(1)) == '0);
      // A memory instruction needs a place at each member, and a load room in the enhanced scoreboard.
      if ((grants & pick_mem) != '0) assert (!members_short_i);
      if (grant0_o && pick_load[0]) assert (((mon_full_i >> pick0_warp_i) & Warps'(1)) == '0);
      if (grant1_o && pick_load[1]) assert (((mon_full_i >> pick1_warp_i) & Warps'(1)) == '0);
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
      cover (grant0_o && pick_load[0] && mon_full_i != '0);
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
