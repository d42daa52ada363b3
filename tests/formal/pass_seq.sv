// pass_seq: passes are row-major, and none is left out; the role in each is what the whole grid of
// blocks says; a role starts once, and a pass is left only when its role has ended, and all of
// them have if passes are serial.
//
// Grids of up to Most columns and rows of slots, and of passes.
module pass_seq_formal #(
  parameter int unsigned Most = 3
) (
`include "csim/ports/pass_seq_inputs.svh"
);
  localparam logic [2:0] Seek  = 3'd0;
  localparam logic [2:0] Start = 3'd1;
  localparam logic [2:0] Offer = 3'd2;
  localparam logic [2:0] Run   = 3'd3;
  localparam logic [2:0] End   = 3'd4;
  localparam logic [2:0] Done  = 3'd5;

  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/pass_seq_outputs.svh"
  pass_seq u_pass_seq (
    .*
  );

  // The constants that the unit was given; legal: a constant is in its range.
  logic       overlap_q, truncated_q, same, legal;
  logic [2:0] kind_q;
  logic [3:0] gx_q, gy_q, px_q, qy_q, npx_q, npy_q, lastc_q, lastr_q;
  always_ff @(posedge clk_i) begin
    overlap_q   <= overlap_i;
    truncated_q <= truncated_i;
    kind_q      <= kind_i;
    gx_q        <= gx_i[3:0];
    gy_q        <= gy_i[3:0];
    px_q        <= px_i[3:0];
    qy_q        <= qy_i[3:0];
    npx_q       <= npx_i[3:0];
    npy_q       <= npy_i[3:0];
    lastc_q     <= lastc_i[3:0];
    lastr_q     <= lastr_i[3:0];
    if (!rst_ni) begin
      overlap_q   <= '0;
      truncated_q <= '0;
      kind_q      <= '0;
      gx_q        <= '0;
      gy_q        <= '0;
      px_q        <= '0;
      qy_q        <= '0;
      npx_q       <= '0;
      npy_q       <= '0;
      lastc_q     <= '0;
      lastr_q     <= '0;
    end
  end
  assign same = overlap_i == overlap_q && truncated_i == truncated_q && kind_i == kind_q &&
                gx_i == 6'(gx_q) && gy_i == 6'(gy_q) && px_i == 7'(px_q) && qy_i == 7'(qy_q) &&
                npx_i == 16'(npx_q) && npy_i == 16'(npy_q) && lastc_i == 7'(lastc_q) &&
                lastr_i == 7'(lastr_q);
  assign legal = px_i >= 7'd1 && px_i <= 7'(Most) && qy_i >= 7'd1 && qy_i <= 7'(Most) &&
                 npx_i >= 16'd1 && npx_i <= 16'(Most) && npy_i >= 16'd1 && npy_i <= 16'(Most) &&
                 lastc_i >= 7'd1 && lastc_i <= px_i && lastr_i >= 7'd1 && lastr_i <= qy_i &&
                 7'(gx_i) < px_i && 7'(gy_i) < qy_i && kind_i <= 3'd4;

  // The pass that it has to be in, what became of it there, and the grid of blocks: the unit's
  // column and row in it, the columns and rows behind the pass, and how many there are.
  logic [3:0] cx_q, cy_q, column, row, behind_x, behind_y, columns, rows;
  assign column   = cx_q * px_q + gx_q;
  assign row      = cy_q * qy_q + gy_q;
  assign behind_x = cx_q * px_q + px_q;
  assign behind_y = cy_q * qy_q + qy_q;
  assign columns  = (npx_q - 4'd1) * px_q + lastc_q;
  assign rows     = (npy_q - 4'd1) * qy_q + lastr_q;

  logic [2:0] role_due;
  logic       viu_due, side_due;
  always_comb begin
    role_due = 3'd0;
    viu_due  = 1'b0;
    side_due = 1'b0;
    case (kind_q)
      3'd0:
        if (column < columns && row < rows) role_due = 3'd1;
        else if (column == columns && row < rows) role_due = 3'd3;
        else if (row == rows && column < columns) {role_due, side_due} = {3'd3, 1'b1};
      3'd1: if (column < columns) {role_due, side_due, viu_due} = {3'd2, 1'b1, cy_q != '0};
      3'd2: if (column < columns && behind_y <= rows)
              {role_due, side_due, viu_due} = {3'd3, 1'b1, behind_y < rows};
      3'd3: if (row < rows) {role_due, viu_due} = {3'd2, cx_q != '0};
      default: if (row < rows && behind_x <= columns)
              {role_due, viu_due} = {3'd3, behind_x < columns};
    endcase
  end

  logic begun_q, started_q, finished_q, over_q, leaves, last_x, last_y;
  assign last_x = cx_q + 4'd1 == npx_q;
  assign last_y = cy_q + 4'd1 == npy_q;
  always_comb begin
    // A pass is left when the role has ended, without a role at once; in serial passes with go.
    if (overlap_q) leaves = fin_i | (role_due == 3'd0);
    else           leaves = go_i & (finished_q | (role_due == 3'd0));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kernel_start_i) begin
      begun_q    <= rst_ni;
      cx_q       <= '0;
      cy_q       <= '0;
      started_q  <= 1'b0;
      finished_q <= 1'b0;
      over_q     <= ~rst_ni;
    end else if (!over_q) begin
      begun_q    <= 1'b1;
      started_q  <= started_q | start_o;
      finished_q <= finished_q | fin_i;
      if (leaves) begin
        started_q  <= 1'b0;
        finished_q <= 1'b0;
        cx_q       <= last_x ? (last_y ? cx_q : '0) : cx_q + 4'd1;
        cy_q       <= last_x && !last_y ? cy_q + 4'd1 : cy_q;
        over_q     <= last_x & last_y;
      end
    end
  end

  // The pulses that go with it
  logic next_cx_q, next_cy_q;
  always_ff @(posedge clk_i) begin
    next_cx_q <= rst_ni && !kernel_start_i && !over_q && leaves && !last_x;
    next_cy_q <= rst_ni && !kernel_start_i && !over_q && leaves && last_x && !last_y;
  end

  always_comb begin
    // Legal inputs
    assume (kernel_start_i ? legal : same);
    assume (!taken_i || offer_o);
    assume (!fin_i || state_o == Run);
    assume (!go_i || at_end_o);

    if (rst_ni) begin
      if (over_q) begin
        assert (done_o && at_end_o && role_o == '0);
      end else begin
        assert (begun_q && 4'd1 <= npx_q && cx_q < npx_q && cy_q < npy_q);
        assert (npx_q <= 4'(Most) && npy_q <= 4'(Most) && px_q <= 4'(Most) && qy_q <= 4'(Most));
        assert (gx_q < px_q && gy_q < qy_q && kind_q <= 3'd4);
        assert (lastc_q <= px_q && lastr_q <= qy_q && lastc_q != '0 && lastr_q != '0);
        assert (!done_o && role_o == role_due && viu_o == viu_due && side_o == side_due);
        assert (start_o == (role_due != '0 && !started_q && state_o == Start));
        assert (!start_o || !started_q);
        assert (started_q == (role_due != '0 && (state_o == Offer || state_o == Run || state_o == End)));
        assert (finished_q == (role_due != '0 && state_o == End));
        assert (!offer_o || role_o == 3'd1 || truncated_q);
        assert (at_end_o == (state_o == End) && (state_o != End || !overlap_q));
        assert (member_o == (role_o != '0 && !at_end_o));
        assert ((state_o != Start && state_o != Offer && state_o != Run) || role_due != '0);
        assert (state_o != Seek || overlap_q || role_due != '0 || !leaves);
      end
      if (begun_q) assert (cx_o == 16'(cx_q) && cy_o == 16'(cy_q));
      assert (next_cx_o == next_cx_q && next_cy_o == next_cy_q);
      assert (!quiet_o || (!start_o && !next_cx_o && !next_cy_o && state_o != Seek));
      assert (state_o <= Done);
      cover (done_o && begun_q && npx_q == 4'd2 && npy_q == 4'd2 && kind_q == 3'd2);
      cover (side_o && role_o == 3'd3 && kind_q == '0);
    end
  end
endmodule
