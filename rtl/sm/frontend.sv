// The front end of an SM: fetch to issue, two instructions a cycle; what sm_frontend is alone, and
// buddy_member within a cluster.
//
// Every input of an SM is registered before anything looks at it, and every output but quiet_o is a
// register.  An instruction passes in four cycles: fetch selects a warp; the icache is asked; its
// answer is decoded into the instruction buffer; a scheduler picks it and it issues, visible one
// cycle later.
//
// quiet_o says, of state alone, that with all valids and credits at 0 another clock would change
// nothing: a simulator may leave it out, hardware may gate the clock.
//
// With Buddy (docs/hardware/buddy_member.md), everything but simt_stack and barrier runs on units_clk_i, and has
// effect on the others only while on_i; reset_fe_i resets it; while follow_i, simt_stack and barrier see
// the instructions x0 and x1 instead of its own.  Resolves and results of the memory go out
// registered, and come back as st_resolve and rel.  Without Buddy these inputs are not looked at.
//
// kernel_start brings the units to their reset state; it is legal only while nothing is live or in
// flight, and leaves the registers of this module alone, which may hold the next cycle's launch.
//
// Illegal: what docs/hardware/frontend.md forbids to the environment.

module frontend #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned Mshrs = tandem_pkg::Mshrs,
  parameter int unsigned IbEntries = 2,  // of a warp's instruction buffer: 2, 3 or 4
  parameter bit          Buddy = 1'b0,
  parameter int unsigned Releases = 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,

  // Configuration, constant in a run
  input  logic                                cfg_lrr_i,
  input  logic                                kernel_start_i,

  // Launch of a warp
  input  logic                                launch_valid_i,
  input  tandem_pkg::launch_t                 launch_i,
  input  logic [WarpSize-1:0]                 launch_mask_i,

  // Back end: branches and exits; write-backs and operands collected, a bit or field of SP 0, SP 1, SFU,
  // MEM; slots freed
  input  logic                                resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        resolve_warp_i,
  input  logic [WarpSize-1:0]                 resolve_taken_i,
  input  logic [3:0]                          wb_valid_i,
  input  tandem_pkg::writeback_t              wb_i,
  input  logic [3:0]                          col_valid_i,
  input  logic [4*tandem_pkg::WarpW-1:0]      col_warp_i,
  input  tandem_pkg::credit_t                 credit_i,

  // Instruction memory
  input  logic                                fill_valid_i,
  input  tandem_pkg::fill_t                   fill_i,

  // Issued instructions
  output logic                                iss0_valid_o,
  output tandem_pkg::issued_t                 iss0_o,
  output logic [WarpSize-1:0]                 iss0_mask_o,
  output logic                                iss1_valid_o,
  output tandem_pkg::issued_t                 iss1_o,
  output logic [WarpSize-1:0]                 iss1_mask_o,

  // Instruction lines asked for; warps that ended, or trapped
  output logic                                imiss_valid_o,
  output logic [tandem_pkg::PcW-5:0]          imiss_line_o,
  output logic                                done_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        done_warp_o,
  output logic                                trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        trap_warp_o,

  // Why a scheduler issues nothing; nothing to do at all
  output logic [3:0]                          stall0_o,
  output logic [3:0]                          stall1_o,
  output logic                                quiet_o,

  // Member of a cluster: what runs, and what it follows
  input  logic                                units_clk_i,
  input  logic                                on_i,
  input  logic                                reset_fe_i,
  input  logic                                follow_i,
  input  logic                                x0_valid_i,
  input  logic [tandem_pkg::InstW-1:0]        x0_inst_i,
  input  logic                                x1_valid_i,
  input  logic [tandem_pkg::InstW-1:0]        x1_inst_i,
  output logic [tandem_pkg::PcW-1:0]          top0_pc_o,
  output logic [WarpSize-1:0]                 top0_mask_o,
  output logic [tandem_pkg::PcW-1:0]          top1_pc_o,
  output logic [WarpSize-1:0]                 top1_mask_o,

  // Parking; roll call: no fetch, and the warps whose depths the stack is asked for
  input  logic                                parks_i,  // else parking_o is 0
  output tandem_pkg::parking_t                parking_o,
  output logic [tandem_pkg::PcW-1:0]          res_rpc_o,
  output logic [Warps-1:0]                    live_o,
  output logic [Warps-1:0]                    held_o,
  input  logic                                stop0_i,
  input  logic                                stop1_i,
  input  logic [Warps-1:0]                    parked_i,
  input  logic                                fetch_hold_i,
  input  logic [tandem_pkg::WarpW-1:0]        roll0_warp_i,
  input  logic [tandem_pkg::WarpW-1:0]        roll1_warp_i,

  // Holds of issue, by the cluster
  input  logic                                hold_i,
  input  logic                                members_short_i,
  input  logic                                one_slot_i,
  input  logic [Warps-1:0]                    verdict_i,
  input  logic [Warps-1:0]                    mon_full_i,
  output logic                                take_mem_o,
  output logic                                take_load_o,  // which is a load
  output logic [tandem_pkg::WarpW-1:0]        take_warp_o,
  output logic [4:0]                          take_reg_o,

  // Registered inputs, and what becomes of them
  output logic                                kernel_start_o,
  output logic                                resolve_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        resolve_warp_o,
  output logic [WarpSize-1:0]                 resolve_taken_o,
  output logic                                wb3_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        wb3_warp_o,
  output logic [4:0]                          wb3_reg_o,
  output logic [1:0]                          wb3_size_o,
  output logic                                mem_credit_o,
  input  logic                                st_resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        st_resolve_warp_i,
  input  logic [WarpSize-1:0]                 st_resolve_taken_i,
  input  logic [Warps-1:0]                    defer_i,
  output logic [tandem_pkg::PcW-1:0]          res_at_o,
  output logic [1:0]                          res_dirs_o,
  input  logic [Releases-1:0]                 rel_valid_i,
  input  logic [Releases*tandem_pkg::WarpW-1:0] rel_warp_i,
  input  logic [Releases*5-1:0]               rel_reg_i,
  input  logic [Releases*2-1:0]               rel_size_i,

  // Warps that are not at rest; a line is asked for or on its way; nothing is pending
  output logic [Warps-1:0]                    unsettled_o,
  output logic                                fetching_o,
  output logic                                idle_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam logic [Warps-1:0] Even = {(Warps / 2) {2'b01}};

  // Registered inputs.
  logic                   cfg_lrr_q, kernel_start_q, launch_valid_q, resolve_valid_q, fill_valid_q, inputs_idle;
  tandem_pkg::launch_t    launch_q;
  tandem_pkg::writeback_t wb_q;
  tandem_pkg::credit_t    credit_q;
  tandem_pkg::fill_t      fill_q;
  logic [WarpSize-1:0]    launch_mask_q, resolve_taken_q;
  logic [WarpW-1:0]       resolve_warp_q;
  logic [3:0]             wb_valid_q, col_valid_q;
  logic [4*WarpW-1:0]     col_warp_q;

  frontend_inputs #(
    .WarpSize(WarpSize)
  ) u_inputs (
    .cfg_lrr_o(cfg_lrr_q), .kernel_start_o(kernel_start_q), .launch_valid_o(launch_valid_q),
    .launch_o(launch_q), .launch_mask_o(launch_mask_q), .resolve_valid_o(resolve_valid_q),
    .resolve_warp_o(resolve_warp_q), .resolve_taken_o(resolve_taken_q), .wb_valid_o(wb_valid_q),
    .wb_o(wb_q), .col_valid_o(col_valid_q), .col_warp_o(col_warp_q), .credit_o(credit_q),
    .fill_valid_o(fill_valid_q), .fill_o(fill_q), .idle_o(inputs_idle), .*
  );

  // Between the units.
  logic              sel_valid, req_valid, rsp_valid, rsp_two;
  logic [WarpW-1:0]  sel_warp, req_warp, rsp_warp;
  logic [PcW-1:0]    top_pc, sel_pc, req_pc;
  logic [InstW-1:0]  rsp_inst0, rsp_inst1;
  logic [Warps-1:0]  wake;
  logic [Mshrs-1:0]  mshr_valid;
  tandem_pkg::dec_t  dec0, dec1;
  logic [1:0]        sel_held;
  logic [Warps-1:0]  ib_full, ib_valid, ib_sfu, ib_mem, ib_none, unused_ib_second;
  logic              nh0_valid, nh1_valid, nh2_valid;
  tandem_pkg::opnd_t nh0_opnd, nh1_opnd, nh2_opnd;
  logic [InstW-1:0]  head0, head1;
  tandem_pkg::dec_t  head0_dec, head1_dec;
  logic              unused_head0, unused_head1, unused_head0_b, unused_head1_b;
  logic [Warps-1:0]  live, ctrl, settle, waiting, hazard, elig, ib_load;
  logic [PcW-1:0]    pc0, pc1;
  logic [WarpSize-1:0] mask0, mask1;
  logic              flush_valid, done_valid, trap_valid, mem_home;
  logic [WarpW-1:0]  flush_warp, done_warp, trap_warp, pick0, pick1;
  logic              pick0_valid, pick1_valid, picked0, picked1, take_mem, imiss;
  logic [3:0]        stall0, stall1;
  logic [7:0]        freed;
  logic [tandem_pkg::DepthW-1:0] depth0, depth1;
  logic [1:0]        push, res_push;
  logic              branch0, branch1;
  // Entries of the stack are held in it.
  logic              unused_pop_valid;
  logic [WarpW-1:0]  unused_pop_warp;
  logic [$clog2(StackDepth+1)-1:0] unused_push_depth, unused_pop_at;
  logic [WarpSize-1:0] unused_push0_mask, unused_push1_mask;
  logic [2*PcW-1:0]  unused_push0_pcs, unused_push1_pcs;

  // Outputs of units that may be off, as the others see them.
  logic              on, follow, units_start, grant0, grant1;
  assign on             = Buddy ? on_i : 1'b1;
  assign follow         = Buddy & follow_i;
  assign units_start    = kernel_start_q | (Buddy & reset_fe_i);
  assign grant0         = picked0 & on;
  assign grant1         = picked1 & on;
  assign imiss_valid_o  = imiss & on;

  // Issues that simt_stack and barrier see: own instructions or those of the cluster's master.
  logic              st0_valid, st1_valid;
  logic [WarpW-1:0]  st0_warp, st1_warp;
  logic [1:0]        st0_ctl, st1_ctl;
  logic [PcW-1:0]    st0_target, st0_rpc, st1_target, st1_rpc;
  issue_select u_select0 (
    .on_i(on), .pick_i(pick0), .grant_i(grant0), .head_i(head0), .head_ctl_i(head0_dec.ctl),
    .follow_i(follow), .x_valid_i(x0_valid_i), .x_inst_i(x0_inst_i), .valid_o(st0_valid),
    .warp_o(st0_warp), .ctl_o(st0_ctl), .target_o(st0_target), .rpc_o(st0_rpc)
  );
  issue_select u_select1 (
    .on_i(on), .pick_i(pick1), .grant_i(grant1), .head_i(head1), .head_ctl_i(head1_dec.ctl),
    .follow_i(follow), .x_valid_i(x1_valid_i), .x_inst_i(x1_inst_i), .valid_o(st1_valid),
    .warp_o(st1_warp), .ctl_o(st1_ctl), .target_o(st1_target), .rpc_o(st1_rpc)
  );

  assign branch0  = st0_valid && st0_ctl == tandem_pkg::CtlBra;
  assign branch1  = st1_valid && st1_ctl == tandem_pkg::CtlBra;
  assign res_push = 2'(push[0]) + 2'(push[1]);

  // The registered inputs that pass through the ports of a cluster's member.
  assign kernel_start_o = kernel_start_q;
  assign {resolve_valid_o, resolve_warp_o, resolve_taken_o} = {resolve_valid_q, resolve_warp_q, resolve_taken_q};
  assign {wb3_valid_o, wb3_warp_o, wb3_reg_o, wb3_size_o} =
      {wb_valid_q[3], wb_q.warp[3*WarpW+:WarpW], wb_q.dst[3*5+:5], wb_q.size[3*2+:2]};
  assign mem_credit_o = credit_q.mem;
  logic                st_resolve_valid;
  logic [WarpW-1:0]    st_resolve_warp;
  logic [WarpSize-1:0] st_resolve_taken;
  assign {st_resolve_valid, st_resolve_warp, st_resolve_taken} = Buddy ?
      {st_resolve_valid_i, st_resolve_warp_i, st_resolve_taken_i} :
      {resolve_valid_q, resolve_warp_q, resolve_taken_q};
  logic [Releases-1:0]       rel_valid, rel_pred;
  logic [Releases*WarpW-1:0] rel_warp;
  logic [Releases*5-1:0]     rel_reg;
  logic [Releases*2-1:0]     rel_size;
  assign {rel_valid, rel_warp, rel_reg, rel_size, rel_pred} = Buddy ?
      {rel_valid_i, rel_warp_i, rel_reg_i, rel_size_i, Releases'(0)} :
      (14*Releases+Releases)'({wb3_valid_o, wb3_warp_o, wb3_reg_o, wb3_size_o, wb_q.pred[3]});
  logic [Releases+2:0]           wb_valid, wb_pred;
  logic [(Releases+3)*WarpW-1:0] wb_warp;
  logic [(Releases+3)*5-1:0]     wb_reg;
  logic [(Releases+3)*2-1:0]     wb_size;
  assign wb_valid = {rel_valid, wb_valid_q[2:0]};
  assign wb_warp  = {rel_warp, wb_q.warp[3*WarpW-1:0]};
  assign wb_reg   = {rel_reg, wb_q.dst[3*5-1:0]};
  assign wb_size  = {rel_size, wb_q.size[3*2-1:0]};
  assign wb_pred  = {rel_pred, wb_q.pred[2:0]};

  // The memory instruction that is granted.
  assign take_mem_o = take_mem & on;
  always_comb begin
    {take_load_o, take_warp_o, take_reg_o} = '0;
    if (take_mem_o)
      {take_load_o, take_warp_o, take_reg_o} = (grant1 && head1_dec.pipe == tandem_pkg::PipeMem) ?
          {head1_dec.d_n != 2'd0, pick1, head1[4:0]} : {head0_dec.d_n != 2'd0, pick0, head0[4:0]};
  end

  assign {top0_pc_o, top0_mask_o, top1_pc_o, top1_mask_o} = {pc0, mask0, pc1, mask1};
  always_comb begin
    parking_o = '0;
    if (parks_i)
      parking_o = {launch_valid_q, launch_q.warp, pick0_valid & on, pick0, pick1_valid & on, pick1,
                   flush_valid, flush_warp, depth0, depth1, res_push, mem_home};
  end
  assign live_o = live;
  assign unsettled_o = ctrl | (settle & ~(follow ? defer_i : '0));
  assign fetching_o  = req_valid | (mshr_valid != '0);

  logic [Warps-1:0] fetchable, elig0, elig1;
  logic             launch0, launch1, arrive0, arrive1, ends_fetch, wr_two;
  assign fetchable = (on && !(Buddy && fetch_hold_i)) ? live & ~ctrl & ~settle & ~waiting : '0;
  assign elig0     = elig & Even;
  assign elig1     = elig & ~Even;
  assign {launch1, launch0} = {2{launch_valid_q}} & {launch_q.warp[0], ~launch_q.warp[0]};
  assign arrive0   = st0_ctl == tandem_pkg::CtlBar;
  assign arrive1   = st1_ctl == tandem_pkg::CtlBar;

  // The instruction behind a branch or exit is not executed next.
  assign ends_fetch = dec0.ctl == tandem_pkg::CtlBra || dec0.ctl == tandem_pkg::CtlExit;
  assign wr_two     = rsp_two && !ends_fetch;

  // The next instruction to be fetched is behind those that the warp holds.
  assign sel_pc = (IbEntries > 2) ? top_pc + PcW'(sel_held) : top_pc;

  fetch #(
    .Warps(Warps)
  ) u_fetch (
    .clk_i(units_clk_i), .kernel_start_i(units_start), .fetchable_i(fetchable),
    .ib_valid_i(ib_full), .deliver_valid_i(rsp_valid), .deliver_warp_i(rsp_warp), .wake_i(wake),
    .sel_valid_o(sel_valid), .sel_warp_o(sel_warp), .sel_pc_i(sel_pc), .req_valid_o(req_valid),
    .req_warp_o(req_warp), .req_pc_o(req_pc), .*
  );

  icache #(
    .Warps(Warps),
    .Mshrs(Mshrs)
  ) u_icache (
    .clk_i(units_clk_i), .kernel_start_i(units_start), .req_valid_i(req_valid),
    .req_warp_i(req_warp), .req_pc_i(req_pc), .fill_valid_i(fill_valid_q),
    .fill_line_i(fill_q.line), .fill_beat_i(fill_q.beat), .fill_data0_i(fill_q.data0),
    .fill_data1_i(fill_q.data1), .rsp_valid_o(rsp_valid), .rsp_warp_o(rsp_warp),
    .rsp_two_o(rsp_two), .rsp_inst0_o(rsp_inst0), .rsp_inst1_o(rsp_inst1), .wake_o(wake),
    .imiss_valid_o(imiss), .imiss_line_o(imiss_line_o), .mshr_valid_o(mshr_valid), .*
  );

  decode u_decode0 (.inst_i(rsp_inst0), .dec_o(dec0), .*);
  decode u_decode1 (.inst_i(rsp_inst1), .dec_o(dec1), .*);

  ibuffer #(
    .Warps(Warps),
    .Entries(IbEntries),
    .Loads(Buddy)
  ) u_ibuffer (
    .clk_i(units_clk_i), .kernel_start_i(units_start), .wr_valid_i(rsp_valid), .wr_warp_i(rsp_warp),
    .wr_two_i(wr_two), .fetch_valid_i(sel_valid), .fetch_warp_i(sel_warp), .fetch_held_o(sel_held),
    .full_o(ib_full),
    .wr_inst0_i(rsp_inst0), .wr_dec0_i(dec0), .wr_inst1_i(rsp_inst1), .wr_dec1_i(dec1),
    .pop0_valid_i(picked0), .pop0_warp_i(pick0), .pop1_valid_i(picked1), .pop1_warp_i(pick1),
    .flush_valid_i(flush_valid), .flush_warp_i(flush_warp), .rd0_valid_o(unused_head0), .rd0_inst_o(head0),
    .rd0_dec_o(head0_dec), .rd0_b_o(unused_head0_b), .rd1_valid_o(unused_head1), .rd1_inst_o(head1),
    .rd1_dec_o(head1_dec), .rd1_b_o(unused_head1_b), .valid_o(ib_valid), .sfu_o(ib_sfu),
    .mem_o(ib_mem), .none_o(ib_none), .second_o(unused_ib_second), .load_o(ib_load),
    .nh0_valid_o(nh0_valid), .nh0_opnd_o(nh0_opnd), .nh1_valid_o(nh1_valid), .nh1_opnd_o(nh1_opnd),
    .nh2_valid_o(nh2_valid), .nh2_opnd_o(nh2_opnd), .*
  );

  simt_stack #(
    .Warps(Warps),
    .WarpSize(WarpSize),
    .StackDepth(StackDepth),
    .Outcomes(Buddy)
  ) u_simt_stack (
    .clk_i, .kernel_start_i(kernel_start_q), .bypass_i(1'b0),
    .launch_valid_i(launch_valid_q), .launch_warp_i(launch_q.warp), .launch_pc_i(launch_q.pc),
    .launch_mask_i(launch_mask_q), .resolve_valid_i(st_resolve_valid),
    .resolve_warp_i(st_resolve_warp), .resolve_taken_i(st_resolve_taken), .iss0_valid_i(st0_valid),
    .iss0_warp_i(st0_warp), .iss0_ctl_i(st0_ctl), .iss1_valid_i(st1_valid), .iss1_warp_i(st1_warp),
    .iss1_ctl_i(st1_ctl), .br0_valid_i(branch0), .br0_warp_i(st0_warp), .br0_target_i(st0_target),
    .br0_rpc_i(st0_rpc), .br1_valid_i(branch1), .br1_warp_i(st1_warp), .br1_target_i(st1_target),
    .br1_rpc_i(st1_rpc), .depth0_warp_i(roll0_warp_i), .depth1_warp_i(roll1_warp_i),
    .defer_i(Buddy ? defer_i : '0),
    .fetch_warp_i(on ? sel_warp : '0), .fetch_pc_o(top_pc), .rd0_pc_o(pc0), .rd0_mask_o(mask0),
    .rd1_pc_o(pc1), .rd1_mask_o(mask1), .depth0_o(depth0), .depth1_o(depth1),
    .live_o(live), .ctrl_o(ctrl), .settle_o(settle), .push_o(push), .push_depth_o(unused_push_depth),
    .push0_mask_o(unused_push0_mask), .push0_pcs_o(unused_push0_pcs), .push1_mask_o(unused_push1_mask),
    .push1_pcs_o(unused_push1_pcs), .pop_valid_o(unused_pop_valid), .pop_warp_o(unused_pop_warp),
    .pop_at_o(unused_pop_at), .pop_mask_i('0), .pop_pcs_i('0),
    .flush_valid_o(flush_valid), .flush_warp_o(flush_warp), .done_valid_o(done_valid),
    .done_warp_o(done_warp), .trap_valid_o(trap_valid), .trap_warp_o(trap_warp), .res_at_o,
    .res_dirs_o, .res_rpc_o, .*
  );

  scoreboard #(
    .Warps(Warps),
    .Releases(Releases)
  ) u_scoreboard (
    .clk_i(units_clk_i), .kernel_start_i(units_start),
    .nh0_valid_i(nh0_valid & on), .nh0_warp_i(rsp_warp), .nh0_opnd_i(nh0_opnd), .nh1_valid_i(nh1_valid),
    .nh1_opnd_i(nh1_opnd), .nh2_valid_i(nh2_valid), .nh2_opnd_i(nh2_opnd),
    .flush_valid_i(flush_valid), .flush_warp_i(flush_warp), .iss0_valid_i(picked0),
    .iss0_warp_i(pick0), .iss1_valid_i(picked1), .iss1_warp_i(pick1),
    .wb_valid_i(wb_valid), .wb_warp_i(wb_warp), .wb_reg_i(wb_reg), .wb_size_i(wb_size),
    .wb_pred_i(wb_pred), .col_valid_i(col_valid_q), .col_warp_i(col_warp_q),
    .hazard_o(hazard), .idle_o, .*
  );

  warp_scheduler #(
    .Warps(Warps),
    .Parity(1'b0)
  ) u_sched0 (
    .clk_i(units_clk_i), .kernel_start_i(units_start), .lrr_i(cfg_lrr_q), .launch_valid_i(launch0),
    .launch_warp_i(launch_q.warp), .elig_i(elig0), .grant_i(picked0), .pick_valid_o(pick0_valid),
    .pick_warp_o(pick0), .*
  );

  warp_scheduler #(
    .Warps(Warps),
    .Parity(1'b1)
  ) u_sched1 (
    .clk_i(units_clk_i), .kernel_start_i(units_start), .lrr_i(cfg_lrr_q), .launch_valid_i(launch1),
    .launch_warp_i(launch_q.warp), .elig_i(elig1), .grant_i(picked1), .pick_valid_o(pick1_valid),
    .pick_warp_o(pick1), .*
  );

  localparam int unsigned SpSlots = Buddy ? tandem_pkg::SpPlaces : 8;
  localparam int unsigned MemSlots = Buddy ? tandem_pkg::MemPlaces : 4;
  issue #(
    .Warps(Warps),
    .SpSlots(SpSlots),
    .MemSlots(MemSlots),
    .Causes(Buddy ? {tandem_pkg::StallHold, tandem_pkg::StallPark, tandem_pkg::StallSlot, tandem_pkg::StallMembers,
                     tandem_pkg::StallMonitor, tandem_pkg::StallVerdict, tandem_pkg::StallPark} : '0)
  ) u_issue (
    .clk_i(units_clk_i), .kernel_start_i(units_start), .start_sp_i(4'(SpSlots)), .start_sfu_i(3'd4),
    .start_mem_i(4'(MemSlots)), .start_sp1_i('0), .start_sfu1_i('0), .start_mem1_i('0),
    .live_i(live & {Warps{on}}), .ctrl_i(ctrl), .settle_i(settle), .waiting_i(waiting), .ib_valid_i(ib_valid),
    .ib_sfu_i(ib_sfu), .ib_mem_i(ib_mem), .ib_none_i(ib_none), .hazard_i(hazard), .far_i('0),
    .sp_credit_i(credit_q.sp), .sfu_credit_i(credit_q.sfu), .mem_credit_i(credit_q.mem), .sp_credit1_i('0),
    .sfu_credit1_i(1'b0), .mem_credit1_i(1'b0), .veto_all_i(hold_i), .veto_two_i(one_slot_i),
    .veto_pick0_i(stop0_i), .veto_pick1_i(stop1_i), .veto_slot_a_i({Warps{members_short_i}} & ib_mem),
    .veto_slot_b_i(ib_load & mon_full_i), .veto_ready_a_i(verdict_i), .veto_ready_b_i(parked_i),
    .mem_home_o(mem_home), .take_mem_o(take_mem), .elig_o(elig), .pick0_valid_i(pick0_valid),
    .pick0_warp_i(pick0), .pick1_valid_i(pick1_valid), .pick1_warp_i(pick1), .grant0_o(picked0),
    .grant1_o(picked1), .stall0_o(stall0), .stall1_o(stall1), .*
  );

  barrier #(
    .Warps(Warps)
  ) u_barrier (
    .clk_i, .kernel_start_i(kernel_start_q), .live_i(live | (Buddy ? verdict_i : '0)),
    .launch_valid_i(launch_valid_q), .launch_warp_i(launch_q.warp), .launch_cta_i(launch_q.cta),
    .launch_last_i(launch_q.last), .arrive0_valid_i(arrive0), .arrive0_warp_i(st0_warp),
    .arrive1_valid_i(arrive1), .arrive1_warp_i(st1_warp), .waiting_o(waiting), .release_o(freed),
    .held_o, .*
  );

  frontend_outputs #(
    .WarpSize(WarpSize)
  ) u_outputs (
    .on_i(on), .grant0_i(grant0), .pick0_i(pick0), .head0_i(head0), .pc0_i(pc0), .mask0_i(mask0),
    .grant1_i(grant1), .pick1_i(pick1), .head1_i(head1), .pc1_i(pc1), .mask1_i(mask1),
    .stall0_i(stall0), .stall1_i(stall1), .done_valid_i(done_valid), .done_warp_i(done_warp),
    .trap_valid_i(trap_valid), .trap_warp_i(trap_warp), .*
  );

  // Nothing under way, and the next stall causes are the present ones.  The most likely reason
  // against it comes first, and spares the others.
  always_comb begin
    quiet_o = 1'b0;
    if (elig == '0 && !sel_valid && !rsp_valid) begin
      if (inputs_idle && !iss0_valid_o && !iss1_valid_o && wake == '0 && settle == '0)
        quiet_o = ~|{req_valid, imiss_valid_o, done_valid_o, trap_valid_o, freed} &&
                  stall0 == stall0_o && stall1 == stall1_o;
    end
  end

  logic unused_bits;
  assign unused_bits = 1'b0 & ^{head0_dec, head1_dec, x0_inst_i, x1_inst_i, ib_load};
endmodule
