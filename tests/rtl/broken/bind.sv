module checks(input logic a_i);
endmodule
bind fetch checks u_checks (.a_i(clk_i));
