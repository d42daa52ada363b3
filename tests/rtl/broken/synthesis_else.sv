// A text for synthesis behind the assertions' fence.
module synthesis_else (
  input  logic a_i,
  output logic b_o
);
`ifndef SYNTHESIS
  assign b_o = ~a_i;
`else
  assign b_o = a_i;
`endif
endmodule
