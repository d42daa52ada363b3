// verilator
module unused (
  input  logic a_i,
  input  logic b_i,
  output logic a_o
);
  assign a_o = a_i;
endmodule
