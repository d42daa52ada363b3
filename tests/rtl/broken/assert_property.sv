module assert_properties(input logic clk_i, input logic a_i);
  assert property (@(posedge clk_i) a_i);
endmodule
