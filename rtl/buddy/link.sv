// One direction between two members of a buddy cluster: two flits a core cycle over wires of the
// NoC clock.
//
// What is at slots 0 and 1 in core cycle s is at the output in core cycle s + D, whatever the
// number of hops that fit in D = ceil((Hops + 1) / 2).  Slot 0 crosses in the first NoC half of its
// core cycle, slot 1 in the second.  Each NoC cycle of the way is a register; the receiving core
// register is the last of slot 1 and comes one after the last of slot 0, and if the hops are even
// both wait one NoC cycle more, so that the stages are always 2 D - 1.
//
// Which flits are there goes along beside them at the pace of the core clock, so that a stage knows
// in each half whose flit comes.  The two clocks are aligned: every core edge is a NoC edge, and as
// the slots change at core edges alone, the first NoC edge at which there is anything ends a first
// half.
//
// Nothing moves in a link that is empty.  Registers of payloads move only with their valid, and
// otherwise keep what they had.  Illegal: slots that change within a core cycle, or are valid when
// reset ends.

module link #(
  parameter int unsigned Width = 64,
  parameter int unsigned Hops  = 1
) (
  input  logic             clk_i,
  input  logic             noc_clk_i,
  input  logic             rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]       bug_i,
`endif
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
  localparam int unsigned Past   = (Delay > 1) ? 2 * Delay - 2 : 2;

  // What enters
  logic             in0_valid, in1_valid;
  logic [Width-1:0] in0, in1;
`ifdef TANDEM_BUGS
  always_comb begin
    {in0_valid, in0} = {p0_valid_i, p0_i};
    {in1_valid, in1} = {p1_valid_i, p1_i};
    // Of two flits the second is lost.
    if (bug_i == 8'd50 && p0_valid_i) in1_valid = 1'b0;
    // The slots change places.
    if (bug_i == 8'd51) begin
      {in0_valid, in0} = {p1_valid_i, p1_i};
      {in1_valid, in1} = {p0_valid_i, p0_i};
    end
  end
`else
  assign in0_valid = p0_valid_i;
  assign in0       = p0_i;
  assign in1_valid = p1_valid_i;
  assign in1       = p1_i;
`endif

  // The flits of the cycles before, newest lowest, of each the one of slot 0 first.
  logic [Past-1:0] past_q;
  logic [Past-1:0] flies;  // not 0 if there is any
  assign flies = past_q | Past'(p0_valid_i) | Past'(p1_valid_i) | Past'(d0_valid_o) | Past'(d1_valid_o);

  // Stage k has in each half a flit of the other slot; the last one only those of slot 0.
  logic sent_q;  // the first half is over
  for (genvar k = 0; k < Stages; k++) begin : g_stage
    logic             first, second;  // a flit comes at the end of this half
    logic [Width-1:0] from_first, from_second, flit_q;
    if (k == 0) begin : g_wire
      assign first       = in0_valid;
      assign second      = in1_valid;
      assign from_first  = in0;
      assign from_second = in1;
    end else begin : g_hop
      assign first       = past_q[(k == 1) ? 1 : (k % 2 == 0) ? k - 2 : k];
      assign second      = (k == 1) ? in0_valid : past_q[(k % 2 == 0) ? k - 1 : k - 3];
      assign from_first  = g_stage[k-1].flit_q;
      assign from_second = g_stage[k-1].flit_q;
    end
    always_ff @(posedge noc_clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        if (k == 0) sent_q <= 1'b0;
      end else if (flies != '0) begin
        if (sent_q) begin
          if (k < Last && second
`ifdef TANDEM_BUGS
              // A flit right behind another one keeps that one's payload.
              && !(bug_i == 8'd52 && k == 0 && in0_valid)
`endif
          ) flit_q <= from_second;
        end else begin
          if (first
`ifdef TANDEM_BUGS
              && !(bug_i == 8'd52 && k == 0 && past_q[1])
`endif
          ) flit_q <= from_first;
        end
        if (k == 0) sent_q <= ~sent_q;
      end
    end
  end

  // The receiver takes slot 0 from the last stage, and slot 1 from what is before it.
  logic [Width-1:0] second_last;
  if (Delay > 1) begin : g_far
    assign second_last = g_stage[Last-1].flit_q;
  end else begin : g_near
    assign second_last = in1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q     <= '0;
      d0_valid_o <= 1'b0;
      d1_valid_o <= 1'b0;
    end else if (flies != '0) begin
      if (Delay > 1) past_q <= Past'({past_q, in1_valid, in0_valid});
      d0_valid_o <= (Delay > 1) ? past_q[Past-2] : in0_valid;
      d1_valid_o <= (Delay > 1) ? past_q[Past-1] : in1_valid;
`ifdef TANDEM_BUGS
      // Slot 1 is looked for one NoC cycle late.
      if (bug_i == 8'd53) d1_valid_o <= (Delay > 1) ? past_q[Past-2] : in0_valid;
`endif
    end
  end
  always_ff @(posedge clk_i) begin
    if (flies != '0) begin
      if ((Delay > 1) ? past_q[Past-2] : in0_valid) d0_o <= g_stage[Last].flit_q;
      if ((Delay > 1) ? past_q[Past-1] : in1_valid) d1_o <= second_last;
`ifdef TANDEM_BUGS
      if (bug_i == 8'd53) d1_o <= g_stage[Last].flit_q;
`endif
    end
  end

`ifdef FORMAL
  // The core clock's edges end second halves: there clk_i is high (tests/formal/prove.sh).
  always_comb if (rst_ni) assert (sent_q == (flies != '0 && clk_i));
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
      assert (p0_valid_i == p0_valid_was_q && (!p0_valid_i || p0_i == p0_was_q));
      assert (p1_valid_i == p1_valid_was_q && (!p1_valid_i || p1_i == p1_was_q));
    end
  end
`endif
endmodule
