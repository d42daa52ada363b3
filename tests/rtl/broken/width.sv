// verilator
module width (
  input  logic [3:0] a_i,
  output logic [1:0] a_o
);
  assign a_o = a_i;
endmodule
