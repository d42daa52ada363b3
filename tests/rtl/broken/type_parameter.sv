module type_parameters #(parameter type T = logic) (input T a_i, output T a_o);
  assign a_o = a_i;
endmodule
