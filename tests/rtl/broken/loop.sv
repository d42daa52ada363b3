// yosys
module loop (
  input  logic a_i,
  output logic a_o
);
  logic b;
  assign b   = a_o & a_i;
  assign a_o = ~b;
endmodule
