module patterns(output logic [1:0] a_o);
  logic [1:0] m [2];
  assign m = '{2'd0, 2'd1};
  assign a_o = m[0];
endmodule
