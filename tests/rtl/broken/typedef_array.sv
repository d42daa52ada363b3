module typedef_arrays(output logic a_o);
  typedef logic [1:0] pair_t;
  pair_t [3:0] rows;
  assign a_o = rows[0][0];
endmodule
