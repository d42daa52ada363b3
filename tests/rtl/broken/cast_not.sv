module cast_nots #(parameter int unsigned W = 48) (input logic [5:0] a_i, output logic [W-1:0] a_o);
  assign a_o = ~W'(1) << a_i;
endmodule
