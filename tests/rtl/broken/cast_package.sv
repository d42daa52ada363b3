module cast_packages(input logic [5:0] a_i, output logic [5:0] a_o);
  assign a_o = a_i ^ tandem_pkg::WarpW'(1);
endmodule
