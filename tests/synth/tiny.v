// A toggle flip-flop that a gated clock clocks while en_i is high, with an inverter of its own; a
// second one on the clock itself that follows en_i, with a reset.
module inner (input c, output q);
  wire d;
  DFF r (.C(c), .D(d), .Q(q));
  INV i (.A(q), .Y(d));
endmodule

module tiny (input clk_i, input rst_ni, input en_i, output q_o, output e_o);
  wire gated;
  AND g (.A(clk_i), .B(en_i), .Y(gated));
  inner u_inner (.c(gated), .q(q_o));
  DFFR e (.C(clk_i), .R(rst_ni), .D(en_i), .Q(e_o));
endmodule
