// near_issue, by what the article says of issue with two sides: registers and their operand collectors are an SM's own
// or lent, and each side has slots of its own, counted here by the instructions that a side's pipelines hold.  There
// is one SFU and one LDST unit.
//
// slots: what a side holds and what it counts as free are together what its mode gives it; so neither is ever
// below 0 or above that.  one: at most one MEM and one SFU instruction are granted in a cycle, of whatever side.
// room: only what has a slot on its side is granted.  turns: a pick that lost a conflict wins the next one.
module near_issue_formal #(
  parameter int unsigned Warps = 4
) (
`include "csim/ports/near_issue_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/near_issue_outputs.svh"
  near_issue #(
    .Warps(Warps)
  ) u_near_issue (
    .*
  );
endmodule

module near_issue_properties #(
  parameter int unsigned Warps = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             kernel_start_i,
  input logic [2:0]       mode_i,
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
  input logic             hold_i,
  input logic [Warps-1:0] elig_i,
  input logic             pick0_valid_i,
  input logic [5:0]       pick0_warp_i,
  input logic             pick1_valid_i,
  input logic [5:0]       pick1_warp_i,
  input logic             grant0_i,
  input logic             grant1_i,
  input logic [9:0]       counts0_i,  // SP, SFU, MEM that side 0 has free
  input logic [9:0]       counts1_i,
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

  // By the mode: slots of SP, SFU and MEM.
  logic [3:0] sp0, sp1, some0, some1;
  logic [2:0] mode_q;
  always_comb begin
    sp0   = (mode_q == 3'd0) ? 4'd8 : 4'd12;
    some0 = 4'd4;
    sp1   = (mode_q == 3'd1) ? 4'd12 : (mode_q == 3'd2) ? 4'd6 : 4'd0;
    some1 = (mode_q == 3'd1) ? 4'd4 : (mode_q == 3'd2) ? 4'd2 : 4'd0;
  end

  // Instructions that the sides' pipelines hold.
  logic [3:0] sp0_q, sp1_q, sfu0_q, sfu1_q, mem0_q, mem1_q;
  logic [5:0] take0, take1;
  assign take0 = kind0 & {6{grant0_i}};
  assign take1 = kind1 & {6{grant1_i}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_start_i) begin
      {sp0_q, sp1_q, sfu0_q, sfu1_q, mem0_q, mem1_q} <= '0;
      mode_q <= rst_ni ? mode_i : 3'd0;
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
    assume (mode_i <= 3'd4);
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
      assert ({1'b0, counts0_i[9:6]} + {1'b0, sp0_q} == {1'b0, sp0});
      assert ({2'd0, counts0_i[5:3]} + {1'b0, sfu0_q} == {1'b0, some0});
      assert ({2'd0, counts0_i[2:0]} + {1'b0, mem0_q} == {1'b0, some0});
      assert ({1'b0, counts1_i[9:6]} + {1'b0, sp1_q} == {1'b0, sp1});
      assert ({2'd0, counts1_i[5:3]} + {1'b0, sfu1_q} == {1'b0, some1});
      assert ({2'd0, counts1_i[2:0]} + {1'b0, mem1_q} == {1'b0, some1});
      // one
      assert (!(grant0_i && grant1_i && ((ib_mem_i & one0) != '0) && ((ib_mem_i & one1) != '0)));
      assert (!(grant0_i && grant1_i && ((ib_sfu_i & one0) != '0) && ((ib_sfu_i & one1) != '0)));
      // room
      if (grant0_i) assert (pick0_valid_i && !hold_i);
      if (grant1_i) assert (pick1_valid_i && !hold_i);
      if (!kernel_start_i && pick0_valid_i && pick1_valid_i) assert (grant0_i || grant1_i);
      // A conflict is over one unit, or over the last slot of a side.
      if (conflict) assert (((kind0[2:1] | kind0[5:4]) & (kind1[2:1] | kind1[5:4])) != '0 ||
                            (kind0[0] && kind1[0] && sp0_q + 4'd1 == sp0) ||
                            (kind0[3] && kind1[3] && sp1_q + 4'd1 == sp1));
      // turns
      assert (!(lost0_q && lost1_q));
      assert ((!lost0_q || !prio_i) && (!lost1_q || prio_i));
      if (conflict && lost0_q) assert (grant0_i);
      if (conflict && lost1_q) assert (grant1_i);
      cover (conflict && kind0[4] && kind1[1]);
      cover (grant0_i && grant1_i && kind0[0] && kind1[3] && mode_q == 3'd2);
    end
  end
endmodule
