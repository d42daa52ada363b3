// The invariants of a cluster (docs/hardware/buddy.md), checked in every cycle, for simulation alone: an
// assertion fails in the process that is named after the invariant.  "ack" is monitor's own.
//
// Each port has a bit or field of each member, packed.  Registered inputs (_q) are those that the
// members see in this cycle.

module buddy_checks #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Members = 4,
  parameter int unsigned Delay = 2
) (
  input logic                                 clk_i,
  input logic                                 rst_ni,
  input logic                                 kernel_start_i,  // registered

  // Roles
  input logic [Members-1:0]                   master_i,
  input logic [Members-1:0]                   slave_i,
  input logic [3*Members-1:0]                 lead_i,
  input logic [Members-1:0]                   cta_lead_i,
  input logic [Members-1:0]                   on_i,
  input logic [Members-1:0]                   units_clk_i,

  // Launches, registered
  input logic [Members-1:0]                   launch_valid_i,
  input logic [Members*tandem_pkg::WarpW-1:0] launch_warp_i,
  input logic [3*Members-1:0]                 launch_cta_i,
  input logic [Members-1:0]                   launch_last_i,

  // Issue registers of the front ends, and what gets to the back ends
  input logic [2*Members-1:0]                 fe_valid_i,  // bit 2m + s: of scheduler s
  input logic [2*Members*tandem_pkg::InstW-1:0] fe_inst_i,
  input logic [2*Members-1:0]                 iss_valid_i,
  input logic [2*Members*tandem_pkg::InstW-1:0] iss_inst_i,
  input logic [2*Members*tandem_pkg::PcW-1:0] iss_pc_i,

  // Stacks: a branch or exit is resolved, a warp is popped
  input logic [Members-1:0]                   resolve_valid_i,
  input logic [Members*tandem_pkg::WarpW-1:0] resolve_warp_i,
  input logic [Members-1:0]                   pop_valid_i,
  input logic [Members*tandem_pkg::WarpW-1:0] pop_warp_i,

  // Memory places: taken by a leader, freed in a member (registered), counted for it by its leader
  input logic [Members-1:0]                   take_mem_i,
  input logic [Members-1:0]                   mem_credit_i,
  input logic [4*Members-1:0]                 places_i
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam int unsigned LeadW = $clog2(Members);
  localparam int unsigned Verdict = 2 * Delay + 4;
  localparam logic [4:0]  Full = 5'(tandem_pkg::MemPlaces);

  for (genvar m = 0; m < Members; m++) begin : g_of
    logic [LeadW-1:0] lead;
    logic             leads, follows, grouped;
    assign lead    = lead_i[3*m+:LeadW];
    assign leads   = master_i[m];
    assign follows = slave_i[m];
    assign grouped = leads | follows;

    // A slave's lead is a master, and so do the members between the two follow it.
    always_ff @(posedge clk_i or negedge rst_ni) begin : one
      if (rst_ni && follows) begin
        begin : lead_is_a_master
          assert ({1'b0, lead_i[3*m+:3]} + 4'd1 <= 4'(m) && master_i[lead] && !slave_i[lead]);
        end
        for (int k = 1; k < m; k++)
          begin : between_follow
            assert (k <= 32'(lead) || (slave_i[k] && lead_i[3*k+:LeadW] == lead));
          end
      end
    end

    // CTAs go to all of a group, warp by warp: to a follower, and to a member that is to form a group
    // again, if they go to the one before it.
    localparam int unsigned Before = (m > 0) ? m - 1 : 0;
    always_ff @(posedge clk_i or negedge rst_ni) begin : set
      if (rst_ni && (follows || !cta_lead_i[m])) begin
        begin : launched_with_one_before
          assert (launch_valid_i[m] == launch_valid_i[Before]);
        end
        begin : same_launch
          assert (!launch_valid_i[m] ||
                  (launch_warp_i[WarpW*m+:WarpW] == launch_warp_i[WarpW*Before+:WarpW] &&
                   launch_cta_i[3*m+:3] == launch_cta_i[3*Before+:3] &&
                   launch_last_i[m] == launch_last_i[Before]));
        end
      end
    end

    // Members execute the instructions that left the leader Delay cycles ago, and no others.
    logic [2*Delay-1:0]       left_valid_q;  // youngest lowest
    logic [2*Delay*InstW-1:0] left_inst_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        left_valid_q <= '0;
      end else begin
        left_valid_q <= (2*Delay)'({left_valid_q, fe_valid_i[2*m+:2] & {2{leads}}});
        left_inst_q  <= (2*Delay*InstW)'({left_inst_q, fe_inst_i[2*InstW*m+:2*InstW]});
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin : same
      if (rst_ni) begin
        begin : left_a_leader
          assert (leads || left_valid_q == '0 || kernel_start_i);
        end
        for (int k = m; k < Members; k++) begin
          if (leads && (k == m || (slave_i[k] && lead_i[3*k+:3] == 3'(m)))) begin
            begin : issued_with_leader
              assert (iss_valid_i[2*k+:2] == left_valid_q[2*Delay-2+:2]);
            end
            for (int s = 0; s < 2; s++)
              begin : issued_what_left
                assert (!iss_valid_i[2*k+s] || iss_inst_i[InstW*(2*k+s)+:InstW] ==
                                               left_inst_q[InstW*(2*Delay-2+s)+:InstW]);
              end
          end
        end
      end
    end

    // No instruction of a warp leaves in its verdict window: in the issue registers from the second
    // cycle after the resolve on.
    logic [Verdict-1:0]       resolved_q;
    logic [Verdict*WarpW-1:0] resolved_warp_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)             resolved_q <= '0;
      else if (kernel_start_i) resolved_q <= '0;
      else resolved_q <= Verdict'({resolved_q, resolve_valid_i[m] & leads});
    end
    always_ff @(posedge clk_i)
      resolved_warp_q <= (Verdict*WarpW)'({resolved_warp_q, resolve_warp_i[WarpW*m+:WarpW]});
    always_ff @(posedge clk_i or negedge rst_ni) begin : verdict
      if (rst_ni && leads) begin
        for (int s = 0; s < 2; s++) begin
          for (int i = 1; i < Verdict; i++)
            begin : none_in_verdict_window
              assert (!fe_valid_i[2*m+s] || !resolved_q[i] ||
                      fe_inst_i[InstW*(2*m+s+1)-1-:WarpW] != resolved_warp_q[WarpW*i+:WarpW]);
            end
        end
      end
    end

    // Places that the leader counts, those that instructions have, and credits on their way.
    logic [4:0]     taken_q, coming;
    logic [Delay:0] freed_q;
    always_comb begin
      coming = '0;
      for (int i = 0; i <= Delay; i++) coming = coming + 5'(freed_q[i]);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {taken_q, freed_q} <= '0;
      end else if (kernel_start_i || !follows) begin
        {taken_q, freed_q} <= '0;
      end else begin
        taken_q <= taken_q + 5'(take_mem_i[lead]) - 5'(mem_credit_i[m]);
        freed_q <= (Delay+1)'({freed_q, mem_credit_i[m]});
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin : credit
      if (rst_ni && follows) begin : places_conserved
        assert ({1'b0, places_i[4*m+:4]} + taken_q + coming == Full);
      end
    end

    // No clock of a front end that is off rises.
    logic was_on;
    always_ff @(negedge clk_i) was_on <= on_i[m];
    always_ff @(posedge units_clk_i[m]) begin : clock_when_on
      assert (was_on);
    end

    // Each warp goes on where it was: behind its last instruction, at a branch's target, or where a
    // pop or launch has put it.  A leader's back end sees an event of its stack Delay cycles later.
    logic [Warps-1:0]       known_q, known_d;
    logic [PcW-1:0]         next_q [Warps];
    logic [PcW-1:0]         target_q [Warps];
    logic [Delay-1:0]       popped_q, begun_q;
    logic [Delay*WarpW-1:0] popped_warp_q, begun_warp_q;
    always_comb begin
      known_d = known_q;
      for (int s = 0; s < 2; s++)
        if (iss_valid_i[2*m+s])
          known_d = known_d | (Warps'(1) << iss_inst_i[InstW*(2*m+s+1)-1-:WarpW]);
      if (pop_valid_i[m])     known_d = known_d & ~(Warps'(1) << pop_warp_i[WarpW*m+:WarpW]);
      if (launch_valid_i[m])  known_d = known_d & ~(Warps'(1) << launch_warp_i[WarpW*m+:WarpW]);
      if (popped_q[Delay-1])
        known_d = known_d & ~(Warps'(1) << popped_warp_q[WarpW*(Delay-1)+:WarpW]);
      if (begun_q[Delay-1])
        known_d = known_d & ~(Warps'(1) << begun_warp_q[WarpW*(Delay-1)+:WarpW]);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {known_q, popped_q, begun_q} <= '0;
      end else begin
        known_q  <= known_d;
        popped_q <= Delay'({popped_q, pop_valid_i[m] & grouped});
        begun_q  <= Delay'({begun_q, launch_valid_i[m] & grouped});
      end
    end
    always_ff @(posedge clk_i) begin
      popped_warp_q <= (Delay*WarpW)'({popped_warp_q, pop_warp_i[WarpW*m+:WarpW]});
      begun_warp_q  <= (Delay*WarpW)'({begun_warp_q, launch_warp_i[WarpW*m+:WarpW]});
      for (int s = 0; s < 2; s++) begin
        if (iss_valid_i[2*m+s]) begin
          next_q[iss_inst_i[InstW*(2*m+s+1)-1-:WarpW]] <= iss_pc_i[PcW*(2*m+s)+:PcW] + PcW'(1);
          target_q[iss_inst_i[InstW*(2*m+s+1)-1-:WarpW]] <= iss_pc_i[PcW*(2*m+s)+:PcW] + PcW'(1);
          if (iss_inst_i[InstW*(2*m+s)+48+:10] == 10'(tandem_pkg::CtlBra))
            target_q[iss_inst_i[InstW*(2*m+s+1)-1-:WarpW]] <=
                iss_inst_i[InstW*(2*m+s)+32+:PcW];
        end
      end
    end
    logic [WarpW-1:0] warp0, warp1;
    assign warp0 = iss_inst_i[InstW*(2*m+1)-1-:WarpW];
    assign warp1 = iss_inst_i[InstW*(2*m+2)-1-:WarpW];
    always_ff @(posedge clk_i or negedge rst_ni) begin : whole
      if (rst_ni) begin
        begin : goes_on_where_it_was0
          assert (!iss_valid_i[2*m] || !known_q[warp0] ||
                  iss_pc_i[PcW*2*m+:PcW] == next_q[warp0] ||
                  iss_pc_i[PcW*2*m+:PcW] == target_q[warp0]);
        end
        begin : goes_on_where_it_was1
          assert (!iss_valid_i[2*m+1] || !known_q[warp1] ||
                  iss_pc_i[PcW*(2*m+1)+:PcW] == next_q[warp1] ||
                  iss_pc_i[PcW*(2*m+1)+:PcW] == target_q[warp1]);
        end
      end
    end
  end
endmodule
