  // The end of a module whose messages the number in the file `WHICH chooses.
  logic [3:0] which[1], time_q, random_q;
  initial begin
    $readmemh(`WHICH, which);
    if (which[0] == 7) $error("in initial");
  end
  logic loop;
  assign loop = rst_ni && which[0] == 9 && time_q == 2 && !loop;
  always_comb if (rst_ni && random_q != 0) $fatal(1, "before the reset");
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {time_q, random_q} <= '0;
    else begin
      time_q <= time_q + 1;
      if (time_q == 1) $display("%%Error: a text of %0d", time_q);
      if (time_q == 2) case (which[0])
        1: $error("one %0d", time_q);
        2: $fatal(1, "two");
        3: $stop;
        4, 5: $finish;
        6: assert (0);
        default: $warning("no failure");
      endcase
      if ((time_q == 3 && which[0] == 8) || loop) $error("later");
      if (time_q == 3 && which[0] == 5) $finish;
    end
  end
endmodule
