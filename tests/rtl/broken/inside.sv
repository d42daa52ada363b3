module insides(input logic [1:0] a_i, output logic a_o);
  assign a_o = a_i inside {2'd1, 2'd2};
endmodule
