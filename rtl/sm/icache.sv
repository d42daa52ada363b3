// Instruction cache: 4 ways, lines of 16 instructions, least recently used way replaced, misses
// merged in MSHRs.
//
// A lookup answers in the next cycle with the instruction and, within the line, the one after it.
// Words are kept in two memories, of even and of odd numbers, so that a lookup reads one word of
// each and a fill beat writes one of each.  A warp whose lookup misses is woken when its line is
// there, or at once if no MSHR is free, to ask again.
//
// Coincidences: a lookup sees valid bits and words as before the fill of the same cycle; a miss in
// the cycle in which its line is completed is woken with the others; a hit and a completed fill in
// one set are ranked in this order; an MSHR freed in a cycle can be taken from the next one on.
// kernel_start wins over everything.
//
// Illegal: a fill of a line that no MSHR holds, beats out of order.

module icache #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Sets = 8,
  parameter int unsigned Mshrs = tandem_pkg::Mshrs
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  // Lookup
  input  logic                         req_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] req_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   req_pc_i,

  // Fill, two instructions a beat
  input  logic                         fill_valid_i,
  input  logic [tandem_pkg::PcW-5:0]   fill_line_i,
  input  logic [2:0]                   fill_beat_i,
  input  logic [tandem_pkg::InstW-1:0] fill_data0_i,
  input  logic [tandem_pkg::InstW-1:0] fill_data1_i,

  // Hit
  output logic                         rsp_valid_o,
  output logic [tandem_pkg::WarpW-1:0] rsp_warp_o,
  output logic                         rsp_two_o,
  output logic [tandem_pkg::InstW-1:0] rsp_inst0_o,
  output logic [tandem_pkg::InstW-1:0] rsp_inst1_o,

  // Miss
  output logic [Warps-1:0]             wake_o,
  output logic                         imiss_valid_o,
  output logic [tandem_pkg::PcW-5:0]   imiss_line_o,
  output logic [Mshrs-1:0]             mshr_valid_o
);
  localparam int unsigned Ways = 4;
  localparam int unsigned LineW = tandem_pkg::PcW - 4;
  localparam int unsigned SetIdxW = $clog2(Sets);
  localparam int unsigned TagW = LineW - SetIdxW;
  localparam int unsigned MshrW = $clog2(Mshrs);

  logic [Sets*Ways-1:0]   valid_q  /*verilator public_flat_rd*/;  // at set * 4 + way
  logic [2*Sets*Ways-1:0] rank_q  /*verilator public_flat_rd*/;   // two bits a way
  logic [Mshrs-1:0]       mshr_valid_q  /*verilator public_flat_rd*/;
  logic [LineW-1:0]       mshr_line_q [Mshrs]  /*verilator public_flat_rd*/;
  logic [Warps-1:0]       mshr_waiters_q [Mshrs]  /*verilator public_flat_rd*/;

  logic [Ways*TagW-1:0]         tags_q [Sets];  // of a set's ways
  logic [tandem_pkg::InstW-1:0] even_q [Sets*Ways*8];
  logic [tandem_pkg::InstW-1:0] odd_q [Sets*Ways*8];
  logic [1:0]                   victim_q;

  logic [Warps-1:0]             wake_q;
  logic                         rsp_valid_q, rsp_two_q, imiss_valid_q;
  logic [tandem_pkg::WarpW-1:0] rsp_warp_q;
  logic [tandem_pkg::InstW-1:0] rsp_inst0_q, rsp_inst1_q;
  logic [LineW-1:0]             imiss_line_q;

  // Ranks of a set's ways after a touch of one of them.
  function automatic logic [7:0] touch(input logic [7:0] ranks, input logic [1:0] way);
    logic [1:0] old;
    old = ranks[2*way+:2];
    for (int i = 0; i < 4; i++) begin
      touch[2*i+:2] = (ranks[2*i+:2] < old) ? ranks[2*i+:2] + 2'd1 : ranks[2*i+:2];
      if (way == 2'(i)) touch[2*i+:2] = 2'd0;
    end
  endfunction

  // Lookup.
  logic [LineW-1:0]   line;
  logic [SetIdxW-1:0] set;
  logic [TagW-1:0]    tag;
  logic [2:0]         pair;  // of words in the line
  assign line = req_pc_i[tandem_pkg::PcW-1:4];
  assign set  = line[SetIdxW-1:0];
  assign tag  = line[LineW-1:SetIdxW];
  assign pair = req_pc_i[3:1];

  logic [Ways-1:0] match;
  logic            hit, miss;
  logic [1:0]      way;
  always_comb begin
    logic [Ways*TagW-1:0] differs;
    match   = '0;
    miss    = 1'b0;
    way     = '0;
    differs = '0;
    if (req_valid_i) begin
      differs = tags_q[set] ^ {Ways{tag}};
      match = valid_q[{set, 2'd0}+:Ways];
      for (int i = 0; i < Ways; i++) begin
        if (differs[i*TagW+:TagW] != '0) match[i] = 1'b0;
      end
      miss = match == '0;
      way  = {match[3] | match[2], match[3] | match[1]};
    end
  end
  assign hit = match != '0;

  // Fill.
  logic [SetIdxW-1:0] fill_set;
  logic               fill_first, fill_last;
  logic [1:0]         fill_way;
  assign fill_set   = fill_line_i[SetIdxW-1:0];
  always_comb begin
    logic [7:0] ranks;
    logic [3:0] valids;
    ranks      = '0;
    valids     = '0;
    fill_first = 1'b0;
    fill_last  = 1'b0;
    fill_way   = victim_q;
    if (fill_valid_i) begin
      fill_first = fill_beat_i == 3'd0;
      fill_last  = fill_beat_i == 3'd7;
      if (fill_first) begin
        ranks  = rank_q[8*fill_set+:8];
        valids = valid_q[4*fill_set+:4];
        for (int i = 3; i >= 0; i--) begin
          if (ranks[2*i+:2] == `FAULT(2, 2'd3, 2'd2)) fill_way = 2'(i);
        end
        for (int i = 3; i >= 0; i--) begin
          if (!valids[i]) fill_way = 2'(i);
        end
      end
    end
  end

  // MSHRs: the one that holds the line of the fill is freed; a miss joins the one that holds its
  // line, or takes the first free one.
  logic [Mshrs-1:0] freed, taken;
  logic [Warps-1:0] wake_d, mshr_waiters;
  logic             allocates, mshr_we;
  logic [MshrW-1:0] mshr_idx;
  always_comb begin
    logic [Mshrs-1:0] of_req;
    logic [Warps-1:0] req_warp;
    of_req       = '0;
    req_warp     = '0;
    freed        = '0;
    taken        = '0;
    wake_d       = '0;
    mshr_waiters = '0;
    allocates    = 1'b0;
    mshr_we      = 1'b0;
    mshr_idx     = '0;
    if (fill_last) begin
      for (int i = 0; i < Mshrs; i++) begin
        freed[i] = mshr_valid_q[i] && mshr_line_q[i] == fill_line_i;
        if (freed[i]) wake_d = wake_d | mshr_waiters_q[i];
      end
    end
    if (miss) begin
      req_warp = Warps'(1) << req_warp_i;
      for (int i = 0; i < Mshrs; i++) begin
        of_req[i] = mshr_valid_q[i] && mshr_line_q[i] == line;
      end
      if (of_req != '0) begin
        mshr_idx     = MshrW'(tandem_pkg::encode(64'(of_req)));
        mshr_waiters = mshr_waiters_q[mshr_idx] | `FAULT(3, req_warp, '0);
        mshr_we      = 1'b1;
        if ((of_req & freed) != '0) wake_d = wake_d | req_warp;
      end else if (mshr_valid_q != '1) begin
        taken        = ~mshr_valid_q & (mshr_valid_q + Mshrs'(1));
        mshr_idx     = MshrW'(tandem_pkg::encode(64'(taken)));
        mshr_waiters = req_warp;
        mshr_we      = 1'b1;
        allocates    = 1'b1;
      end else begin
        wake_d = wake_d | req_warp;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q       <= '0;
      rank_q        <= {Sets{8'hE4}};
      mshr_valid_q  <= '0;
      wake_q        <= '0;
      rsp_valid_q   <= 1'b0;
      imiss_valid_q <= 1'b0;
    end else if (kernel_start_i) begin
      valid_q       <= '0;
      rank_q        <= {Sets{8'hE4}};
      mshr_valid_q  <= '0;
      wake_q        <= '0;
      rsp_valid_q   <= 1'b0;
      imiss_valid_q <= 1'b0;
    end else begin
      if (req_valid_i || fill_valid_i) begin
        logic [2*Sets*Ways-1:0] rank;
        logic [7:0]             ranks;
        rank  = rank_q;
        ranks = '0;
        if (hit) begin
          ranks = rank_q[8*set+:8];
          // A touch of the most recent way changes nothing.
          if (ranks[2*way+:2] != 2'd0) rank[8*set+:8] = touch(ranks, way);
        end
        if (fill_first) valid_q[{fill_set, fill_way}] <= 1'b0;
        if (fill_last) begin
          valid_q[{fill_set, fill_way}] <= 1'b1;
          rank[8*fill_set+:8] = touch(rank[8*fill_set+:8], fill_way);
        end
        rank_q       <= rank;
        mshr_valid_q <= (mshr_valid_q & ~freed) | taken;
      end
      wake_q        <= wake_d;
      rsp_valid_q   <= hit;
      imiss_valid_q <= allocates;
    end
  end

  always_ff @(posedge clk_i) begin
    if (hit) begin
      rsp_warp_q  <= req_warp_i;
      rsp_two_q   <= req_pc_i[3:0] != 4'd15;
      rsp_inst0_q <= req_pc_i[0] ? odd_q[{set, way, pair}] : even_q[{set, way, pair}];
      rsp_inst1_q <= req_pc_i[0] ? even_q[{set, way, pair + 3'd1}] : odd_q[{set, way, pair}];
    end
    if (allocates) imiss_line_q <= line;
  end

  always_ff @(posedge clk_i) begin
    if (mshr_we) mshr_waiters_q[mshr_idx] <= mshr_waiters;
    if (allocates) mshr_line_q[mshr_idx] <= line;
  end

  always_ff @(posedge clk_i) begin
    if (fill_first) begin
      victim_q                                  <= fill_way;
      tags_q[fill_set][fill_way*TagW+:TagW] <= fill_line_i[LineW-1:SetIdxW];
    end
    if (fill_valid_i) begin
      even_q[{fill_set, fill_way, fill_beat_i}] <= fill_data0_i;
      odd_q[{fill_set, fill_way, fill_beat_i}]  <= fill_data1_i;
    end
  end

  assign rsp_valid_o   = rsp_valid_q;
  assign rsp_warp_o    = rsp_warp_q;
  assign rsp_two_o     = rsp_two_q;
  assign rsp_inst0_o   = rsp_inst0_q;
  assign rsp_inst1_o   = rsp_inst1_q;
  assign wake_o        = wake_q;
  assign imiss_valid_o = imiss_valid_q;
  assign imiss_line_o  = imiss_line_q;
  assign mshr_valid_o  = mshr_valid_q;

`ifndef SYNTHESIS
  logic [2:0]      beat_expected;
  logic [Ways-1:0] match_below;
  assign match_below = match - Ways'(1);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_expected <= '0;
    else if (fill_valid_i) beat_expected <= fill_beat_i + 3'd1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      beats_in_order: assert (!fill_valid_i || fill_beat_i == beat_expected);
      fill_expected:  assert (!fill_last || freed != '0);
      one_way_hits:   assert (match == '0 || (match & match_below) == '0);
    end
  end
`endif
endmodule
