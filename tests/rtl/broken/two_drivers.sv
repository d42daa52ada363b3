// yosys
module two_drivers (
  input  logic a_i,
  input  logic b_i,
  output logic a_o
);
  assign a_o = a_i;
  assign a_o = b_i;
endmodule
