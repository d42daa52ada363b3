module breaks(input logic [3:0] a_i, output logic [1:0] a_o);
  always_comb begin
    a_o = 2'd0;
    for (int i = 0; i < 4; i++) if (a_i[i]) break;
  end
endmodule
