// Slave port: what stands in for the front end of an SM that follows another one.
//
// InstPackets become instructions of this SM's back end, stack and barrier, in the cycle in which
// the downlink shows them; PC and mask are those that the stack has for the warp.  Branches and exits
// that the back end resolves wait in a queue, until the master's Mask packet comes: then the stack
// takes them, and the directions are compared with the master's.  If they differ, the master is asked to
// ungroup, and the warp is left unsettled until it has.
//
// While a warp is unsettled so, cause_valid_o is high, and the report says which branch or exit differed last:
// its warp and PC, the own directions and the master's.  It serves statistics alone.
//
// Memory results and places that become free go to the uplink.
//
// While slave_i is low, resolves pass at once and nothing else happens, but that a member that listens
// hears its leader's roll and asks to be left alone if its park answers that it differs.
//
// Illegal: packets of two warps of one parity, a Mask packet without a resolve of its warp, a resolve
// that finds the queue full, a packet in a slot that is not its kind's.

module slave_port #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned Delay = 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         slave_i,
  input  logic                         listens_i,  // its lead is another member

  // Downlink
  input  logic                         d0_valid_i,
  input  logic [tandem_pkg::InstW-1:0] d0_i,
  input  logic                         d1_valid_i,
  input  logic [tandem_pkg::InstW-1:0] d1_i,

  // Back end: branches and exits, memory results, memory places
  input  logic                         resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] resolve_warp_i,
  input  logic [WarpSize-1:0]          resolve_taken_i,
  input  logic                         wb3_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wb3_warp_i,
  input  logic [4:0]                   wb3_reg_i,
  input  logic [1:0]                   wb3_size_i,
  input  logic                         mem_credit_i,

  // Instructions, of even and odd warps
  output logic                         x0_valid_o,
  output logic [tandem_pkg::InstW-1:0] x0_inst_o,
  output logic                         x1_valid_o,
  output logic [tandem_pkg::InstW-1:0] x1_inst_o,

  // Stack: the resolve that it takes now, and what comes of it
  output logic                         st_resolve_valid_o,
  output logic [tandem_pkg::WarpW-1:0] st_resolve_warp_o,
  output logic [WarpSize-1:0]          st_resolve_taken_o,
  input  logic [tandem_pkg::PcW-1:0]   res_at_i,
  input  logic [1:0]                   res_dirs_i,
  output logic [Warps-1:0]             diverged_o,

  // Park: the leader's Park packet and roll, and the answer
  output logic                         set_valid_o,
  output logic [tandem_pkg::PcW-1:0]   set_pc_o,
  output logic                         called0_valid_o,
  output logic [tandem_pkg::WarpW-1:0] called0_warp_o,
  output logic [tandem_pkg::DepthW-1:0] called0_depth_o,
  output logic                         called1_valid_o,
  output logic [tandem_pkg::WarpW-1:0] called1_warp_o,
  output logic [tandem_pkg::DepthW-1:0] called1_depth_o,
  output logic                         end_valid_o,
  output logic [5:0]                   end_count_o,
  input  logic                         park_differs_i,

  // Uplink
  output logic                         ctrl_valid_o,
  output logic                         ctrl_type_o,
  output logic                         ack_valid_o,
  output logic [tandem_pkg::WarpW-1:0] ack_warp_o,
  output logic [4:0]                   ack_reg_o,
  output logic [1:0]                   ack_size_o,
  output logic                         credit_valid_o,

  output logic                         empty_o,

  // Report of the last verdict that differed
  output logic                         cause_valid_o,
  output logic [tandem_pkg::WarpW-1:0] cause_warp_o,
  output logic [tandem_pkg::PcW-1:0]   cause_pc_o,
  output logic [1:0]                   cause_own_o,
  output logic [1:0]                   cause_master_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned Depth = Delay + 4;
  localparam int unsigned AtW = $clog2(Depth);
  localparam int unsigned EntryW = WarpW + WarpSize;

  logic [AtW:0] count_q  /*verilator public_flat_rd*/;  // resolves that wait
  logic         ctrl_q  /*verilator public_flat_rd*/;

  // Slots hold instructions, for the scheduler that the lowest bit of the warp names; slot 0 also
  // control packets, slot 1 Mask packets, either the roll call.
  logic inst0, inst1, mask;
  always_comb begin
    {inst0, inst1, mask, x0_valid_o, x1_valid_o} = '0;
    {called0_valid_o, called1_valid_o, end_valid_o, set_valid_o} = '0;
    x0_inst_o = d1_i;
    x1_inst_o = d1_i;
    empty_o   = 1'b0;
    if (!d0_valid_i && !d1_valid_i) begin
      empty_o = ~|{count_q, ctrl_q};
    end else begin
      if (d0_valid_i) begin
        if (d0_i[57:54] == tandem_pkg::UnitNoc) begin
          called0_valid_o = listens_i && d0_i[53:51] == tandem_pkg::NocCall;
          end_valid_o     = listens_i && d0_i[53:51] == tandem_pkg::NocEnd;
          set_valid_o     = listens_i && d0_i[53:51] == tandem_pkg::NocPark;
        end else if (slave_i) begin
          inst0 = 1'b1;
          if (d0_i[58]) x1_valid_o = 1'b1;
          else          x0_valid_o = 1'b1;
          if (d0_i[58]) x1_inst_o = d0_i;
          else          x0_inst_o = d0_i;
        end
      end
      if (d1_valid_i) begin
        if (d1_i[57:54] == tandem_pkg::UnitNoc) begin
          called1_valid_o = listens_i && d1_i[53:51] == tandem_pkg::NocCall;
          mask            = slave_i && d1_i[53:51] == tandem_pkg::NocMask;
        end else if (slave_i) begin
          inst1 = 1'b1;
          if (d1_i[58]) x1_valid_o = 1'b1;
          else          x0_valid_o = 1'b1;
        end
      end
    end
  end
  assign {called0_warp_o, called0_depth_o} = {d0_i[63:58], d0_i[5:0]};
  assign {called1_warp_o, called1_depth_o} = {d1_i[63:58], d1_i[5:0]};
  assign end_count_o = d0_i[5:0];
  assign set_pc_o    = d0_i[15:0];

  // Resolves wait in a ring.
  logic [EntryW-1:0] entry_q [Depth];
  logic [AtW-1:0]    head_q, tail_q;
  logic              push, pop, bypass;
  assign push   = slave_i & resolve_valid_i;
  assign pop    = mask;
  assign bypass = count_q == '0;
  always_comb begin
    st_resolve_valid_o = slave_i ? mask : resolve_valid_i;
    st_resolve_warp_o  = '0;
    st_resolve_taken_o = '0;
    if (st_resolve_valid_o) begin
      st_resolve_warp_o  = resolve_warp_i;
      st_resolve_taken_o = resolve_taken_i;
      if (slave_i && !bypass) {st_resolve_warp_o, st_resolve_taken_o} = entry_q[head_q];
    end
  end

  always_ff @(posedge clk_i) if (push) entry_q[tail_q] <= {resolve_warp_i, resolve_taken_i};

  // The master's directions against ours.
  logic             differs;
  logic [Warps-1:0] diverged_q  /*verilator public_flat_rd*/;
  always_comb begin
    differs = 1'b0;
    if (mask) differs = res_dirs_i != d1_i[50:49];
  end
  assign diverged_o    = diverged_q;
  assign cause_valid_o = diverged_q != '0;
  always_ff @(posedge clk_i) begin
    if (differs)
      {cause_warp_o, cause_pc_o, cause_own_o, cause_master_o}
          <= {st_resolve_warp_o, res_at_i, res_dirs_i, d1_i[50:49]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [AtW-1:0] head, tail;
    logic [AtW:0]   count;
    logic           ctrl;
    head  = '0;
    tail  = '0;
    count = '0;
    ctrl  = 1'b0;
    if (rst_ni) begin
      ctrl = slave_i ? differs : listens_i & park_differs_i;
      if (!slave_i || push || pop) begin
        if (slave_i) begin
          head  = head_q;
          tail  = tail_q;
          count = count_q + (AtW+1)'(push) - (AtW+1)'(pop);
          if (push) tail = tail == AtW'(Depth - 1) ? '0 : tail + AtW'(1);
          if (pop)  head = head == AtW'(Depth - 1) ? '0 : head + AtW'(1);
          if (differs) diverged_q <= diverged_q | Warps'(1) << st_resolve_warp_o;
        end else begin
          diverged_q <= '0;
        end
        head_q  <= head;
        tail_q  <= tail;
        count_q <= count;
      end
      ctrl_q <= ctrl;
    end else begin
      {head_q, tail_q, count_q, diverged_q, ctrl_q} <= '0;
    end
  end

  assign ctrl_valid_o   = ctrl_q;
  assign ctrl_type_o    = 1'b1;
  assign ack_valid_o = slave_i & wb3_valid_i;
  assign ack_warp_o     = wb3_warp_i;
  assign ack_reg_o      = wb3_reg_i;
  assign ack_size_o     = wb3_size_i;
  assign credit_valid_o = slave_i & mem_credit_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    // Masks come in slot 1, ends of the roll and Park packets in slot 0.
    d0_call_known: assert (!d0_valid_i || d0_i[57:54] != tandem_pkg::UnitNoc || d0_i[53:51] == tandem_pkg::NocCall ||
                           d0_i[53:51] == tandem_pkg::NocEnd || d0_i[53:51] == tandem_pkg::NocPark);
    d1_call_known: assert (!d1_valid_i || d1_i[57:54] != tandem_pkg::UnitNoc || d1_i[53:51] == tandem_pkg::NocCall ||
                           d1_i[53:51] == tandem_pkg::NocMask);
    if (slave_i) begin
      schedulers_differ: assert (!(inst0 && inst1 && d0_i[58] == d1_i[58]));
      mask_has_resolve:  assert (!(mask && bypass && !resolve_valid_i));
      mask_of_its_warp:  assert (!(mask && st_resolve_warp_o != d1_i[63:58]));
      queue_has_room:    assert (!(push && !pop && count_q == (AtW+1)'(Depth)));
    end
  end
`endif
endmodule
