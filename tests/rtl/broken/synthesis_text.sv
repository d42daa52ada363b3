// Another text for synthesis.
module synthesis_text (
  input  logic a_i,
  output logic b_o
);
`ifdef SYNTHESIS
  assign b_o = a_i;
`else
  assign b_o = ~a_i;
`endif
endmodule
