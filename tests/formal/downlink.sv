// downlink: whatever enters a slot in a core cycle leaves the same slot D core cycles later, and
// nothing else ever leaves.  The proof follows one packet that is any (tag).
module downlink_formal #(
  parameter int unsigned Hops = 1
) (
`include "csim/ports/downlink_inputs.svh"
);
  localparam int unsigned Delay = (Hops + 1 + 1) / 2;  // (Hops + 1) / 2, rounded up

  // Every other edge of the NoC's clock is one of the core's.  Reset lasts for a core cycle.
  logic second_q, run_q;
  initial second_q = 1'b0;
  initial run_q = 1'b0;
  always_ff @(posedge noc_clk_i) second_q <= !second_q;
  always_ff @(posedge clk_i) run_q <= 1'b1;
  always_comb begin
    assume (noc_clk_i);
    assume (clk_i == second_q);
    assume (rst_ni == run_q);
  end

  // The slots are registers of the core clock.
  logic        p0_valid_q, p1_valid_q;
  logic [63:0] p0_q, p1_q;
  always_ff @(posedge noc_clk_i) begin
    p0_valid_q <= p0_valid_i;
    p1_valid_q <= p1_valid_i;
    p0_q       <= p0_i;
    p1_q       <= p1_i;
  end
  always_comb begin
    if (second_q) begin
      assume (p0_valid_i == p0_valid_q && p1_valid_i == p1_valid_q);
      assume (p0_i == p0_q && p1_i == p1_q);
    end
  end

`include "csim/ports/downlink_outputs.svh"
  downlink #(
    .Hops(Hops)
  ) u_downlink (
    .*
  );

  // Entries of each of the last D cycles: any packet, the tagged packet.
  (* anyconst *) logic [63:0] tag;
  logic [Delay-1:0] some0_q, some1_q, tag0_q, tag1_q;
  always_ff @(posedge clk_i) begin
    some0_q <= Delay'({some0_q, rst_ni & p0_valid_i});
    some1_q <= Delay'({some1_q, rst_ni & p1_valid_i});
    tag0_q  <= Delay'({tag0_q, rst_ni & p0_valid_i & (p0_i == tag)});
    tag1_q  <= Delay'({tag1_q, rst_ni & p1_valid_i & (p1_i == tag)});
  end
  logic [3:0] since_q;  // core cycles since reset, no more than D
  initial since_q = 4'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) since_q <= 4'd0;
    else if (since_q < 4'(Delay)) since_q <= since_q + 4'd1;
  end

  always_comb begin
    if (rst_ni) begin
      if (since_q < 4'(Delay)) begin
        assert (!d0_valid_o && !d1_valid_o);
      end else begin
        assert (d0_valid_o == some0_q[Delay-1]);
        assert (d1_valid_o == some1_q[Delay-1]);
        assert ((d0_valid_o && d0_o == tag) == tag0_q[Delay-1]);
        assert ((d1_valid_o && d1_o == tag) == tag1_q[Delay-1]);
        cover (d0_valid_o && d1_valid_o && d0_o == tag && d1_o != tag);
      end
    end
  end
endmodule
