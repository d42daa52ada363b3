// The invariants of a member of a Flex cluster (docs/hardware/flex_frontend.md), checked in every cycle, for
// simulation alone: an assertion fails in the process that is named after the invariant.  "owner" is also
// flex_context's own.
//
// A cycle's decisions (near_) are those before the stages, its accesses (own, far) those behind them.  Registered
// inputs are those that the near half sees in this cycle.

module flex_checks #(
  parameter int unsigned Dummy = 1,
  localparam int unsigned Warps = 48,
  localparam int unsigned Own = 24
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic                             kernel_start_i,  // registered

  // Roles, power
  input logic [2:0]                       mode_i,
  input logic [7:0]                       power_up_i,
  input logic                             active_i,
  input logic [1:0]                       lend_i,
  input logic [1:0]                       from_i,
  input logic                             lends_i,  // the neighbour that from names lends
  input logic [3:0]                       owner_i,
  input logic                             fe_i,
  input logic                             ctx_i,
  input logic                             on_i,
  input logic                             up_i,
  input logic                             reset_fe_i,
  input logic                             live_i,    // some warp lives
  input logic                             raised_i,  // some input of the member is valid
  input logic                             units_clk_i,  // of the near half, of the context
  input logic                             context_clk_i,

  // Registered inputs
  input logic                             resolve_valid_i,
  input logic [tandem_pkg::WarpW-1:0]     resolve_warp_i,
  input tandem_pkg::credit_t              credit_i,
  input tandem_pkg::credit_t              credit1_i,

  // Decisions, accesses, instructions
  input tandem_pkg::flex_access_t         near_own_i,
  input tandem_pkg::flex_access_t         near_far_i,
  input logic [1:0]                       grant_i,
  input tandem_pkg::flex_grant_t          grant0_i,
  input tandem_pkg::flex_grant_t          grant1_i,
  input tandem_pkg::flex_access_t         own_i,
  input tandem_pkg::flex_access_t         far_i,
  input tandem_pkg::flex_access_t         left_i,
  input tandem_pkg::flex_access_t         right_i,
  input logic [1:0]                       iss_valid_i,
  input tandem_pkg::issued_t              iss0_i,
  input tandem_pkg::issued_t              iss1_i,
  input logic [63:0]                      iss0_mask_i,
  input logic [63:0]                      iss1_mask_i,

  // Slots that near counts: SP, SFU, MEM
  input logic [9:0]                       count_i,
  input logic [9:0]                       count1_i,
  input logic [1:0]                       sp_i,   // what the grants take
  input logic [1:0]                       sfu_i,
  input logic [1:0]                       mem_i,
  input logic [1:0]                       side_i  // of the grants
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned InstW = tandem_pkg::InstW;

  logic base, wide;
  assign base = mode_i == tandem_pkg::FlexBase;
  assign wide = mode_i == tandem_pkg::FlexBigsm || mode_i == tandem_pkg::FlexBigsmOcc;

  // Valids of accesses: pop, push, rd1, rd0, wr.
  logic [4:0] near_own, near_far, own, far, left, right;
  assign near_own = {near_own_i.pop, near_own_i.push[0], near_own_i.rd1, near_own_i.rd0, near_own_i.wr};
  assign near_far = {near_far_i.pop, near_far_i.push[0], near_far_i.rd1, near_far_i.rd0, near_far_i.wr};
  assign own      = {own_i.pop, own_i.push[0], own_i.rd1, own_i.rd0, own_i.wr};
  assign far      = {far_i.pop, far_i.push[0], far_i.rd1, far_i.rd0, far_i.wr};
  assign left     = {left_i.pop, left_i.push[0], left_i.rd1, left_i.rd0, left_i.wr};
  assign right    = {right_i.pop, right_i.push[0], right_i.rd1, right_i.rd0, right_i.wr};

  logic unused_bits;  // payloads
  assign unused_bits = 1'b0 & ^{near_own_i, near_far_i, grant0_i, grant1_i, own_i, far_i, left_i, right_i};

  // A kernel starts when no warp of the one before lives.
  always_ff @(posedge clk_i or negedge rst_ni) begin : start
    if (rst_ni) starts_without_live_warp: assert (!kernel_start_i || !up_i || !live_i);
  end

  // A bank changes its owner with a kernel alone.
  logic       started_q;
  logic [3:0] owner_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {started_q, owner_q} <= '0;
    else         {started_q, owner_q} <= {kernel_start_i, owner_i};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin : owner
    if (rst_ni) begin
      owner_stable: assert (started_q || owner_i == owner_q);
      left_owns:    assert (left == '0 || (owner_i[1:0] == 2'd1 || owner_i[3:2] == 2'd1));
      right_owns:   assert (right == '0 || (owner_i[1:0] == 2'd2 || owner_i[3:2] == 2'd2));
    end
  end

  // A lender issues nothing, an active SM lends nothing, and one borrows from a lender alone.
  always_ff @(posedge clk_i or negedge rst_ni) begin : role
    if (rst_ni) begin
      idle_issues_none:  assert (active_i || (grant_i == '0 && iss_valid_i == '0 && near_own == '0 && near_far == '0));
      active_lends_none: assert (!active_i || lend_i == '0);
      borrows_of_lender: assert (from_i != 2'd3 && (from_i == 2'd0 || (active_i && lends_i)));
    end
  end

  // Nothing happens without power, or before the near half has been reset after it returned.
  logic [8:0] powered_q;  // cycles since power returned
  logic [7:0] needed_q;   // of the kernel for which it did
  logic       on_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      powered_q <= '0;
      needed_q  <= '0;
      on_q      <= 1'b1;
    end else begin
      on_q      <= on_i;
      if (kernel_start_i) needed_q <= power_up_i;
      powered_q <= (fe_i && !kernel_start_i) ? powered_q + 9'(powered_q != '1) : '0;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin : power
    if (rst_ni) begin
      raised_when_up:       assert (up_i || !raised_i);
      down_does_nothing:    assert (up_i || (grant_i == '0 && near_own == '0 && near_far == '0 && iss_valid_i == '0));
      up_has_power:         assert (!up_i || (fe_i && !reset_fe_i));
      context_on_when_used: assert (ctx_i || (own == '0 && left == '0 && right == '0));
      on_after_reset:       assert (on_q || !on_i || (reset_fe_i && powered_q >= {1'b0, needed_q}));
    end
  end

  // No clock of a half that is off rises.
  logic was_on, was_ctx;
  always_ff @(negedge clk_i) {was_on, was_ctx} <= {on_i, ctx_i};
  always_ff @(posedge units_clk_i) begin : off
    near_clock_when_on: assert (was_on);
  end
  always_ff @(posedge context_clk_i) begin : context_off
    context_clock_when_on: assert (was_ctx);
  end

  // The word of a grant is the one that was decoded for it, and comes with its PC and mask after the stages,
  // no other comes.  The last grants, the youngest first.
  localparam int unsigned GrantW = InstW + 16 + 64;
  logic [InstW-1:0]            word_q [2*Warps];  // by warp and entry, as decoded
  logic [Dummy:0]              granted0_q, granted1_q;
  logic [(Dummy+1)*GrantW-1:0] expect0_q, expect1_q;
  logic [6:0]                  entry0, entry1;
  assign entry0 = {grant0_i.warp, grant0_i.borrowed ? near_far_i.rd0_b : near_own_i.rd0_b};
  assign entry1 = {grant1_i.warp, grant1_i.borrowed ? near_far_i.rd1_b : near_own_i.rd1_b};
  always_ff @(posedge clk_i) begin
    if (near_own_i.wr) begin
      word_q[{1'b0, near_own_i.wr_row, 1'b0}] <= near_own_i.wr_inst0;
      if (near_own_i.wr_two) word_q[{1'b0, near_own_i.wr_row, 1'b1}] <= near_own_i.wr_inst1;
    end
    if (near_far_i.wr) begin
      word_q[{1'b0, near_far_i.wr_row, 1'b0} + 7'(2 * Own)] <= near_far_i.wr_inst0;
      if (near_far_i.wr_two) word_q[{1'b0, near_far_i.wr_row, 1'b1} + 7'(2 * Own)] <= near_far_i.wr_inst1;
    end
    expect0_q <= ((Dummy+1)*GrantW)'({expect0_q, grant0_i.warp, word_q[entry0][InstW-WarpW-1:0], grant0_i.pc,
                                      grant0_i.mask});
    expect1_q <= ((Dummy+1)*GrantW)'({expect1_q, grant1_i.warp, word_q[entry1][InstW-WarpW-1:0], grant1_i.pc,
                                      grant1_i.mask});
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {granted0_q, granted1_q} <= '0;
    else         {granted0_q, granted1_q} <= {granted0_q[Dummy-1:0], grant_i[0], granted1_q[Dummy-1:0], grant_i[1]};
  end
  logic [1:0]        expected;
  logic [GrantW-1:0] expect0, expect1;
  assign expected = base ? {granted1_q[0], granted0_q[0]} : {granted1_q[Dummy], granted0_q[Dummy]};
  assign expect0  = base ? expect0_q[GrantW-1:0] : expect0_q[Dummy*GrantW+:GrantW];
  assign expect1  = base ? expect1_q[GrantW-1:0] : expect1_q[Dummy*GrantW+:GrantW];
  always_ff @(posedge clk_i or negedge rst_ni) begin : delay
    if (rst_ni && up_i && !started_q) begin
      issued_is_granted:  assert (iss_valid_i == expected);
      issued0_is_granted: assert (!iss_valid_i[0] || {iss0_i.inst, iss0_i.pc, iss0_mask_i} == expect0);
      issued1_is_granted: assert (!iss_valid_i[1] || {iss1_i.inst, iss1_i.pc, iss1_mask_i} == expect1);
    end
  end

  // Both paths take as long: Dummy cycles, in Base none.
  logic [5*Dummy-1:0] own_q, far_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {own_q, far_q} <= '0;
    else         {own_q, far_q} <= {(5*Dummy)'({own_q, near_own}), (5*Dummy)'({far_q, near_far})};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin : equal
    if (rst_ni && !started_q) begin
      own_delayed: assert (own == (base ? near_own : own_q[5*(Dummy-1)+:5]));
      far_delayed: assert (far == (base ? near_far : far_q[5*(Dummy-1)+:5]));
    end
  end

  // No row is read, no entry popped, while a write of it is still on its way.
  logic [Warps-1:0] writing_q, pushing_q, writes, written, pushes, pushed;
  always_comb begin
    {writes, written, pushes, pushed} = '0;
    if (near_own_i.wr)      writes  = Warps'(1) << near_own_i.wr_row;
    if (near_far_i.wr)      writes  = Warps'(1) << (WarpW'(near_far_i.wr_row) + WarpW'(Own));
    if (own_i.wr)           written = Warps'(1) << own_i.wr_row;
    if (far_i.wr)           written = written | (Warps'(1) << (WarpW'(far_i.wr_row) + WarpW'(Own)));
    if (near_own_i.push[0]) pushes  = Warps'(1) << near_own_i.push_row;
    if (near_far_i.push[0]) pushes  = Warps'(1) << (WarpW'(near_far_i.push_row) + WarpW'(Own));
    if (own_i.push[0])      pushed  = Warps'(1) << own_i.push_row;
    if (far_i.push[0])      pushed  = pushed | (Warps'(1) << (WarpW'(far_i.push_row) + WarpW'(Own)));
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {writing_q, pushing_q} <= '0;
    else         {writing_q, pushing_q} <= {(writing_q | writes) & ~written, (pushing_q | pushes) & ~pushed};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin : fresh
    if (rst_ni) begin
      own_rd0_not_written: assert (!own_i.rd0 || !writing_q[WarpW'(own_i.rd0_row)]);
      own_rd1_not_written: assert (!own_i.rd1 || !writing_q[WarpW'(own_i.rd1_row)]);
      far_rd0_not_written: assert (!far_i.rd0 || !writing_q[WarpW'(far_i.rd0_row) + WarpW'(Own)]);
      far_rd1_not_written: assert (!far_i.rd1 || !writing_q[WarpW'(far_i.rd1_row) + WarpW'(Own)]);
      own_pop_not_pushed:  assert (!own_i.pop || !pushing_q[WarpW'(own_i.pop_row)]);
      far_pop_not_pushed:  assert (!far_i.pop || !pushing_q[WarpW'(far_i.pop_row) + WarpW'(Own)]);
    end
  end

  // Slots that near counts, and those that instructions have: SP, SFU, MEM of a side.
  logic [9:0] taken_q, taken1_q, all_q, all1_q;
  logic [3:0] sp_taken, sp_taken1;
  logic [2:0] sfu_taken, sfu_taken1, mem_taken, mem_taken1;
  logic [1:0] sp, sfu, mem, sp1, sfu1, mem1;  // what the grants of the side take
  assign {sp, sfu, mem}    = {sp_i, sfu_i, mem_i} & {3{grant_i & ~side_i}};
  assign {sp1, sfu1, mem1} = {sp_i, sfu_i, mem_i} & {3{grant_i & side_i}};
  assign sp_taken   = taken_q[9:6] + 4'(sp[0]) + 4'(sp[1]) - 4'(credit_i.sp);
  assign sfu_taken  = taken_q[5:3] + 3'(sfu[0]) + 3'(sfu[1]) - 3'(credit_i.sfu);
  assign mem_taken  = taken_q[2:0] + 3'(mem[0]) + 3'(mem[1]) - 3'(credit_i.mem);
  assign sp_taken1  = taken1_q[9:6] + 4'(sp1[0]) + 4'(sp1[1]) - 4'(credit1_i.sp);
  assign sfu_taken1 = taken1_q[5:3] + 3'(sfu1[0]) + 3'(sfu1[1]) - 3'(credit1_i.sfu);
  assign mem_taken1 = taken1_q[2:0] + 3'(mem1[0]) + 3'(mem1[1]) - 3'(credit1_i.mem);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {taken_q, taken1_q, all_q, all1_q} <= '0;
    end else if (kernel_start_i || !up_i) begin
      {taken_q, taken1_q, all_q, all1_q} <= '0;
    end else begin
      taken_q  <= {sp_taken, sfu_taken, mem_taken};
      taken1_q <= {sp_taken1, sfu_taken1, mem_taken1};
      if (all_q == '0) {all_q, all1_q} <= {count_i, count1_i};  // all that there are, at the beginning
    end
  end
  logic [9:0] sum, sum1;
  assign sum  = {count_i[9:6] + taken_q[9:6], count_i[5:3] + taken_q[5:3], count_i[2:0] + taken_q[2:0]};
  assign sum1 = {count1_i[9:6] + taken1_q[9:6], count1_i[5:3] + taken1_q[5:3], count1_i[2:0] + taken1_q[2:0]};
  always_ff @(posedge clk_i or negedge rst_ni) begin : credits
    if (rst_ni && up_i && all_q != '0) slots_conserved: assert (sum == all_q && sum1 == all1_q);
  end

  // Base is an SM alone.
  always_ff @(posedge clk_i or negedge rst_ni) begin : sm_alone
    if (rst_ni && base && !started_q) begin
      base_uses_own_only: assert (far == '0 && left == '0 && right == '0 && owner_i == '0);
      base_has_one_side:  assert (!up_i || count1_i == '0);
    end
  end

  // The upper lanes are those of wide warps.
  always_ff @(posedge clk_i or negedge rst_ni) begin : lanes
    if (rst_ni && !wide && !started_q) begin
      upper0_of_wide: assert (!iss_valid_i[0] || iss0_mask_i[63:32] == '0);
      upper1_of_wide: assert (!iss_valid_i[1] || iss1_mask_i[63:32] == '0);
    end
  end

  // A branch resolves when its target is here: Dummy + 4 cycles after its grant, for the near half.
  localparam logic [3:0] Least = 4'(Dummy + 4);
  logic [3:0] age_q [Warps];  // cycles since the last grant
  always_ff @(posedge clk_i or negedge rst_ni) begin : resolve
    if (rst_ni) begin
      for (int w = 0; w < Warps; w++) if (age_q[w] != '1) age_q[w] <= age_q[w] + 4'd1;
      if (grant_i[0]) age_q[grant0_i.warp] <= 4'd1;
      if (grant_i[1]) age_q[grant1_i.warp] <= 4'd1;
      resolve_has_target: assert (!resolve_valid_i || !up_i || age_q[resolve_warp_i] >= (base ? 4'd4 : Least));
    end else begin
      for (int w = 0; w < Warps; w++) age_q[w] <= '0;
    end
  end
endmodule
