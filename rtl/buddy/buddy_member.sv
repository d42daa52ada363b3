// Member of a buddy cluster: the front end of an SM with what it takes to lead others and to follow one
// (docs/hardware/buddy_member.md).
//
// A leader sends what it issues and what its branches did, and issues only what all members have room
// for.  A follower's stack and barrier go by what the leader sends; the rest of its front end has no
// clock.  It stays off until reset_fe_i after its power returned (member_power).
//
// An odd member leads nobody (Leads = 1): no master port and no monitor.
//
// Illegal: what the ports and the front end forbid.

module buddy_member #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned IbEntries = 2,  // of a warp's instruction buffer: 2, 3 or 4
  parameter int unsigned Mshrs = tandem_pkg::Mshrs,
  parameter int unsigned Leads = 4,    // members of the largest group that it leads
  parameter int unsigned Delay = 2,    // of the way to the others, core cycles
  parameter int unsigned Entries = 1,  // of the monitor
  localparam int unsigned Neighbours = (Leads > 1) ? Leads - 1 : 1
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    cfg_lrr_i,
  input  logic                                    kernel_start_i,

  // Group control, as it is seen here
  input  logic                                    master_i,
  input  logic                                    slave_i,
  input  logic                                    power_next_i,  // in the next cycle
  input  logic                                    reset_fe_next_i,
  input  logic                                    reset_fe_i,
  input  logic                                    hold_i,
  input  logic                                    park_i,
  input  logic                                    call_i,
  input  logic                                    listens_i,  // its lead is another member
  input  logic                                    set_i,  // its group comes apart halfway
  input  logic [Neighbours-1:0]                   slaves_i,  // bit k-1: the k-th neighbour follows
  input  logic                                    backlog_i,  // something waits in its uplink
  output logic                                    drained_o,
  output logic                                    parked_o,
  output logic                                    cancel_o,
  output logic                                    called_o,

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

  // Why a scheduler issues nothing
  output logic [3:0]                                    stall0_o,
  output logic [3:0]                                    stall1_o,

  // Downlinks: as a leader, as a follower
  output logic                                    p0_valid_o,
  output logic [tandem_pkg::InstW-1:0]            p0_o,
  output logic                                    p1_valid_o,
  output logic [tandem_pkg::InstW-1:0]            p1_o,
  input  logic                                    d0_valid_i,
  input  logic [tandem_pkg::InstW-1:0]            d0_i,
  input  logic                                    d1_valid_i,
  input  logic [tandem_pkg::InstW-1:0]            d1_i,

  // Uplinks: as a follower, as a leader
  output logic                                    ctrl_valid_o,
  output logic                                    ctrl_type_o,
  output logic                                    ack_valid_o,
  output logic [tandem_pkg::WarpW-1:0]            ack_warp_o,
  output logic [4:0]                              ack_reg_o,
  output logic [1:0]                              ack_size_o,
  output logic                                    credit_valid_o,
  output logic                                    cause_valid_o,
  output logic [tandem_pkg::WarpW-1:0]            cause_warp_o,
  output logic [tandem_pkg::PcW-1:0]              cause_pc_o,
  output logic [1:0]                              cause_own_o,
  output logic [1:0]                              cause_master_o,
  input  logic [Neighbours-1:0]                   up_ack_valid_i,
  input  logic [Neighbours*tandem_pkg::WarpW-1:0] up_ack_warp_i,
  input  logic [Neighbours*5-1:0]                 up_ack_reg_i,
  input  logic [Neighbours*2-1:0]                 up_ack_size_i,
  input  logic [Neighbours-1:0]                   up_credit_i
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam int unsigned Releases = (Leads > 4) ? Leads : (Leads > 1) ? 4 : 1;

  // Between front end and ports.
  logic                kernel_start, resolve_valid, wb3_valid, mem_credit;
  logic [WarpW-1:0]    resolve_warp, wb3_warp;
  logic [WarpSize-1:0] resolve_taken;
  logic [4:0]          wb3_reg;
  logic [1:0]          wb3_size;
  tandem_pkg::issued_t fe0, fe1, out0, out1;
  logic                fe0_valid, fe1_valid, out0_valid, out1_valid, x0_valid, x1_valid;
  logic [InstW-1:0]    x0_inst, x1_inst;
  logic [PcW-1:0]      top0_pc, top1_pc;
  logic [WarpSize-1:0] fe0_mask, fe1_mask, out0_mask, out1_mask, top0_mask, top1_mask;
  logic                st_resolve_valid, take_mem, take_load, imiss_valid;
  logic [WarpW-1:0]    st_resolve_warp, take_warp;
  logic [4:0]          take_reg;
  logic [WarpSize-1:0] st_resolve_taken;
  logic [Warps-1:0]    diverged, verdict, mon_full, unsettled;
  logic [1:0]          res_dirs;
  logic [3:0]          stall0, stall1;
  logic [WarpW-1:0]    done_warp, trap_warp;
  logic                members_ok, mon_empty, port_empty, slave_empty, fetching, idle, unused_quiet;
  logic [Releases-1:0]       rel_valid;
  logic [Releases*WarpW-1:0] rel_warp;
  logic [Releases*5-1:0]     rel_reg;
  logic [Releases*2-1:0]     rel_size;

  // Halfway: what park sees and says.
  tandem_pkg::parking_t fe;
  logic [Warps-1:0]    live, held, parked;
  logic                stop0, stop1, park_differs, heard_valid, all_parked, cancel;
  logic [WarpW-1:0]    roll0_warp, roll1_warp;
  logic [PcW-1:0]      heard_pc, split_rpc, res_rpc, res_at;
  logic                call0_valid, call1_valid, called0_valid, called1_valid, end_valid;
  logic [WarpW-1:0]    call0_warp, call1_warp, called0_warp, called1_warp;
  logic [tandem_pkg::DepthW-1:0] called0_depth, called1_depth;
  logic [5:0]          last_count, end_count;

  logic units_clk;
  logic on  /*verilator public_flat_rd*/;
  member_power u_power (
    .clk_i, .power_next_i, .reset_fe_next_i, .on_o(on), .units_clk_o(units_clk), .*
  );

  frontend #(
    .Warps(Warps),
    .WarpSize(WarpSize),
    .StackDepth(StackDepth),
    .IbEntries(IbEntries),
    .Mshrs(Mshrs),
    .Buddy(1'b1),
    .Releases(Releases)
  ) u_frontend (
    .iss0_valid_o(fe0_valid), .iss0_o(fe0), .iss0_mask_o(fe0_mask), .iss1_valid_o(fe1_valid), .iss1_o(fe1),
    .iss1_mask_o(fe1_mask), .imiss_valid_o(imiss_valid), .done_warp_o(done_warp), .trap_warp_o(trap_warp),
    .stall0_o(stall0), .stall1_o(stall1), .quiet_o(unused_quiet), .units_clk_i(units_clk),
    .on_i(on), .reset_fe_i, .follow_i(slave_i), .x0_valid_i(x0_valid),
    .x0_inst_i(x0_inst), .x1_valid_i(x1_valid), .x1_inst_i(x1_inst), .top0_pc_o(top0_pc),
    .top0_mask_o(top0_mask), .top1_pc_o(top1_pc), .top1_mask_o(top1_mask),
    .parks_i(~(master_i | slave_i)), .parking_o(fe), .res_rpc_o(res_rpc), .live_o(live),
    .held_o(held), .stop0_i(stop0), .stop1_i(stop1), .parked_i(parked),
    .fetch_hold_i(park_i & hold_i), .roll0_warp_i(roll0_warp),
    .roll1_warp_i(roll1_warp), .members_short_i(~members_ok),
    .one_slot_i(resolve_valid & master_i & Leads > 1), .verdict_i(verdict), .mon_full_i(mon_full),
    .take_mem_o(take_mem), .take_load_o(take_load), .take_warp_o(take_warp), .take_reg_o(take_reg),
    .kernel_start_o(kernel_start), .resolve_valid_o(resolve_valid), .resolve_warp_o(resolve_warp),
    .resolve_taken_o(resolve_taken), .wb3_valid_o(wb3_valid), .wb3_warp_o(wb3_warp),
    .wb3_reg_o(wb3_reg), .wb3_size_o(wb3_size), .mem_credit_o(mem_credit),
    .st_resolve_valid_i(st_resolve_valid), .st_resolve_warp_i(st_resolve_warp),
    .st_resolve_taken_i(st_resolve_taken), .defer_i(diverged), .res_at_o(res_at), .res_dirs_o(res_dirs),
    .rel_valid_i(rel_valid), .rel_warp_i(rel_warp), .rel_reg_i(rel_reg), .rel_size_i(rel_size),
    .unsettled_o(unsettled), .fetching_o(fetching), .idle_o(idle), .*
  );
  // Warps end seldom: nothing to move otherwise.
  assign done_warp_o = done_valid_o ? done_warp : '0;
  assign trap_warp_o = trap_valid_o ? trap_warp : '0;
  // While reset_fe is high the front end requests no instruction line.
  assign imiss_valid_o = imiss_valid & ~reset_fe_i;
  assign stall0_o = on ? stall0 : '0;
  assign stall1_o = on ? stall1 : '0;

  slave_port #(
    .Warps(Warps),
    .WarpSize(WarpSize),
    .Delay(Delay)
  ) u_slave_port (
    .clk_i, .slave_i, .listens_i, .d0_valid_i, .d0_i, .d1_valid_i, .d1_i,
    .resolve_valid_i(resolve_valid), .resolve_warp_i(resolve_warp),
    .resolve_taken_i(resolve_taken), .wb3_valid_i(wb3_valid), .wb3_warp_i(wb3_warp),
    .wb3_reg_i(wb3_reg), .wb3_size_i(wb3_size), .mem_credit_i(mem_credit),
    .x0_valid_o(x0_valid), .x0_inst_o(x0_inst), .x1_valid_o(x1_valid), .x1_inst_o(x1_inst),
    .st_resolve_valid_o(st_resolve_valid), .st_resolve_warp_o(st_resolve_warp),
    .st_resolve_taken_o(st_resolve_taken), .res_at_i(res_at), .res_dirs_i(res_dirs),
    .set_valid_o(heard_valid), .set_pc_o(heard_pc), .called0_valid_o(called0_valid),
    .called0_warp_o(called0_warp), .called0_depth_o(called0_depth),
    .called1_valid_o(called1_valid), .called1_warp_o(called1_warp),
    .called1_depth_o(called1_depth), .end_valid_o(end_valid), .end_count_o(end_count),
    .park_differs_i(park_differs), .diverged_o(diverged), .ctrl_valid_o, .ctrl_type_o,
    .ack_valid_o, .ack_warp_o, .ack_reg_o, .ack_size_o, .credit_valid_o, .empty_o(slave_empty), .*
  );

  park #(
    .Warps(Warps)
  ) u_park (
    .clk_i, .kernel_start_i(kernel_start), .park_i, .together_i(master_i | slave_i),
    .set_valid_i(set_i | heard_valid), .set_pc_i(set_i ? split_rpc : heard_pc),
    .launch_valid_i(fe.launch_valid), .launch_warp_i(fe.launch_warp),
    .res_valid_i(st_resolve_valid), .res_warp_i(st_resolve_warp), .res_push_i(fe.res_push),
    .pop_valid_i(fe.pop_valid), .pop_warp_i(fe.pop_warp), .live_i(live), .held_i(held),
    .pick0_valid_i(fe.pick0_valid), .pick0_warp_i(fe.pick0_warp), .pick0_pc_i(top0_pc),
    .pick1_valid_i(fe.pick1_valid), .pick1_warp_i(fe.pick1_warp), .pick1_pc_i(top1_pc),
    .stop0_o(stop0), .stop1_o(stop1), .parked_o(parked), .all_o(all_parked), .cancel_o(cancel),
    .call_i,
    .call0_valid_o(call0_valid), .call0_warp_o(call0_warp), .call1_valid_o(call1_valid),
    .call1_warp_o(call1_warp), .last_valid_o(called_o), .last_count_o(last_count),
    .called0_valid_i(called0_valid), .called0_warp_i(called0_warp),
    .called0_depth_i(called0_depth), .called1_valid_i(called1_valid),
    .called1_warp_i(called1_warp), .called1_depth_i(called1_depth), .end_valid_i(end_valid),
    .end_count_i(end_count), .depth0_i(fe.depth0), .depth1_i(fe.depth1),
    .differs_o(park_differs), .*
  );
  // Asked for only of members that park.
  assign parked_o = park_i ? all_parked : 1'b0;
  assign cancel_o = park_i ? cancel : 1'b0;
  // The warps whose depths are asked for; they matter in a roll call.
  assign roll0_warp = call_i ? call0_warp : called0_warp;
  assign roll1_warp = call_i ? call1_warp : called1_warp;

  if (Leads > 1) begin : g_leads
    member_leader #(
      .Warps(Warps),
      .WarpSize(WarpSize),
      .Leads(Leads),
      .Releases(Releases),
      .Delay(Delay),
      .Entries(Entries)
    ) u_leader (
      .clk_i, .units_clk_i(units_clk), .kernel_start_i(kernel_start), .on_i(on), .reset_fe_i,
      .master_i, .slave_i, .slaves_i,
      .iss0_valid_i(fe0_valid), .iss0_inst_i(fe0.inst), .iss0_pc_i(fe0.pc), .iss0_mask_i(fe0_mask),
      .iss1_valid_i(fe1_valid), .iss1_inst_i(fe1.inst), .iss1_pc_i(fe1.pc), .iss1_mask_i(fe1_mask),
      .take_mem_i(take_mem), .take_load_i(take_load), .take_warp_i(take_warp),
      .take_reg_i(take_reg), .resolve_valid_i(resolve_valid), .resolve_warp_i(resolve_warp),
      .res_dirs_i(res_dirs), .res_rpc_i(res_rpc), .set_i,
      .call0_valid_i(call0_valid), .call0_warp_i(call0_warp), .call0_depth_i(fe.depth0),
      .call1_valid_i(call1_valid), .call1_warp_i(call1_warp), .call1_depth_i(fe.depth1),
      .last_valid_i(called_o), .last_count_i(last_count), .split_rpc_o(split_rpc),
      .own_valid_i(wb3_valid), .own_warp_i(wb3_warp), .own_reg_i(wb3_reg), .own_size_i(wb3_size),
      .up_ack_valid_i, .up_ack_warp_i, .up_ack_reg_i, .up_ack_size_i, .up_credit_i, .p0_valid_o,
      .p0_o, .p1_valid_o, .p1_o, .out0_valid_o(out0_valid), .out0_inst_o(out0.inst),
      .out0_pc_o(out0.pc), .out0_mask_o(out0_mask), .out1_valid_o(out1_valid),
      .out1_inst_o(out1.inst), .out1_pc_o(out1.pc), .out1_mask_o(out1_mask), .verdict_o(verdict),
      .mon_full_o(mon_full), .members_ok_o(members_ok), .rel_valid_o(rel_valid),
      .rel_warp_o(rel_warp), .rel_reg_o(rel_reg), .rel_size_o(rel_size),
      .port_empty_o(port_empty), .mon_empty_o(mon_empty), .*
    );
  end else begin : g_leads_none
    assign {p0_valid_o, p0_o, p1_valid_o, p1_o} = '0;
    assign {out0_valid, out0, out0_mask} = {fe0_valid, fe0, fe0_mask};
    assign {out1_valid, out1, out1_mask} = {fe1_valid, fe1, fe1_mask};
    assign {verdict, mon_full} = '0;
    assign split_rpc = tandem_pkg::NoRpc;
    assign {members_ok, port_empty, mon_empty} = '1;
    assign {rel_valid, rel_warp, rel_reg, rel_size} = {wb3_valid & on, wb3_warp, wb3_reg, wb3_size};
    logic unused_lead;
    assign unused_lead = ^{call0_valid, call1_valid, last_count, res_rpc,
                           take_mem, take_load, take_warp, take_reg, slaves_i,
                           up_ack_valid_i, up_ack_warp_i, up_ack_reg_i, up_ack_size_i, up_credit_i};
  end

  // To the back end: own instructions, or the leader's with what the stack has for them.
  always_comb begin
    {iss0_valid_o, iss0_o, iss0_mask_o} = {out0_valid, out0, out0_mask};
    {iss1_valid_o, iss1_o, iss1_mask_o} = {out1_valid, out1, out1_mask};
    if (slave_i) begin
      {iss0_valid_o, iss0_o, iss0_mask_o} = {x0_valid, top0_pc, x0_inst, top0_mask};
      {iss1_valid_o, iss1_o, iss1_mask_o} = {x1_valid, top1_pc, x1_inst, top1_mask};
    end
  end

  // A front end that is not up has nothing pending, whatever its registers say.
  logic up_idle;
  assign up_idle = (idle & mon_empty) | ~on | reset_fe_i;

  // A member that parks is about to give back the places that its leader counts: none of its own.  A line that
  // comes later would find a follower's front end off.
  // The leader's scoreboard, monitor and credits say whether a slave's back end still has
  // instructions of the leader.
  always_comb begin
    if (slave_i) drained_o = slave_empty & ~backlog_i;
    else         drained_o = up_idle & port_empty & ~fe0_valid & ~fe1_valid & (~park_i | (fe.mem_home & ~fetching));
    if (drained_o) drained_o = unsettled == '0;
  end
endmodule
