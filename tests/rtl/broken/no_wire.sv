// yosys
module no_wire (
  input  logic a_i,
  output logic a_o
);
  assign a_o = a_i & missing;
endmodule
