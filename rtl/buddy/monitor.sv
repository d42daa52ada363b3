// Monitor bits of a master's scoreboard: for each warp, which members of the group have not yet
// completed its loads.
//
// A load's entry takes a bit for each member that executes it, the master's own in front.  Own
// completions and the slaves' ACKs clear them, each its member's; with the last one the register is
// released.  One entry a warp is the published design, which needs no key; with more, an entry is
// found by the register.  An own completion without entry (not a master) releases at once.
//
// Bits are kept as a vector of warps for each member of each entry: what is asked of all warps
// (full, empty) is then a few operations on vectors, and an event is a bit of one vector.
//
// Order within a cycle: events release as if one came after the other, own first; the issue takes
// an entry that was free before the cycle.  kernel_start wins over everything.
//
// Illegal: an ACK or own completion of a member whose bit is clear in its entry, an ACK without
// entry, an issue to a full warp, to no member, or of a register that has an entry.

module monitor #(
  parameter int unsigned Members = 4,
  parameter int unsigned Entries = 1,
  parameter int unsigned Warps   = tandem_pkg::Warps
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  logic                                      kernel_start_i,

  // A load or returning atomic issues to these members
  input  logic                                      iss_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]              iss_warp_i,
  input  logic [4:0]                                iss_reg_i,
  input  logic [Members-1:0]                        iss_members_i,

  // The master's own MEM write-back
  input  logic                                      own_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]              own_warp_i,
  input  logic [4:0]                                own_reg_i,
  input  logic [1:0]                                own_size_i,

  // ACKs: member 1 in the lowest bits
  input  logic [Members-2:0]                        ack_valid_i,
  input  logic [tandem_pkg::WarpW*(Members-1)-1:0]  ack_warp_i,
  input  logic [5*(Members-1)-1:0]                  ack_reg_i,
  input  logic [2*(Members-1)-1:0]                  ack_size_i,

  // Releases: of the own completion in the lowest bits, then of the ACKs
  output logic [Members-1:0]                        rel_valid_o,
  output logic [tandem_pkg::WarpW*Members-1:0]      rel_warp_o,
  output logic [5*Members-1:0]                      rel_reg_o,
  output logic [2*Members-1:0]                      rel_size_o,

