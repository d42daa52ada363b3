module assert_elses(input logic a_i);
  always_comb assert (a_i) else $error("no");
endmodule
