// Free slots of a queue, as credits: a grant takes one, and the queue returns it.  A returned slot can be used from the
// next cycle on.  start wins over everything.
//
// Illegal: taking more than there are; returning more than were taken.

module slot_counter #(
  parameter int unsigned Slots = 8,  // after a reset
  parameter int unsigned CountW = 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              start_i,
  input  logic [CountW-1:0] slots_i,  // from start on
  input  logic [1:0]        credit_i,
  input  logic [1:0]        take_i,   // by each of two schedulers
  output logic [CountW-1:0] count_o,
  output logic              none_o,
  output logic              last_o    // one is left
);
  logic [CountW-1:0] count_q;
  assign count_o = count_q;
  assign none_o  = count_q == '0;
  assign last_o  = count_q == CountW'(1);

  // The takes come late.
  logic [CountW-1:0] next;
  always_comb begin
    next = count_q + CountW'(credit_i);
    if (take_i[0]) next = next - CountW'(1);
    if (take_i[1]) next = next - CountW'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      count_q <= CountW'(Slots);
    else if (start_i) count_q <= slots_i;
    else              count_q <= next;
  end

`ifndef SYNTHESIS
  logic [CountW-1:0] slots_q;  // that there are
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      slots_q <= CountW'(Slots);
    else if (start_i) slots_q <= slots_i;
    if (rst_ni && !start_i) begin
      two_at_most:    assert (credit_i != 2'd3);
      taken_there:    assert (32'(take_i[0]) + 32'(take_i[1]) <= 32'(count_q));
      returned_taken: assert (32'(count_q) + 32'(credit_i) <= 32'(slots_q) + 32'(take_i[0]) + 32'(take_i[1]));
    end
  end
`endif
endmodule
