// Buddy cluster: Members SMs' front ends, group control, and the links between each leader and those that
// it can lead (docs/hardware/buddy_member.md).
//
// Each member's port is there Members times, packed, member 0 lowest.  Every input is registered before
// anything looks at it.  A link's inputs are valid only while the follower's lead is the leader.
//
// Illegal: what group_control and the members forbid.

module buddy_cluster #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned IbEntries = 2,  // of a warp's instruction buffer: 2, 3 or 4
  parameter int unsigned Mshrs = tandem_pkg::Mshrs,
  parameter int unsigned Members = 4,  // 2, 4 or 8
  parameter int unsigned Hop = 1,      // NoC cycles from a member to the next one
  parameter int unsigned Entries = 1,  // of the monitors
  localparam int unsigned Groups = Members / 2
) (
  input  logic                                    clk_i,
  input  logic                                    noc_clk_i,  // twice the frequency, aligned
  input  logic                                    rst_ni,
  input  logic                                    cfg_lrr_i,

  // Formation, and what changes it
  input  logic                                    kernel_start_i,
  input  logic [2:0]                              form_i,
  input  logic                                    solo_i,
  input  logic [7:0]                              power_up_i,
  input  logic                                    halfway_i,
  input  logic [Members-1:0]                      split_i,
  output logic [Members-1:0]                      master_o,
  output logic [Members-1:0]                      slave_o,
  output logic [3*Members-1:0]                    lead_o,
  output logic [Members-1:0]                      power_o,
  output logic [Members-1:0]                      reset_fe_o,
  output logic [Members-1:0]                      hold_o,
  output logic [Members-1:0]                      cta_lead_o,
  output logic [3*Groups-1:0]                     state_o,

  // Launch of a warp
  input  logic [Members-1:0]                            launch_valid_i,
  input  logic [Members*tandem_pkg::WarpW-1:0]          launch_warp_i,
  input  logic [3*Members-1:0]                          launch_cta_i,
  input  logic [Members-1:0]                            launch_last_i,
  input  logic [Members*tandem_pkg::PcW-1:0]            launch_pc_i,
  input  logic [Members*WarpSize-1:0]                   launch_mask_i,

  // Back end: branches and exits
  input  logic [Members-1:0]                            resolve_valid_i,
  input  logic [Members*tandem_pkg::WarpW-1:0]          resolve_warp_i,
  input  logic [Members*WarpSize-1:0]                   resolve_taken_i,

  // Back end: write-backs, a bit or field of SP 0, SP 1, SFU, MEM
  input  logic [4*Members-1:0]                          wb_valid_i,
  input  logic [4*Members*tandem_pkg::WarpW-1:0]        wb_warp_i,
  input  logic [4*5*Members-1:0]                        wb_reg_i,
  input  logic [4*2*Members-1:0]                        wb_size_i,
  input  logic [4*Members-1:0]                          wb_pred_i,

  // Back end: operands collected, likewise
  input  logic [4*Members-1:0]                          col_valid_i,
  input  logic [4*Members*tandem_pkg::WarpW-1:0]        col_warp_i,

  // Back end: slots freed
  input  logic [2*Members-1:0]                          sp_credit_i,
  input  logic [Members-1:0]                            sfu_credit_i,
  input  logic [Members-1:0]                            mem_credit_i,

  // Instruction memory
  input  logic [Members-1:0]                            fill_valid_i,
  input  logic [Members*(tandem_pkg::PcW-4)-1:0]        fill_line_i,
  input  logic [3*Members-1:0]                          fill_beat_i,
  input  logic [Members*tandem_pkg::InstW-1:0]          fill_data0_i,
  input  logic [Members*tandem_pkg::InstW-1:0]          fill_data1_i,

  // Instructions
  output logic [Members-1:0]                            iss0_valid_o,
  output logic [Members*tandem_pkg::InstW-1:0]          iss0_inst_o,
  output logic [Members*tandem_pkg::PcW-1:0]            iss0_pc_o,
  output logic [Members*WarpSize-1:0]                   iss0_mask_o,
  output logic [Members-1:0]                            iss1_valid_o,
  output logic [Members*tandem_pkg::InstW-1:0]          iss1_inst_o,
  output logic [Members*tandem_pkg::PcW-1:0]            iss1_pc_o,
  output logic [Members*WarpSize-1:0]                   iss1_mask_o,

  // Instruction lines asked for
  output logic [Members-1:0]                            imiss_valid_o,
  output logic [Members*(tandem_pkg::PcW-4)-1:0]        imiss_line_o,

  // Warps that ended, or trapped
  output logic [Members-1:0]                            done_valid_o,
  output logic [Members*tandem_pkg::WarpW-1:0]          done_warp_o,
  output logic [Members-1:0]                            trap_valid_o,
  output logic [Members*tandem_pkg::WarpW-1:0]          trap_warp_o,

  // Why a scheduler issues nothing
  output logic [4*Members-1:0]                          stall0_o,
  output logic [4*Members-1:0]                          stall1_o,

  // Packets, for statistics: in the slots of a leader, at the uplink of a follower
  output logic [Members-1:0]                      p0_valid_o,
  output logic [Members-1:0]                      p1_valid_o,
  output logic [Members-1:0]                      ctrl_valid_o,
  output logic [Members-1:0]                      ack_valid_o,
  output logic [Members-1:0]                      credit_valid_o,
  output logic [Members-1:0]                      drained_o,

  // Why a follower asks to ungroup: the branch or exit, its own directions and the leader's
  output logic [Members-1:0]                      cause_valid_o,
  output logic [Members*tandem_pkg::WarpW-1:0]    cause_warp_o,
  output logic [Members*tandem_pkg::PcW-1:0]      cause_pc_o,
  output logic [2*Members-1:0]                    cause_own_o,
  output logic [2*Members-1:0]                    cause_master_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam int unsigned Hops = Hop * (Members - 1);
  localparam int unsigned Delay = (Hops + 2) / 2;

  logic               kernel_start_q, solo_q;
  logic [2:0]         form_q;
  logic [7:0]         power_up_q;
  logic               halfway_q;
  logic [Members-1:0] split_q, ungroup, backlog;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {kernel_start_q, split_q} <= '0;
    else         {kernel_start_q, split_q} <= {kernel_start_i, split_i};
  end
  // No front end comes up before its leader has heard of it.
  localparam logic [7:0] UpLeast = 8'(2 * Delay);
  always_ff @(posedge clk_i) begin
    {form_q, solo_q, halfway_q} <= {form_i, solo_i, halfway_i};
    power_up_q                  <= power_up_i < UpLeast ? UpLeast : power_up_i;
  end

  // Group control's outputs (gc_), and the members' delayed copies; the members' answers, and group
  // control's delayed copies of these (gc_).
  logic [3*Groups-1:0]  gc_state;
  logic [Members-1:0]   gc_master, gc_slave, gc_power, gc_reset_fe, gc_hold, gc_park, gc_call;
  logic [Members-1:0]   gc_cta_lead, gc_drained, gc_parked, gc_cancel;
  logic [3*Members-1:0] gc_lead;
  logic [Members-1:0]   park, call, power_next, reset_fe_next, parked, cancel, called;
  group_control #(
    .Members(Members),
    .Hop(Hop)
  ) u_group_control (
    .clk_i, .kernel_start_i(kernel_start_q), .form_i(form_q), .solo_i(solo_q),
    .power_up_i(power_up_q), .halfway_i(halfway_q), .ungroup_i(ungroup), .split_i(split_q),
    .drained_i(gc_drained), .parked_i(gc_parked), .cancel_i(gc_cancel), .called_i(called),
    .master_o(gc_master), .slave_o(gc_slave), .lead_o(gc_lead), .power_o(gc_power),
    .reset_fe_o(gc_reset_fe), .hold_o(gc_hold), .park_o(gc_park), .call_o(gc_call),
    .cta_lead_o(gc_cta_lead), .state_o(gc_state), .*
  );

  side_band #(
    .Members(Members),
    .Delay(Delay)
  ) u_side_band (
    .clk_i, .state_i(gc_state), .master_i(gc_master), .slave_i(gc_slave), .lead_i(gc_lead),
    .power_i(gc_power), .reset_fe_i(gc_reset_fe), .hold_i(gc_hold), .park_i(gc_park),
    .call_i(gc_call), .cta_lead_i(gc_cta_lead), .state_o, .master_o, .slave_o, .lead_o, .power_o,
    .reset_fe_o, .hold_o, .park_o(park), .call_o(call), .cta_lead_o,
    .power_next_o(power_next), .reset_fe_next_o(reset_fe_next), .drained_i(drained_o),
    .parked_i(parked), .cancel_i(cancel), .drained_o(gc_drained), .parked_o(gc_parked),
    .cancel_o(gc_cancel), .*
  );

  // Arrays of nets, which yosys otherwise takes for memories that nobody writes.

  // Slots of the leaders, and what followers have to say.
  (* mem2reg *) logic [InstW-1:0] p0 [Members];
  (* mem2reg *) logic [InstW-1:0] p1 [Members];
  (* mem2reg *) logic             ctrl_type [Members];
  (* mem2reg *) logic [WarpW-1:0] ack_warp [Members];
  (* mem2reg *) logic [4:0]       ack_reg [Members];
  (* mem2reg *) logic [1:0]       ack_size [Members];

  // Pairs: element f * Members + l where f hears l, if l can lead it.
  localparam int unsigned Pairs = Members * Members;
  (* mem2reg *) logic               hears [Pairs];
  (* mem2reg *) logic               asks [Pairs];
  (* mem2reg *) logic               waits [Pairs];
  (* mem2reg *) logic               d0_valid [Pairs];
  (* mem2reg *) logic               d1_valid [Pairs];
  (* mem2reg *) logic [InstW-1:0]   d0 [Pairs];
  (* mem2reg *) logic [InstW-1:0]   d1 [Pairs];

  // Member l leads at most as many as the lowest bit set in l.
  for (genvar l = 0; l < Members; l++) begin : g_from
    localparam int unsigned Leads = (l == 0) ? Members : (l & (~l + 1));
    localparam int unsigned Neighbours = (Leads > 1) ? Leads - 1 : 1;
    // The k-th neighbour has bit or field k - 1.
    logic [Neighbours-1:0]       follows, up_ack_valid, up_credit;
    logic [Neighbours*WarpW-1:0] up_ack_warp;
    logic [Neighbours*5-1:0]     up_ack_reg;
    logic [Neighbours*2-1:0]     up_ack_size;
    if (Leads == 1) begin : g_nobody
      assign {follows, up_ack_valid, up_ack_warp, up_ack_reg, up_ack_size, up_credit} = '0;
    end
    for (genvar f = l + 1; f < l + Leads; f++) begin : g_to
      localparam int unsigned Of = f * Members + l;
      localparam int unsigned By = f - l - 1;
      logic       ctrl_valid, ctrl_kind;
      logic [2:0] unused_slave;
      logic [6:0] queued;
      // This neighbour's, and with those before it.
      logic                    ack_valid, credit;
      logic [WarpW-1:0]        up_warp;
      logic [4:0]              up_reg;
      logic [1:0]              up_size;
      logic [By:0]             ack_valids, credits;
      logic [(By+1)*WarpW-1:0] ack_warps;
      logic [(By+1)*5-1:0]     ack_regs;
      logic [(By+1)*2-1:0]     ack_sizes;
      assign hears[Of]   = lead_o[3*f+:3] == 3'(l);
      assign follows[By] = hears[Of] & slave_o[f];

      downlink #(
        .Hops(Hops)
      ) u_downlink (
        .clk_i, .noc_clk_i, .p0_valid_i(p0_valid_o[l] & hears[Of]), .p0_i(p0[l]),
        .p1_valid_i(p1_valid_o[l] & hears[Of]), .p1_i(p1[l]),
        .d0_valid_o(d0_valid[Of]), .d0_o(d0[Of]), .d1_valid_o(d1_valid[Of]), .d1_o(d1[Of]), .*
      );

      uplink #(
        .Hops(Hops),
        .Slave(f - l)
      ) u_uplink (
        .clk_i, .noc_clk_i, .kernel_start_i(kernel_start_q),
        .ctrl_valid_i(ctrl_valid_o[f] & hears[Of]), .ctrl_type_i(ctrl_type[f]),
        .ack_valid_i(ack_valid_o[f] & hears[Of]), .ack_warp_i(ack_warp[f]), .ack_reg_i(ack_reg[f]),
        .ack_size_i(ack_size[f]), .credit_valid_i(credit_valid_o[f] & hears[Of]),
        .backlog_o(queued), .ctrl_valid_o(ctrl_valid), .ctrl_type_o(ctrl_kind),
        .ack_valid_o(ack_valid), .ack_warp_o(up_warp), .ack_reg_o(up_reg), .ack_size_o(up_size),
        .credit_valid_o(credit), .slave_o(unused_slave), .*
      );
      assign asks[Of]  = ctrl_valid & ctrl_kind & hears[Of];
      assign waits[Of] = queued != '0;
      if (By == 0) begin : g_first
        assign ack_valids = ack_valid;
        assign credits    = credit;
        assign ack_warps  = up_warp;
        assign ack_regs   = up_reg;
        assign ack_sizes  = up_size;
      end else begin : g_next
        assign ack_valids = {ack_valid, g_to[f-1].ack_valids};
        assign ack_warps  = {up_warp, g_to[f-1].ack_warps};
        assign ack_regs   = {up_reg, g_to[f-1].ack_regs};
        assign ack_sizes  = {up_size, g_to[f-1].ack_sizes};
        assign credits    = {credit, g_to[f-1].credits};
      end
    end
    if (Leads > 1) begin : g_all
      assign up_ack_valid = g_to[l+Leads-1].ack_valids;
      assign up_ack_warp  = g_to[l+Leads-1].ack_warps;
      assign up_ack_reg   = g_to[l+Leads-1].ack_regs;
      assign up_ack_size  = g_to[l+Leads-1].ack_sizes;
      assign up_credit    = g_to[l+Leads-1].credits;
    end
  end

  for (genvar m = 0; m < Members; m++) begin : g_member
    localparam int unsigned Leads = (m == 0) ? Members : (m & (~m + 1));

    // From its leaders, of which the first member has none.
    logic             follows, listens, d0_valid_m, d1_valid_m;
    logic [InstW-1:0] d0_m, d1_m;
    if (m == 0) begin : g_first
      assign {follows, listens, ungroup[m], backlog[m], d0_valid_m, d0_m, d1_valid_m, d1_m} = '0;
    end else begin : g_heard
      assign follows = slave_o[m];
      always_comb begin
        listens    = 1'b0;
        ungroup[m] = 1'b0;
        backlog[m] = 1'b0;
        d0_valid_m = 1'b0;
        d1_valid_m = 1'b0;
        d0_m       = '0;
        d1_m       = '0;
        for (int l = 0; l < m; l++) begin
          if (l == 0 || m - l < (l & (~l + 1))) begin
            if (hears[m*Members+l]) listens    = 1'b1;
            if (asks[m*Members+l])  ungroup[m] = 1'b1;
            if (waits[m*Members+l]) backlog[m] = 1'b1;
            if (d0_valid[m*Members+l]) begin
              d0_valid_m = 1'b1;
              d0_m       = d0_m | d0[m*Members+l];
            end
            if (d1_valid[m*Members+l]) begin
              d1_valid_m = 1'b1;
              d1_m       = d1_m | d1[m*Members+l];
            end
          end
        end
      end
    end

    // A request of a leader ends its Grouped group.
    logic halves;
    if (Leads == 1) begin : g_alone
      assign halves = 1'b0;
    end else begin : g_leads
      always_comb begin
        halves = 1'b0;
        if (halfway_q && gc_state[3*(m/2)+:3] == tandem_pkg::GroupGrouped) begin
          for (int f = m + 1; f < m + Leads; f++) if (asks[f*Members+m]) halves = 1'b1;
        end
      end
    end

    // This member's, and with those before it.
    logic                   done_valid, trap_valid;
    logic [WarpW-1:0]       done_warp, trap_warp;
    logic [m:0]             done_valids, trap_valids;
    logic [(m+1)*WarpW-1:0] done_warps, trap_warps;
    if (m == 0) begin : g_lowest
      assign done_valids = done_valid;
      assign trap_valids = trap_valid;
      assign done_warps  = done_warp;
      assign trap_warps  = trap_warp;
    end else begin : g_above
      assign done_valids = {done_valid, g_member[m-1].done_valids};
      assign trap_valids = {trap_valid, g_member[m-1].trap_valids};
      assign done_warps  = {done_warp, g_member[m-1].done_warps};
      assign trap_warps  = {trap_warp, g_member[m-1].trap_warps};
    end

    buddy_member #(
      .Warps(Warps),
      .WarpSize(WarpSize),
      .StackDepth(StackDepth),
      .IbEntries(IbEntries),
    .Mshrs(Mshrs),
      .Leads(Leads),
      .Delay(Delay),
      .Entries(Entries)
    ) u_member (
      .clk_i, .cfg_lrr_i, .kernel_start_i, .master_i(master_o[m]), .slave_i(follows),
      .power_next_i(power_next[m]), .reset_fe_next_i(reset_fe_next[m]),
      .reset_fe_i(reset_fe_o[m]), .hold_i(hold_o[m]), .park_i(park[m]), .call_i(call[m]),
      .listens_i(listens), .set_i(halves), .parked_o(parked[m]), .cancel_o(cancel[m]), .called_o(called[m]),
      .slaves_i(g_from[m].follows), .backlog_i(backlog[m]), .drained_o(drained_o[m]),
      .launch_valid_i(launch_valid_i[m]),
      .launch_i({launch_warp_i[m*WarpW+:WarpW], launch_cta_i[m*3+:3], launch_last_i[m],
                 launch_pc_i[m*PcW+:PcW]}),
      .launch_mask_i(launch_mask_i[m*WarpSize+:WarpSize]), .resolve_valid_i(resolve_valid_i[m]),
      .resolve_warp_i(resolve_warp_i[m*WarpW+:WarpW]),
      .resolve_taken_i(resolve_taken_i[m*WarpSize+:WarpSize]), .wb_valid_i(wb_valid_i[m*4+:4]),
      .wb_i({wb_warp_i[m*4*WarpW+:4*WarpW], wb_reg_i[m*4*5+:4*5], wb_size_i[m*4*2+:4*2],
             wb_pred_i[m*4+:4]}),
      .col_valid_i(col_valid_i[m*4+:4]), .col_warp_i(col_warp_i[m*4*WarpW+:4*WarpW]),
      .credit_i({sp_credit_i[m*2+:2], sfu_credit_i[m], mem_credit_i[m]}),
      .fill_valid_i(fill_valid_i[m]),
      .fill_i({fill_line_i[m*(PcW-4)+:(PcW-4)], fill_beat_i[m*3+:3], fill_data1_i[m*InstW+:InstW],
               fill_data0_i[m*InstW+:InstW]}),
      .iss0_valid_o(iss0_valid_o[m]),
      .iss0_o({iss0_pc_o[m*PcW+:PcW], iss0_inst_o[m*InstW+:InstW]}),
      .iss0_mask_o(iss0_mask_o[m*WarpSize+:WarpSize]), .iss1_valid_o(iss1_valid_o[m]),
      .iss1_o({iss1_pc_o[m*PcW+:PcW], iss1_inst_o[m*InstW+:InstW]}),
      .iss1_mask_o(iss1_mask_o[m*WarpSize+:WarpSize]), .imiss_valid_o(imiss_valid_o[m]),
      .imiss_line_o(imiss_line_o[m*(PcW-4)+:(PcW-4)]), .done_valid_o(done_valid),
      .done_warp_o(done_warp), .trap_valid_o(trap_valid), .trap_warp_o(trap_warp),
      .stall0_o(stall0_o[m*4+:4]),
      .stall1_o(stall1_o[m*4+:4]),
      .p0_valid_o(p0_valid_o[m]), .p0_o(p0[m]), .p1_valid_o(p1_valid_o[m]),
      .p1_o(p1[m]), .d0_valid_i(d0_valid_m), .d0_i(d0_m), .d1_valid_i(d1_valid_m),
      .d1_i(d1_m), .ctrl_valid_o(ctrl_valid_o[m]), .ctrl_type_o(ctrl_type[m]),
      .ack_valid_o(ack_valid_o[m]), .ack_warp_o(ack_warp[m]),
      .ack_reg_o(ack_reg[m]), .ack_size_o(ack_size[m]),
      .credit_valid_o(credit_valid_o[m]), .cause_valid_o(cause_valid_o[m]),
      .cause_warp_o(cause_warp_o[m*WarpW+:WarpW]), .cause_pc_o(cause_pc_o[m*PcW+:PcW]),
      .cause_own_o(cause_own_o[m*2+:2]), .cause_master_o(cause_master_o[m*2+:2]),
      .up_ack_valid_i(g_from[m].up_ack_valid),
      .up_ack_warp_i(g_from[m].up_ack_warp),
      .up_ack_reg_i(g_from[m].up_ack_reg),
      .up_ack_size_i(g_from[m].up_ack_size),
      .up_credit_i(g_from[m].up_credit), .*
    );
  end

  assign done_valid_o = g_member[Members-1].done_valids;
  assign trap_valid_o = g_member[Members-1].trap_valids;
  always_comb begin
    done_warp_o = '0;
    trap_warp_o = '0;
    if (done_valid_o != '0) done_warp_o = g_member[Members-1].done_warps;
    if (trap_valid_o != '0) trap_warp_o = g_member[Members-1].trap_warps;
  end

`ifdef TANDEM_CHECKS
  // For simulation: what must hold in every cycle.
  logic [2*Members-1:0]       fe_valid, iss_valid;
  logic [2*Members*InstW-1:0] fe_inst, iss_inst;
  logic [2*Members*PcW-1:0]   iss_pc;
  logic [Members-1:0]         on, units_clk, resolve_valid, pop_valid, take_mem, mem_credit;
  logic [Members-1:0]         launch_valid, launch_last;
  logic [Members*WarpW-1:0]   resolve_warp, pop_warp, launch_warp;
  logic [3*Members-1:0]       launch_cta;
  logic [4*Members-1:0]       places;
  logic [4*Pairs-1:0]         places_of;  // 0 where nobody follows
  for (genvar m = 0; m < Members; m++) begin : g_seen
    assign fe_valid[2*m+:2] = {g_member[m].u_member.fe1_valid, g_member[m].u_member.fe0_valid};
    assign fe_inst[2*InstW*m+:2*InstW] =
        {g_member[m].u_member.fe1.inst, g_member[m].u_member.fe0.inst};
    assign iss_valid[2*m+:2] = {iss1_valid_o[m], iss0_valid_o[m]};
    assign iss_inst[2*InstW*m+:2*InstW] =
        {iss1_inst_o[InstW*m+:InstW], iss0_inst_o[InstW*m+:InstW]};
    assign iss_pc[2*PcW*m+:2*PcW] = {iss1_pc_o[PcW*m+:PcW], iss0_pc_o[PcW*m+:PcW]};
    assign on[m]            = g_member[m].u_member.on;
    assign units_clk[m]     = g_member[m].u_member.units_clk;
    assign resolve_valid[m] = g_member[m].u_member.st_resolve_valid;
    assign resolve_warp[WarpW*m+:WarpW] = g_member[m].u_member.st_resolve_warp;
    assign pop_valid[m]     = g_member[m].u_member.u_frontend.flush_valid;
    assign pop_warp[WarpW*m+:WarpW] = g_member[m].u_member.u_frontend.flush_warp;
    assign take_mem[m]      = g_member[m].u_member.take_mem;
    assign mem_credit[m]    = g_member[m].u_member.mem_credit;
    assign launch_valid[m]  = g_member[m].u_member.u_frontend.launch_valid_q;
    assign launch_last[m]   = g_member[m].u_member.u_frontend.launch_q.last;
    assign launch_cta[3*m+:3] = g_member[m].u_member.u_frontend.launch_q.cta;
    assign launch_warp[WarpW*m+:WarpW] = g_member[m].u_member.u_frontend.launch_q.warp;
    for (genvar l = 0; l < Members; l++) begin : g_led
      if (l < m && (l == 0 || m - l < (l & (~l + 1)))) begin : g_pair
        assign places_of[4*(m*Members+l)+:4] = (slave_o[m] && hears[m*Members+l]) ?
            g_member[l].u_member.g_leads.u_leader.u_master_port.u_places.count_q[4*(m-l-1)+:4] : '0;
      end else begin : g_none
        assign places_of[4*(m*Members+l)+:4] = '0;
      end
    end
    always_comb begin
      places[4*m+:4] = '0;
      for (int l = 0; l < Members; l++)
        places[4*m+:4] = places[4*m+:4] | places_of[4*(m*Members+l)+:4];
    end
  end

  buddy_checks #(
    .Warps(Warps),
    .Members(Members),
    .Delay(Delay)
  ) u_checks (
    .clk_i, .rst_ni, .kernel_start_i(kernel_start_q), .master_i(master_o), .slave_i(slave_o),
    .lead_i(lead_o), .cta_lead_i(cta_lead_o), .on_i(on), .units_clk_i(units_clk),
    .launch_valid_i(launch_valid),
    .launch_warp_i(launch_warp), .launch_cta_i(launch_cta), .launch_last_i(launch_last),
    .fe_valid_i(fe_valid), .fe_inst_i(fe_inst), .iss_valid_i(iss_valid), .iss_inst_i(iss_inst),
    .iss_pc_i(iss_pc), .resolve_valid_i(resolve_valid), .resolve_warp_i(resolve_warp),
    .pop_valid_i(pop_valid), .pop_warp_i(pop_warp), .take_mem_i(take_mem),
    .mem_credit_i(mem_credit), .places_i(places)
  );
`endif
endmodule
