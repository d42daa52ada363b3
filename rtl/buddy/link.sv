// One direction between two members of a buddy cluster: two flits a core cycle over wires of the
// NoC clock.
//
// What is at slots 0 and 1 in core cycle s is at the output in core cycle s + D, whatever the
// number of hops that fit in D = ceil((Hops + 1) / 2).  Slot 0 crosses in the first NoC half of its
// core cycle, slot 1 in the second.  Each NoC cycle of the way is a register; the receiving core
// register is the last of slot 1 and comes one after the last of slot 0, and if the hops are even
// both wait one NoC cycle more, so that the stages are always 2 D - 1.
//
// The two clocks are aligned: every core edge is a NoC edge.  Which half it is follows from a bit
// that turns over with the core clock, as the NoC clock saw it last.  It is right at the latest one
// core cycle after reset, whichever half that ended in.
//
// Registers of payloads move only with their valid, and otherwise keep what they had.  There are no
// illegal inputs but slots that change within a core cycle.

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

  // Receiver
  output logic             d0_valid_o,
  output logic [Width-1:0] d0_o,
  output logic             d1_valid_o,
  output logic [Width-1:0] d1_o
);
  localparam int unsigned Delay  = (Hops + 2) / 2;
  localparam int unsigned Stages = 2 * Delay - 1;
  localparam int unsigned Last   = Stages - 1;
  localparam int unsigned Before = (Stages > 1) ? Stages - 2 : 0;

  // Halves
  logic core_q, seen_q, first;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) core_q <= 1'b0;
    else         core_q <= ~core_q;
  end
  always_ff @(posedge noc_clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= 1'b1;
    else         seen_q <= core_q;
  end
  assign first = core_q != seen_q;

  // The wires, as the sender drives them
  logic             wire_valid;
  logic [Width-1:0] wire_flit;
  always_comb begin
    wire_valid = first ? p0_valid_i : p1_valid_i;
    wire_flit  = '0;
    if (wire_valid) wire_flit = first ? p0_i : p1_i;
`ifdef TANDEM_BUGS
    // Of two flits the second is lost.
    if (bug_i == 8'd50 && !first && p0_valid_i) wire_valid = 1'b0;
    // The slots change places.
    if (bug_i == 8'd51) begin
      wire_valid = first ? p1_valid_i : p0_valid_i;
      wire_flit  = first ? p1_i : p0_i;
    end
`endif
  end

  logic [Stages-1:0] valid_q;
  logic [Width-1:0]  flit_q [Stages];
  always_ff @(posedge noc_clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (wire_valid || valid_q != '0) valid_q <= Stages'({valid_q, wire_valid});
  end
  always_ff @(posedge noc_clk_i) begin
    if (wire_valid) flit_q[0] <= wire_flit;
    if (valid_q != '0) begin
      for (int i = 1; i < Stages; i++) if (valid_q[i-1]) flit_q[i] <= flit_q[i-1];
    end
`ifdef TANDEM_BUGS
    // A flit right behind another one keeps that one's payload.
    if (bug_i == 8'd52 && valid_q[0]) flit_q[0] <= flit_q[0];
`endif
  end

  // What reaches the receiver at the core edge
  logic             slot1_valid;
  logic [Width-1:0] slot1_flit;
  always_comb begin
    slot1_valid = (Stages > 1) ? valid_q[Before] : wire_valid;
    slot1_flit  = '0;
    if (slot1_valid) slot1_flit = (Stages > 1) ? flit_q[Before] : wire_flit;
`ifdef TANDEM_BUGS
    // Slot 1 is looked for one NoC cycle late.
    if (bug_i == 8'd53) begin
      slot1_valid = valid_q[Last];
      slot1_flit  = flit_q[Last];
    end
`endif
  end

  logic             d0_valid_q, d1_valid_q;
  logic [Width-1:0] d0_q, d1_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      d0_valid_q <= 1'b0;
      d1_valid_q <= 1'b0;
    end else begin
      d0_valid_q <= valid_q[Last];
      d1_valid_q <= slot1_valid;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_q[Last]) d0_q <= flit_q[Last];
    if (slot1_valid)   d1_q <= slot1_flit;
  end
  assign d0_valid_o = d0_valid_q;
  assign d0_o       = d0_q;
  assign d1_valid_o = d1_valid_q;
  assign d1_o       = d1_q;

`ifndef SYNTHESIS
  // The slots stand still from the first half to the second.
  logic             was_first_q, p0_valid_was_q, p1_valid_was_q;
  logic [Width-1:0] p0_was_q, p1_was_q;
  always_ff @(posedge noc_clk_i or negedge rst_ni) begin
    if (!rst_ni) was_first_q <= 1'b0;
    else         was_first_q <= first;
  end
  always_ff @(posedge noc_clk_i) begin
    p0_valid_was_q <= p0_valid_i;
    p1_valid_was_q <= p1_valid_i;
    p0_was_q       <= p0_i;
    p1_was_q       <= p1_i;
    if (was_first_q && !first) begin
      assert (p0_valid_i == p0_valid_was_q && (!p0_valid_i || p0_i == p0_was_q));
      assert (p1_valid_i == p1_valid_was_q && (!p1_valid_i || p1_i == p1_was_q));
    end
  end
`endif
endmodule
