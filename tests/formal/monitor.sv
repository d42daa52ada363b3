// monitor: the entry of a load is busy exactly from its issue until all its members have completed it,
// with the bits of those that have not; and its register is released exactly once, by the last.
//
// The load followed is any one: of any warp and, where entries have keys, of any register.
module monitor_formal #(
  parameter int unsigned Members = 4,
  parameter int unsigned Entries = 1,
  parameter int unsigned Warps = 4
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   kernel_start_i,
  input logic                   iss_valid_i,
  input logic [5:0]             iss_warp_i,
  input logic [4:0]             iss_reg_i,
  input logic [Members-1:0]     iss_members_i,
  input logic [Members-1:0]     ev_valid_i,  // own in bit 0, ACKs above it
  input logic [6*Members-1:0]   ev_warp_i,
  input logic [5*Members-1:0]   ev_reg_i,
  input logic [2*Members-1:0]   ev_size_i
);
  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/monitor_outputs.svh"
  monitor #(
    .Members(Members),
    .Entries(Entries),
    .Warps  (Warps)
  ) u_monitor (
    .own_valid_i(ev_valid_i[0]),
    .own_warp_i (ev_warp_i[5:0]),
    .own_reg_i  (ev_reg_i[4:0]),
    .own_size_i (ev_size_i[1:0]),
    .ack_valid_i(ev_valid_i[Members-1:1]),
    .ack_warp_i (ev_warp_i[6*Members-1:6]),
    .ack_reg_i  (ev_reg_i[5*Members-1:5]),
    .ack_size_i (ev_size_i[2*Members-1:2]),
    .*
  );

  (* anyconst *) logic [5:0] warp;
  (* anyconst *) logic [4:0] register;

  // The load, as the specification has it: who has not completed it (0: there is none).
  logic [Members-1:0] waits_q;
  logic [Members-1:0] ours;       // completions of it, or of one that is not there
  logic               iss_ours;
  always_comb begin
    for (int k = 0; k < Members; k++)
      ours[k] = ev_valid_i[k] && ev_warp_i[6*k +: 6] == warp &&
                (Entries == 1 || ev_reg_i[5*k +: 5] == register);
    iss_ours = iss_valid_i && iss_warp_i == warp && (Entries == 1 || iss_reg_i == register);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_start_i) waits_q <= '0;
    else if (iss_ours)             waits_q <= iss_members_i;
    else                           waits_q <= waits_q & ~ours;
  end

  // Legal inputs
  always_comb begin
    assume (warp < 6'(Warps));
    if (iss_valid_i) assume (iss_warp_i < 6'(Warps) && iss_members_i != '0);
    for (int k = 0; k < Members; k++) if (ev_valid_i[k]) assume (ev_warp_i[6*k +: 6] < 6'(Warps));
    if (iss_valid_i && iss_warp_i == warp) assume (!full_o[2'(warp)]);
    if (iss_ours) assume (waits_q == '0);
    // Without the load only the SM's own completion is.
    if (waits_q != '0) assume ((ours & ~waits_q) == '0);
    else assume (ours[Members-1:1] == '0);
  end

  // The warp's entries, as the unit has them
  logic [Members-1:0] bits, seen;
  logic               all_busy;
  logic [2:0]         found;
  always_comb begin
    bits     = '0;
    seen     = '0;
    all_busy = 1'b1;
    found    = 3'd0;
    for (int e = 0; e < Entries; e++) begin
      for (int m = 0; m < Members; m++) bits[m] = mon_o[(e*Members+m)*Warps + 32'(warp)];
      if (bits == '0) all_busy = 1'b0;
      if (bits != '0 && (Entries == 1 || key_o[5*(Entries*32'(warp)+e) +: 5] == register)) begin
        found = found + 3'd1;
        seen  = bits;
      end
    end
  end

  // Event k releases it if it leaves nobody, with those below it; or if it is not there.
  logic [Members-1:0] release_of;
  always_comb begin
    logic [Members-1:0] left;
    left = waits_q;
    for (int k = 0; k < Members; k++) begin
      left[k]       = left[k] && !ours[k];
      release_of[k] = ours[k] && left == '0;
    end
  end

  logic [Members-1:0] payload_ok;
  always_comb begin
    for (int k = 0; k < Members; k++) begin
      if (rel_valid_o[k])
        payload_ok[k] = ev_valid_i[k] && rel_warp_o[6*k +: 6] == ev_warp_i[6*k +: 6] &&
                        rel_reg_o[5*k +: 5] == ev_reg_i[5*k +: 5] &&
                        rel_size_o[2*k +: 2] == ev_size_i[2*k +: 2];
      else
        payload_ok[k] = rel_warp_o[6*k +: 6] == '0 && rel_reg_o[5*k +: 5] == '0 &&
                        rel_size_o[2*k +: 2] == '0;
    end
  end

  always_comb begin
    if (rst_ni) begin
      // Busy exactly while some member has not completed it, with the bits of those.
      assert (found == ((waits_q != '0) ? 3'd1 : 3'd0));
      assert (seen == waits_q);
      assert (full_o[2'(warp)] == all_busy);
      assert (!empty_o || waits_q == '0);
      assert ((rel_valid_o & ours) == release_of);
      assert (payload_ok == '1);
      cover (waits_q == '1 && release_of[Members-1]);
    end
  end
endmodule
