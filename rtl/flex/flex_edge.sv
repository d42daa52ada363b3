// Edge of an SM in a Flex cluster: the boundary buffer of a path from or to a neighbour, and the dummy stage
// of a path within the SM.  Both take Stages cycles, so a path is as long to borrowed structures as to own ones.
//
// bypass_i makes the outputs the inputs of the same cycle (comb), for the timing of an SM alone.  Else an input
// of cycle c is at the output in c + Stages.  A data register moves with its valid only.
//
// Illegal: a change of bypass_i while something is inside.

module flex_edge #(
  parameter int unsigned Width  = 64,
  parameter int unsigned Stages = 1  // 1 or more
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             bypass_i,

  input  logic             valid_i,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  output logic [Width-1:0] data_o
);
  // Stage 0 is the first one.
  logic [Stages-1:0]       valid_q  /*verilator public_flat_rd*/;
  logic [Width*Stages-1:0] data_q  /*verilator public_flat_rd*/;

  logic bypass;
  assign bypass  = `FAULT(160, bypass_i, 1'b1);
  assign valid_o = bypass ? valid_i : valid_q[Stages-1];
  assign data_o  = bypass ? data_i : data_q[Width*(Stages-1)+:Width];

  // By stage: a valid moves into it; the data before it.
  logic [Stages-1:0]       moves;
  logic [Width*Stages-1:0] earlier;
  assign moves  = Stages'({valid_q, valid_i & ~bypass_i});
  assign earlier = (Width * Stages)'({data_q, data_i});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= moves;
  end

  for (genvar s = 0; s < Stages; s++) begin : g_stage
    always_ff @(posedge clk_i) begin
      if (moves[s]) data_q[Width*s+:Width] <= earlier[Width*s+:Width];
    end
  end

`ifndef SYNTHESIS
  // The caller's contract.
  logic bypass_last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      bypass_last <= bypass_i;
      bypass_stable: assert (valid_q == '0 || bypass_i == bypass_last);
    end
  end
`endif
endmodule
