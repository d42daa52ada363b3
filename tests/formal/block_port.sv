// block_port: when all warps that live have come, and only then, each link of their directions is
// posted, once; when, and only when, each has its done, the warps go on.  Interface units'
// synchronisations are counted; what is not allowed is reported.
//
// A warp comes or ends if it lives and does not wait.  The role stands still while a CTA lives.
module block_port_formal #(
  parameter int unsigned Warps = 3
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             kernel_start_i,
  input logic             launch_i,
  input logic [5:0]       launch_warps_i,
  input logic [Warps-1:0] arrive_i,       // the warp that does
  input logic [6:0]       arrive_dirs_i,
  input logic [Warps-1:0] exit_i,
  input logic [2:0]       role_i,
  input logic             viu_i,
  input logic             side_i,
  input logic             start_i,
  input logic [5:0]       done_i
);
  localparam logic [1:0] Free   = 2'd0;
  localparam logic [1:0] Gather = 2'd1;
  localparam logic [1:0] Wait   = 2'd2;
  localparam logic [1:0] Ack    = 2'd3;

  one_clock u_one_clock (.clk_i, .rst_ni);

  logic        arrives, exits;
`include "csim/ports/block_port_outputs.svh"
  assign arrives = arrive_i != '0;
  assign exits   = exit_i != '0;
  block_port u_block_port (
    .arrive_i(arrives),
    .exit_i  (exits),
    .*
  );

  // The CTA: warps that live, that wait; the directions of the first one, and whether others
  // differ.
  logic [Warps-1:0] live_q, wait_q;
  logic [6:0]       dirs_q;
  logic             differ_q;
  logic             all;  // that live wait
  assign all = live_q != '0 && wait_q == live_q;

  // The links that the role has for the directions, by the table.
  logic [5:0] links;
  logic       sound;
  always_comb begin
    links = '0;
    case (role_i)
      3'd1:
        if (dirs_q == 7'h40)        links = 6'h20;
        else if (dirs_q[6:4] == '0) links = dirs_q[5:0];
      3'd2, 3'd3:
        if (dirs_q == 7'h40) links = 6'h20;
        else if ((dirs_q & 7'h4f) == '0 && (viu_i || !dirs_q[5])) begin
          links[4] = dirs_q[5];
          if (dirs_q[4]) begin
            if (role_i == 3'd2) links[side_i ? 1 : 3] = 1'b1;
            else                links[side_i ? 0 : 2] = 1'b1;
          end
        end
      default: links = '0;
    endcase
    sound = links != '0;
  end

  // The synchronisation: all were there in the cycle before; links that are posted, that are open.
  logic       all_q, over_q;
  logic [5:0] posted_q, open_q, posted, open, still;
  assign posted = posted_q | post_o;
  assign open   = open_q | post_o;
  always_comb begin
    still = open & ~done_i;
    if (role_i == 3'd3 && post_o[4]) still[4] = 1'b0;  // a put needs no answer
  end

  logic [15:0] cspill_q, vcount_q;
  logic        bad_q, counts;
  logic [2:0]  role_q;
  logic        viu_q, side_q;
  assign counts = ack_o & (dirs_q[4] | (dirs_q[6] & (role_i == 3'd2 || role_i == 3'd3)));
  always_ff @(posedge clk_i) begin
    role_q <= role_i;
    viu_q  <= viu_i;
    side_q <= side_i;
    if (!rst_ni || kernel_start_i) begin
      live_q   <= '0;
      wait_q   <= '0;
      differ_q <= 1'b0;
      all_q    <= 1'b0;
      over_q   <= 1'b0;
      posted_q <= '0;
      open_q   <= '0;
      cspill_q <= '0;
      vcount_q <= '0;
      bad_q    <= 1'b0;
    end else begin
      live_q   <= launch_i ? ~({Warps{1'b1}} << launch_warps_i) : live_q & ~exit_i;
      wait_q   <= ack_o ? '0 : wait_q | arrive_i;
      if (arrives && wait_q == '0) dirs_q <= arrive_dirs_i;
      all_q    <= all & ~ack_o;
      over_q   <= all_q & ~ack_o && still == '0;
      posted_q <= ack_o ? '0 : posted;
      open_q   <= still;
      cspill_q <= start_i ? '0 : cspill_q + 16'(counts);
      vcount_q <= vcount_q + 16'(counts && viu_i);
      if (arrives && wait_q != '0 && arrive_dirs_i != dirs_q) bad_q <= 1'b1;
      if (all && !all_q && !sound) bad_q <= 1'b1;
    end
  end

  logic [5:0] lives, waits;
  always_comb begin
    lives = '0;
    waits = '0;
    for (int w = 0; w < Warps; w++) begin
      lives = lives + 6'(live_q[w]);
      waits = waits + 6'(wait_q[w]);
    end
  end

  always_comb begin
    // Legal inputs
    assume (!launch_i || (state_o == Free && launch_warps_i != '0 && launch_warps_i <= 6'(Warps)));
    assume ((arrive_i & (arrive_i - Warps'(1))) == '0 && (exit_i & (exit_i - Warps'(1))) == '0);
    assume (((arrive_i | exit_i) & (~live_q | wait_q)) == '0 && (arrive_i & exit_i) == '0);
    assume (state_o == Free || (role_i == role_q && viu_i == viu_q && side_i == side_q));
    assume (!start_i || state_o == Free);
    assume ((done_i & ~open) == '0);

    if (rst_ni) begin
      // Nothing is posted before all warps wait, what is posted is what they want, once.
      if (post_o != '0) assert (all_q && all && post_o == links);
      assert ((post_o & posted_q) == '0);
      if (all_q) assert (posted == links);
      // The warps go on when nothing is open, and only then.
      assert (ack_o == over_q);
      if (ack_o) assert (all && open == '0 && posted == links);
      // Counts and reports
      assert (cspill_o == cspill_q && vcount_o == vcount_q && bad_o == bad_q);
      assert (!quiet_o || (state_o != Ack && post_o == '0));

      // The state
      assert ((state_o == Free || state_o == Gather) || all_q);
      assert (!all_q || (all && (state_o == Wait || state_o == Ack)));
      assert (state_o != Free || live_q == '0);
      assert (over_q == (state_o == Ack));
      assert (state_o != Ack || (left_o == '0 && open_q == '0));
      assert ((wait_q & ~live_q) == '0 && (posted_q == '0 || all_q) && (open_q & ~posted_q) == '0);
      if (state_o != Free) assert (need_o == lives && here_o == waits);
      if (wait_q != '0) assert (dirs_o == dirs_q);
      if (state_o == Wait) assert (left_o == open);
      if (state_o == Free || state_o == Gather) assert (post_o == '0 && open_q == '0 && posted_q == '0);
      cover (ack_o && waits == 6'(Warps) && links == 6'h0f);
      cover (ack_o && waits == 6'd2 && cspill_q == 16'd1 && links == 6'h18);
    end
  end
endmodule
