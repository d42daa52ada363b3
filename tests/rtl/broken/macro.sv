// A macro with arguments.
`define NOT(a) (~(a))
module macro (
  input  logic a_i,
  output logic b_o
);
  assign b_o = `NOT(a_i);
endmodule
