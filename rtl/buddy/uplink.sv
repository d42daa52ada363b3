// Link from a slave of a buddy cluster to its master: ACKs of loads, credits, control packets of 16
// bits (docs/hardware/buddy_links.md).
//
// An input waits at least until the next cycle: ACKs in a queue, a credit and a control
// packet in a register each.  In each core cycle slot 0 takes the control packet, or else the oldest ACK, and
// slot 1 the credit.  So only ACKs ever wait longer, for control packets, and control packets and
// credits come out D + 1 core cycles after they came in, D = ceil((Hops + 1) / 2).
//
// kernel_start wins over everything.
//
// Illegal: an ACK into a full queue or of no register, kernel_start when something is left.

module uplink #(
  parameter int unsigned Hops  = 1,
  parameter int unsigned Slave = 1,  // its number in every packet
  parameter int unsigned Depth = 64  // ACKs, a power of two
) (
  input  logic                         clk_i,
  input  logic                         noc_clk_i,  // twice the frequency of clk_i, aligned
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  // From the slave
  input  logic                         ctrl_valid_i,
  input  logic                         ctrl_type_i,
  input  logic                         ack_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] ack_warp_i,
  input  logic [4:0]                   ack_reg_i,
  input  logic [1:0]                   ack_size_i,
  input  logic                         credit_valid_i,
  output logic [$clog2(Depth+1)-1:0]   backlog_o,
`ifdef FORMAL
  output logic [13*Depth-1:0]          queue_o,
  output logic [$clog2(Depth)-1:0]     head_o,
  output logic [$clog2(Depth)-1:0]     tail_o,
`endif

  // At the master: registers
  output logic                         ctrl_valid_o,
  output logic                         ctrl_type_o,
  output logic                         ack_valid_o,
  output logic [tandem_pkg::WarpW-1:0] ack_warp_o,
  output logic [4:0]                   ack_reg_o,
  output logic [1:0]                   ack_size_o,
  output logic                         credit_valid_o,
  output logic [2:0]                   slave_o
);
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned PtrW   = $clog2(Depth);
  localparam int unsigned AckW   = 2 + tandem_pkg::WarpW + 5;
  localparam logic [2:0]  Self   = 3'(Slave);

  logic [CountW-1:0] backlog_q  /*verilator public_flat_rd*/;
  logic              credit_q  /*verilator public_flat_rd*/;
  logic              ctrl_q  /*verilator public_flat_rd*/;
  logic              ctrl_type_q;
  logic [PtrW-1:0]   head_q, tail_q;
  logic [AckW-1:0]   queue_q [Depth];  // {size, warp, reg}

  // The packets that leave in this cycle
  logic            leaves, pop;
  logic [AckW-1:0] oldest;
  logic [15:0]     p0;
  assign leaves = ctrl_q | (backlog_q != '0);
  always_comb begin
    oldest = '0;
    p0     = '0;
    pop    = 1'b0;
    if (leaves) begin
      pop    = ~ctrl_q;
      oldest = queue_q[head_q];
      p0     = {oldest[AckW-1 -: 2], Self, oldest[AckW-3:0]};
      if (ctrl_q) p0 = {2'd0, Self, 6'd63, 4'd0, ctrl_type_q};
    end
  end

  // An empty uplink that gets nothing stays as it is: head and tail are the same.
  logic busy;
  assign busy = ack_valid_i | ctrl_valid_i | credit_valid_i | leaves | credit_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      backlog_q <= '0;
      head_q    <= '0;
      tail_q    <= '0;
      credit_q  <= 1'b0;
      ctrl_q    <= 1'b0;
    end else if (busy) begin
      backlog_q <= (backlog_q + CountW'(ack_valid_i) - CountW'(pop)) & {CountW{~kernel_start_i}};
      head_q    <= (head_q + PtrW'(pop)) & {PtrW{~kernel_start_i}};
      tail_q    <= (tail_q + PtrW'(ack_valid_i)) & {PtrW{~kernel_start_i}};
      credit_q  <= credit_valid_i & ~kernel_start_i;
      ctrl_q    <= ctrl_valid_i & ~kernel_start_i;
      if (ctrl_valid_i) ctrl_type_q <= ctrl_type_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ack_valid_i) queue_q[tail_q] <= {ack_size_i, ack_warp_i, ack_reg_i};
  end
  assign backlog_o = backlog_q;

  // The packets as the master has them
  logic        u0_valid  /*verilator public_flat_rd*/;
  logic        u1_valid  /*verilator public_flat_rd*/;
  logic [15:0] u0  /*verilator public_flat_rd*/;
  logic [15:0] u1  /*verilator public_flat_rd*/;
  link #(
    .Width(16),
    .Hops (Hops)
  ) u_link (
    .clk_i,
    .noc_clk_i,
    .rst_ni,
    .p0_valid_i(leaves),
    .p0_i      (p0),
    .p1_valid_i(credit_q),
    .p1_i      ({2'd0, Self, 11'd0}),
    .d0_valid_o(u0_valid),
    .d0_o      (u0),
    .d1_valid_o(u1_valid),
    .d1_o      (u1)
  );

  // Slot 1 carries credits alone; in slot 0 the access type distinguishes ACKs from control packets.
  assign ctrl_valid_o   = u0_valid && u0[15:14] == 2'd0;
  assign ctrl_type_o    = u0[0];
  assign ack_valid_o    = u0_valid && u0[15:14] != 2'd0;
  assign ack_size_o     = u0[15:14];
  assign ack_warp_o     = u0[10:5];
  assign ack_reg_o      = u0[4:0];
  assign credit_valid_o = u1_valid;
  assign slave_o        = u0_valid ? u0[13:11] : u1[13:11];

  logic unused_ok;
  assign unused_ok = ^{u1[15:14], u1[10:0]};

`ifdef FORMAL
  always_comb for (int i = 0; i < Depth; i++) queue_o[13*i +: 13] = queue_q[i];
  assign head_o = head_q;
  assign tail_o = tail_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (ack_valid_i) begin
        backlog_has_room: assert (backlog_q != CountW'(Depth) || pop);
        ack_has_size:     assert (ack_size_i != 2'd0);
      end
      if (kernel_start_i) start_when_empty: assert (backlog_q == '0 && !credit_q && !ctrl_q);
      if (kernel_start_i) start_when_link_idle: assert (!u0_valid && !u1_valid);
      flits_of_one_slave: assert (!u0_valid || !u1_valid || u0[13:11] == u1[13:11]);
    end
  end
`endif
endmodule
