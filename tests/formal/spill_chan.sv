// spill_chan: what may be restored is what was put at least Hops cycles ago and is not yet got; a
// tile is got as soon as it is wanted and there, and once.
module spill_chan_formal #(
  parameter int unsigned Hops = 1
) (
`include "csim/ports/spill_chan_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/spill_chan_outputs.svh"
  spill_chan u_spill_chan (
    .hops_i (6'(Hops)),
    .*
  );

  // Puts of the last cycles, the youngest in bit 0; those that have arrived; those that are got,
  // the one of this cycle left out.
  logic [63:0] puts_q;
  logic [15:0] here_q, gots_q, there;
  logic        wants_q, had_q, asked_q;  // in the cycle before: a tile was there, and asked for
  logic        wants;
  assign there = here_q - gots_q - 16'(got_o);  // and not got
  assign wants = wants_q & ~got_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_start_i) begin
      puts_q  <= '0;
      here_q  <= '0;
      gots_q  <= '0;
      wants_q <= 1'b0;
      had_q   <= 1'b0;
      asked_q <= 1'b0;
    end else begin
      puts_q  <= {puts_q[62:0], put_i};
      here_q  <= here_q + 16'(Hops == 1 ? put_i : puts_q[Hops-2]);
      gots_q  <= gots_q + 16'(got_o);
      wants_q <= wants | get_i;
      had_q   <= there != '0;
      asked_q <= wants | get_i;
    end
  end

  always_comb begin
    // Legal inputs
    assume (!get_i || !wants);
    assume (there != '1);

    if (rst_ni) begin
      assert (count_o == there);
      assert (want_o == wants);
      assert (got_o == (had_q && asked_q));
      for (int i = 0; i < 63; i++) assert (line_o[i] == (i < Hops - 1 && puts_q[i]));
      assert (!quiet_o || (!got_o && line_o == '0 && (!wants || there == '0)));
      cover (got_o && puts_q[Hops-1] && there == 16'd2);
    end
  end
endmodule
