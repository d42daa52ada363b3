// A clock gate of yosys' own cells: G has the pulses of C before whose rising edge E was high.
module tandem_clock_gate (input C, input E, output G);
  wire open;
  \$dlatch #(.WIDTH(1), .EN_POLARITY(1'b0)) u_latch (.EN(C), .D(E), .Q(open));
  \$and #(.A_WIDTH(1), .B_WIDTH(1), .Y_WIDTH(1), .A_SIGNED(0), .B_SIGNED(0)) u_and (.A(C), .B(open), .Y(G));
endmodule
