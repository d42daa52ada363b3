// One direction between two members of a buddy cluster: two flits a core cycle over wires of the
// NoC clock.
//
// A flit at slot 0 or 1 in core cycle s is at the output in core cycle s + D, whatever the
// number of hops that fit in D = ceil((Hops + 1) / 2).  Slot 0 crosses in the first NoC half of its
// core cycle, slot 1 in the second.  Each NoC cycle of the way is a register; the receiving core
// register is the last of slot 1 and comes one after the last of slot 0, and if the hops are even
// both wait one NoC cycle more, so that the stages are always 2 D - 1.
//
// The two clocks are aligned: every core edge is a NoC edge.  Registers get a clock from the core
// cycle in which a flit enters to the one in which the last is at the output, and as slots change at
// core edges alone, the first NoC edge of that time ends a first half.
//
// So nothing moves in a link that is empty; its wires change only for a flit, and registers of
// payloads move only with their valid.  Illegal: slots that change within a core cycle, or are
// valid when reset ends.

module link #(
  parameter int unsigned Width = 64,
  parameter int unsigned Hops  = 1
) (
  input  logic             clk_i,
  input  logic             noc_clk_i,
  input  logic             rst_ni,
  // Sender: registers of the core clock
  input  logic             p0_valid_i,
  input  logic [Width-1:0] p0_i,
  input  logic             p1_valid_i,
  input  logic [Width-1:0] p1_i,

  // Receiver: registers of the core clock
  output logic             d0_valid_o,
  output logic [Width-1:0] d0_o,
  output logic             d1_valid_o,
  output logic [Width-1:0] d1_o
);
  localparam int unsigned Delay  = (Hops + 2) / 2;
  localparam int unsigned Stages = 2 * Delay - 1;
  localparam int unsigned Last   = Stages - 1;

  // Something is under way: a flit enters, or did in one of the last cycles.
  logic [Delay-1:0] window_q;
  logic             flies;
  assign flies = p0_valid_i | p1_valid_i | (window_q != '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    window_q <= '0;
    else if (flies) window_q <= Delay'({window_q, p0_valid_i | p1_valid_i});
  end

  // The wires, as the sender drives them
  logic             sent_q;  // the first half is over
  logic             in1_valid;  // slot 1 has a flit
  logic             wire_valid;
  logic [Width-1:0] wire_flit;
  assign in1_valid  = `FAULT(11, p1_valid_i, p1_valid_i & ~p0_valid_i);
  assign wire_valid = sent_q ? in1_valid : p0_valid_i;
  assign wire_flit  = (in1_valid && (sent_q || !p0_valid_i)) ? p1_i : p0_i;
  always_ff @(posedge noc_clk_i or negedge rst_ni) begin
    if (!rst_ni) sent_q <= 1'b0;
    else         sent_q <= flies & ~sent_q;
  end

  // The stages
  for (genvar k = 0; k < Stages; k++) begin : g_stage
    logic             valid, valid_q;
    logic [Width-1:0] flit, flit_q;
    if (k == 0) begin : g_wire
      assign valid = wire_valid;
      assign flit  = wire_flit;
    end else begin : g_hop
      assign valid = g_stage[k-1].valid_q;
      assign flit  = g_stage[k-1].flit_q;
    end
    always_ff @(posedge noc_clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= 1'b0;
      end else if (flies) begin
        valid_q <= valid;
        if (valid) flit_q <= flit;
      end
    end
  end

  // Slot 1 comes to the receiver at the core edge from what is before the last stage.
  logic             slot1_valid;
  logic [Width-1:0] slot1;
  assign slot1_valid = g_stage[Last].valid;
  assign slot1       = g_stage[Last].flit;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      d0_valid_o <= 1'b0;
      d1_valid_o <= 1'b0;
    end else if (flies) begin
      d0_valid_o <= g_stage[Last].valid_q;
      d1_valid_o <= slot1_valid;
    end
  end
  always_ff @(posedge clk_i) begin
    if (flies) begin
      if (g_stage[Last].valid_q) d0_o <= g_stage[Last].flit_q;
      if (slot1_valid)           d1_o <= slot1;
    end
  end

`ifdef FORMAL
  // The core clock's edges end second halves: there clk_i is high (tests/formal/prove.sh).
  always_comb if (rst_ni) sent_in_second_half: assert (sent_q == (flies && clk_i));
  // A register's number says how long ago its flit entered.
  for (genvar k = 0; k < Stages; k++) begin : g_entered
    logic second;
    if (k == 0)          assign second = p0_valid_i;
    else if (k % 2 == 0) assign second = window_q[k/2-1];
    else                 assign second = window_q[k/2];
    always_comb if (rst_ni && g_stage[k].valid_q) begin : entered_when_numbered
      assert (sent_q ? second : window_q[k/2]);
    end
  end
  always_comb if (rst_ni && (d0_valid_o || d1_valid_o)) out_when_due: assert (window_q[Delay-1]);
`endif

`ifndef SYNTHESIS
  // The slots stand still from the first half to the second.
  logic             p0_valid_was_q, p1_valid_was_q;
  logic [Width-1:0] p0_was_q, p1_was_q;
  always_ff @(posedge noc_clk_i) begin
    p0_valid_was_q <= p0_valid_i;
    p1_valid_was_q <= p1_valid_i;
    p0_was_q       <= p0_i;
    p1_was_q       <= p1_i;
    if (sent_q) begin
      p0_stable: assert (p0_valid_i == p0_valid_was_q && (!p0_valid_i || p0_i == p0_was_q));
      p1_stable: assert (p1_valid_i == p1_valid_was_q && (!p1_valid_i || p1_i == p1_was_q));
    end
  end
`endif
endmodule
