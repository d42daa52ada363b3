// verilator
module latch (
  input  logic a_i,
  input  logic b_i,
  output logic a_o
);
  always_comb begin
    if (b_i) a_o = a_i;
  end
endmodule
