// Block synchronisation of a CTA slot: gathers the warps of the slot's CTA, posts to the links,
// and acknowledges when all of them are done (docs/hardware/spu_units.md).
//
// Directions of a warp: N 1, S 2, W 4, E 8, OWN 16, SPILL 32, GLOBAL 64.  Links, of post and done:
// bit 0 N, 1 S, 2 W, 3 E, 4 SPILL, 5 GLOBAL.  Directions that the role does not have, and warps
// that differ in them, set bad, which stays; the CTA goes on.
//
// kernel_start wins over everything.
//
// Illegal: a launch outside FREE or of 0 or more than 48 warps; an arrival or an exit outside
// GATHER, or when all warps are there; more arrivals than warps; done of a link that is not waited
// for; start outside FREE.

module block_port (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kernel_start_i,

  // The CTA's warps
  input  logic        launch_i,
  input  logic [5:0]  launch_warps_i,
  input  logic        arrive_i,
  input  logic [6:0]  arrive_dirs_i,
  input  logic        exit_i,
  output logic        ack_o,

  // From pass_seq
  input  logic [2:0]  role_i,
  input  logic        viu_i,
  input  logic        side_i,
  input  logic        start_i,

  // Links
  input  logic [5:0]  done_i,
  output logic [5:0]  post_o,

  output logic [15:0] cspill_o,  // synchronisations of the pass, of an interface unit
  output logic [15:0] vcount_o,  // those since kernel_start in which it was virtual
  output logic        bad_o,
`ifdef FORMAL
  output logic [1:0]  state_o,
  output logic [5:0]  need_o,
  output logic [5:0]  here_o,
  output logic [6:0]  dirs_o,
  output logic [5:0]  left_o,
`endif
  output logic        quiet_o
);
  tandem_pkg::block_e state_q  /*verilator public_flat_rd*/;
  logic [5:0]         need_q  /*verilator public_flat_rd*/;  // warps that live
  logic [5:0]         here_q  /*verilator public_flat_rd*/;  // of these, arrived
  logic [6:0]         dirs_q  /*verilator public_flat_rd*/;
  logic [5:0]         left_q  /*verilator public_flat_rd*/;  // links that are not done
  logic [5:0]         post_q;
  logic [15:0]        cspill_q, vcount_q;
  logic               bad_q;
  tandem_pkg::block_e state_d;
  logic [5:0]         need_d, here_d, left_d, post_d;
  logic [6:0]         dirs_d;
  logic [15:0]        cspill_d, vcount_d;
  logic               bad_d;

  // The links of dirs_q; none if the role does not allow them.
  logic       own, spill, whole, interface_role, allowed;
  logic [5:0] map, links;
  always_comb begin
    own            = dirs_q[4];
    spill          = dirs_q[5];
    whole          = dirs_q[6];
    interface_role = role_i == tandem_pkg::RoleLoad || role_i == tandem_pkg::RoleStore;
    allowed        = 1'b0;
    map            = {whole, spill, dirs_q[3:0]};
    if (role_i == tandem_pkg::RoleBlock) begin
      allowed = !own && !spill && (whole != (dirs_q[3:0] != '0));
    end else if (interface_role) begin
      allowed = dirs_q[3:0] == '0 && (own || spill) != whole && (!spill || viu_i);
      if (role_i == tandem_pkg::RoleLoad) map[3:0] = {own & ~side_i, 1'b0, own & side_i, 1'b0};
      else                    map[3:0] = {1'b0, own & ~side_i, 1'b0, own & side_i};
    end
    links = allowed ? map : '0;
  end

  // GATHER: all warps of the CTA are there, or none is left.
  logic complete;
  assign complete = here_q == need_q;

  // WAIT: what is still open; a put needs no answer.
  logic [5:0] left;
  logic       over;
  always_comb begin
    left = left_q & ~done_i;
    if (post_q[4] && role_i == tandem_pkg::RoleStore) left[4] = 1'b0;
    over = left == '0;
  end

  // ACK: a synchronisation of an interface unit is counted.
  logic counts, counts_virtual;
  assign counts         = own | (whole & interface_role);
  assign counts_virtual = counts & viu_i;

  always_comb begin
    state_d  = state_q;
    need_d   = need_q;
    here_d   = here_q;
    dirs_d   = dirs_q;
    left_d   = left_q;
    post_d   = '0;
    cspill_d = cspill_q;
    vcount_d = vcount_q;
    bad_d    = bad_q;
    case (state_q)
      tandem_pkg::BlockFree:
        if (launch_i) begin
          need_d  = launch_warps_i;
          here_d  = '0;
          state_d = tandem_pkg::BlockGather;
        end
      tandem_pkg::BlockGather:
        if (!complete) begin
          here_d = here_q + 6'(arrive_i);
          if (`FAULT(16, exit_i, exit_i & ~arrive_i)) need_d = need_q - 6'd1;
          if (arrive_i && here_q == '0) dirs_d = arrive_dirs_i;
          if (arrive_i && here_q != '0 && arrive_dirs_i != dirs_q) bad_d = 1'b1;
        end else if (need_q == '0) begin
          state_d = tandem_pkg::BlockFree;
        end else begin
          state_d = tandem_pkg::BlockWait;
          post_d  = links;
          left_d  = links;
          if (!allowed) bad_d = 1'b1;
        end
      tandem_pkg::BlockWait: begin
        left_d = left;
        if (over) state_d = tandem_pkg::BlockAck;
      end
      default: begin
        here_d   = '0;
        cspill_d = cspill_q + 16'(counts);
        vcount_d = vcount_q + 16'(counts_virtual);
        state_d  = tandem_pkg::BlockGather;
      end
    endcase
    if (start_i) cspill_d = '0;
    if (kernel_start_i) begin
      state_d = tandem_pkg::BlockFree;
      {need_d, here_d, dirs_d, left_d, post_d, cspill_d, vcount_d, bad_d} = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= tandem_pkg::BlockFree;
      {need_q, here_q, dirs_q, left_q, post_q, cspill_q, vcount_q, bad_q} <= '0;
    end else begin
      state_q <= state_d;
      {need_q, here_q, dirs_q, left_q, post_q, cspill_q, vcount_q, bad_q} <=
          {need_d, here_d, dirs_d, left_d, post_d, cspill_d, vcount_d, bad_d};
    end
  end

  assign ack_o    = state_q == tandem_pkg::BlockAck;
  assign post_o   = post_q;
  assign cspill_o = cspill_q;
  assign vcount_o = vcount_q;
  assign bad_o    = bad_q;

  always_comb begin
    quiet_o = 1'b0;
    case (state_q)
      tandem_pkg::BlockFree:    quiet_o = 1'b1;
      tandem_pkg::BlockGather:  quiet_o = here_q != need_q;
      tandem_pkg::BlockWait:    quiet_o = post_q == '0 && left_q != '0;
      default: quiet_o = 1'b0;
    endcase
  end

`ifdef FORMAL
  assign state_o = state_q;
  assign need_o  = need_q;
  assign here_o  = here_q;
  assign dirs_o  = dirs_q;
  assign left_o  = left_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      if (launch_i) launch_when_free: assert (state_q == tandem_pkg::BlockFree);
      if (launch_i) launch_in_size: assert (launch_warps_i != '0 && launch_warps_i <= 6'd48);
      if (arrive_i || exit_i) arrive_expected: assert (state_q == tandem_pkg::BlockGather && here_q != need_q);
      if (state_q == tandem_pkg::BlockGather && here_q != need_q)
        arrive_at_most_needed: assert (7'(here_q) + 7'(arrive_i) + 7'(exit_i) <= 7'(need_q));
      done_expected:   assert ((done_i & ~left_q) == '0 && (done_i == '0 || state_q == tandem_pkg::BlockWait));
      start_when_free: assert (!start_i || state_q == tandem_pkg::BlockFree);
      // gather: nothing is posted before all warps are there.
      if (post_q != '0) post_when_all_here: assert (state_q == tandem_pkg::BlockWait && here_q == need_q);
      // once: what is posted waits, and nothing is acknowledged before its done.
      post_waits:      assert ((post_q & ~left_q) == '0);
      ack_after_dones: assert (state_q != tandem_pkg::BlockAck || left_q == '0);
    end
  end
`endif
endmodule
