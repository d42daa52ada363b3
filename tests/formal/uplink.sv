// uplink: ACKs leave in the order in which they came, all of them once; credits and control packets
// are out exactly D + 1 core cycles after they came in.
//
// Any one ACK is followed (watch): the ACKs ahead of it are counted.
module uplink_formal #(
  parameter int unsigned Hops  = 1,
  parameter int unsigned Depth = 4
) (
  input logic watch_i,
`include "csim/ports/uplink_inputs.svh"
);
  localparam int unsigned Delay  = (Hops + 1 + 1) / 2;  // (Hops + 1) / 2, rounded up
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned PtrW   = $clog2(Depth);

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

`include "csim/ports/uplink_outputs.svh"
  uplink #(
    .Hops (Hops),
    .Slave(5),
    .Depth(Depth)
  ) u_uplink (
    .*
  );

  // Control packets, their types and credits of the last D + 1 core cycles; ACKs that left in the
  // last D.
  logic [Delay:0]   ctrls_q, types_q, credits_q;
  logic [Delay-1:0] left_q;
  logic             leaves;
  assign leaves = backlog_o != '0 && !ctrls_q[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ctrls_q   <= '0;
      types_q   <= '0;
      credits_q <= '0;
      left_q    <= '0;
    end else begin
      ctrls_q   <= (Delay+1)'({ctrls_q, ctrl_valid_i});
      types_q   <= (Delay+1)'({types_q, ctrl_type_i});
      credits_q <= (Delay+1)'({credits_q, credit_valid_i});
      left_q    <= Delay'({left_q, leaves});
    end
  end

  // ACKs that have come and not arrived; of these, ahead of the one watched
  logic [5:0]  away_q, ahead_q, flying;
  logic        watching_q;
  logic [12:0] watched_q;
  always_comb begin
    flying = '0;
    for (int i = 0; i < Delay; i++) flying = flying + 6'(left_q[i]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      away_q     <= '0;
      ahead_q    <= '0;
      watching_q <= 1'b0;
    end else begin
      away_q <= away_q + 6'(ack_valid_i) - 6'(ack_valid_o);
      if (!watching_q && watch_i && ack_valid_i) begin
        watching_q <= 1'b1;
        watched_q  <= {ack_size_i, ack_warp_i, ack_reg_i};
        ahead_q    <= away_q - 6'(ack_valid_o);
      end else if (watching_q && ack_valid_o) begin
        watching_q <= ahead_q != '0;
        ahead_q    <= ahead_q - 6'd1;
      end
    end
  end

  // Legal inputs
  always_comb begin
    if (ack_valid_i) assume (ack_size_i != '0 && (backlog_o != CountW'(Depth) || leaves));
    if (kernel_start_i) assume (away_q == '0 && ctrls_q == '0 && credits_q == '0);
    if (kernel_start_i) assume (!ack_valid_i && !ctrl_valid_i && !credit_valid_i);
  end

  logic [PtrW-1:0] place;   // of the one watched, if it is in the queue
  logic [PtrW-1:0] beyond;  // the last one
  assign place  = PtrW'(32'(head_o) + 32'(ahead_q - flying));
  assign beyond = PtrW'(32'(head_o) + 32'(backlog_o));
  logic [Depth-1:0] sized;  // places that hold an ACK of some register, or none
  always_comb begin
    logic [PtrW-1:0] behind;
    for (int i = 0; i < Depth; i++) begin
      behind   = PtrW'(i - 32'(head_o));
      sized[i] = CountW'(behind) >= backlog_o || queue_o[13*i+11 +: 2] != 2'd0;
    end
  end
  always_comb begin
    if (rst_ni) begin
      // Control packets never wait, credits neither: none is lost or doubled.
      assert (ctrl_valid_o == ctrls_q[Delay]);
      if (ctrl_valid_o) assert (ctrl_type_o == types_q[Delay]);
      assert (credit_valid_o == credits_q[Delay]);
      if (ctrl_valid_o || ack_valid_o || credit_valid_o) assert (slave_o == 3'd5);

      // ACKs that came are in the queue or fly; the queue is what its pointers say.
      assert (ack_valid_o == left_q[Delay-1]);
      assert (away_q == 6'(backlog_o) + flying);
      assert (backlog_o <= CountW'(Depth));
      assert (tail_o == beyond);
      assert (sized == '1);

      // The one watched arrives as it came, after those that were ahead of it.
      if (watching_q) begin
        assert (ahead_q < away_q);
        if (ahead_q >= flying) assert (queue_o[13*32'(place) +: 13] == watched_q);
        if (ack_valid_o && ahead_q == '0) assert ({ack_size_o, ack_warp_o, ack_reg_o} == watched_q);
        cover (ack_valid_o && ahead_q == '0 && ctrl_valid_i && backlog_o == CountW'(Depth));
      end
    end
  end
endmodule
