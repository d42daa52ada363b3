module two_dimensions(input logic [3:0][1:0] a_i, output logic a_o);
  assign a_o = a_i[0][0];
endmodule