`ifdef FORMAL
  output logic [Entries*Members*Warps-1:0]          mon_o,
  output logic [5*Entries*Warps-1:0]                key_o,
`endif
  output logic [Warps-1:0]                          full_o,
  output logic                                      empty_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned Bits  = Entries * Members;

  // Bit m of entry e: vector e * Members + m.
  logic [Warps-1:0]     mon_q [Bits]  /*verilator public_flat_rd*/;
  logic [5*Entries-1:0] key_q [Warps];  // means nothing if not busy; not there for one entry

  logic [Warps-1:0] full, some;
  always_comb begin
    logic [Warps-1:0] busy;
    full = '1;
    some = '0;
    for (int e = 0; e < Entries; e++) begin
      busy = '0;
      for (int m = 0; m < Members; m++) busy = busy | mon_q[e*Members+m];
      full = full & busy;
      some = some | busy;
    end
  end
  assign full_o  = full;
  assign empty_o = some == '0;

  // Events: the own completion is event 0, the ACK of member k event k.
  logic [Members-1:0]       ev_valid;
  logic [WarpW*Members-1:0] ev_warp;
  logic [5*Members-1:0]     ev_reg;
  logic [2*Members-1:0]     ev_size;
  assign ev_valid = {ack_valid_i, own_valid_i};
  always_comb begin
    ev_warp = '0;
    ev_reg  = '0;
    ev_size = '0;
    if (ev_valid != '0) begin
      ev_warp = {ack_warp_i, own_warp_i};
      ev_reg  = {ack_reg_i, own_reg_i};
      ev_size = {ack_size_i, own_size_i};
    end
  end

  // Each event finds its entry (hit: bit k * Entries + e), whose bit is cleared, and sees what is left
  // there after itself and those below it.
  logic [Bits-1:0] clear;
  always_comb begin
    logic            busy, left;
    logic [Bits-1:0] hit;
    busy        = 1'b0;
    left        = 1'b0;
    hit         = '0;
    clear       = '0;
    rel_valid_o = '0;
    rel_warp_o  = '0;
    rel_reg_o   = '0;
    rel_size_o  = '0;
    if (ev_valid != '0) begin
      for (int k = 0; k < Members; k++) begin
        if (ev_valid[k]) begin
          for (int e = 0; e < Entries; e++) begin
            busy = 1'b0;
            for (int m = 0; m < Members; m++)
              busy = busy | mon_q[e*Members+m][ev_warp[WarpW*k +: WarpW]];
            hit[k*Entries+e] = busy && (Entries == 1 ||
                key_q[ev_warp[WarpW*k +: WarpW]][5*e +: 5] == ev_reg[5*k +: 5]);
            clear[e*Members+k] = hit[k*Entries+e];
          end
          if (k == 0 && hit[Entries-1:0] == '0) rel_valid_o[0] = 1'b1;
          for (int e = 0; e < Entries; e++) begin
            left = 1'b0;
            for (int m = 0; m < Members; m++) begin
              if (mon_q[e*Members+m][ev_warp[WarpW*k +: WarpW]] &&
                  !(m <= k && hit[m*Entries+e] &&
                    ev_warp[WarpW*m +: WarpW] == ev_warp[WarpW*k +: WarpW])) left = 1'b1;
            end
            if (hit[k*Entries+e] && !left) rel_valid_o[k] = 1'b1;
          end
          if (rel_valid_o[k]) begin
            rel_warp_o[WarpW*k +: WarpW] = ev_warp[WarpW*k +: WarpW];
            rel_reg_o[5*k +: 5]          = ev_reg[5*k +: 5];
            rel_size_o[2*k +: 2]         = ev_size[2*k +: 2];
          end
        end
      end
    end
  end

  // The lowest entry of the issuing warp that is free.
  logic [Entries-1:0] take;
  logic [Bits-1:0]    set;
  always_comb begin
    logic busy, found;
    busy  = 1'b0;
    found = 1'b0;
    take  = '0;
    set   = '0;
    if (iss_valid_i) begin
      for (int e = 0; e < Entries; e++) begin
        busy = 1'b0;
        for (int m = 0; m < Members; m++) busy = busy | mon_q[e*Members+m][iss_warp_i];
        take[e] = !busy && !found;
        found   = found || !busy;
        for (int m = 0; m < Members; m++) begin
          set[e*Members+m] = take[e] && iss_members_i[m] && `FAULT(10, 1'b1, m != 1);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < Bits; i++) mon_q[i] <= '0;
    end else if ((ev_valid | Members'(iss_valid_i) | Members'(kernel_start_i)) != '0) begin
      for (int e = 0; e < Entries; e++) begin
        for (int m = 0; m < Members; m++) begin
          mon_q[e*Members+m] <= kernel_start_i ? '0 :
              (mon_q[e*Members+m] &
               ~(Warps'(clear[e*Members+m]) << ev_warp[WarpW*m +: WarpW])) |
              (Warps'(set[e*Members+m]) << iss_warp_i);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int e = 0; e < Entries; e++)
      if (take[e]) key_q[iss_warp_i][5*e +: 5] <= iss_reg_i;
  end

`ifdef FORMAL
  always_comb begin
    for (int i = 0; i < Bits; i++) mon_o[i*Warps +: Warps] = mon_q[i];
    for (int w = 0; w < Warps; w++) key_o[5*Entries*w +: 5*Entries] = key_q[w];
  end
`endif

`ifndef SYNTHESIS
  logic [Members-1:0] found;  // an event's entry
  always_comb begin
    found = '0;
    for (int i = 0; i < Bits; i++) if (clear[i]) found[i % Members] = 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      for (int k = 0; k < Members; k++) begin
        if (ev_valid[k]) begin
          begin : event_has_entry
            assert (k == 0 || found[k]);
          end
          for (int e = 0; e < Entries; e++)
            begin : cleared_was_set
              assert (!clear[e*Members+k] || mon_q[e*Members+k][ev_warp[WarpW*k +: WarpW]]);
            end
        end
      end
      if (iss_valid_i && !kernel_start_i) begin
        issued_not_full:    assert (!full[iss_warp_i]);
        issued_has_members: assert (iss_members_i != '0);
        for (int e = 0; e < Entries; e++) begin
          for (int m = 0; m < Members; m++) begin
            begin : key_not_held
              assert (Entries == 1 || !mon_q[e*Members+m][iss_warp_i] ||
                      key_q[iss_warp_i][5*e +: 5] != iss_reg_i);
            end
          end
        end
      end
    end
  end
`endif
endmodule
