module automatics(input logic a_i, output logic a_o);
  always_comb begin
    automatic logic t = ~a_i;
    a_o = t;
  end
endmodule
