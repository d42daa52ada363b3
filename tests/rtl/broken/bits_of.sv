module bits_ofs(output logic [7:0] a_o);
  assign a_o = 8'($bits(int));
endmodule
