module unpacked_ports(input logic [1:0] a_i [4], output logic a_o);
  assign a_o = a_i[0][0];
endmodule
