// Passes of a slot or border lane: which one it is in, in row-major order, and its role there
// (docs/hardware/spu_units.md).
//
// Roles: NONE 0, BLOCK 1, LOAD 2, STORE 3.  A unit seeks a pass in which it has a role, starts,
// offers itself for a CTA if it runs one, runs until fin, and goes on to the next pass; if passes
// are serial, only when all units have ended (go).
//
// The constants are registered first.  kernel_start wins over everything.
//
// Illegal: taken outside OFFER; fin outside RUN; go outside END and DONE; kernel_start with a size
// of 0 or a last pass that is larger than a pass.

module pass_seq (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kernel_start_i,

  // Constant
  input  logic        overlap_i,    // passes overlap
  input  logic        truncated_i,  // interface units run CTAs
  input  logic [2:0]  kind_i,       // 0 slot, 1 N lane, 2 S, 3 W, 4 E
  input  logic [5:0]  gx_i,         // its column, row
  input  logic [5:0]  gy_i,
  input  logic [6:0]  px_i,         // columns, rows of slots
  input  logic [6:0]  qy_i,
  input  logic [15:0] npx_i,        // passes in a row, rows of passes
  input  logic [15:0] npy_i,
  input  logic [6:0]  lastc_i,      // columns of the last pass of a row
  input  logic [6:0]  lastr_i,      // rows of the passes of the last row

  // The pass
  output logic [2:0]  role_o,
  output logic        viu_o,        // a virtual interface unit
  output logic        side_o,       // of an interface unit: 0 W or E, 1 N or S
  output logic [15:0] cx_o,
  output logic [15:0] cy_o,
  output logic        next_cx_o,
  output logic        next_cy_o,

  // Its course
  output logic        start_o,
  output logic        offer_o,
  input  logic        taken_i,
  input  logic        fin_i,
  output logic        at_end_o,
  input  logic        go_i,
  output logic        member_o,     // of the global barrier
  output logic        done_o,
`ifdef FORMAL
  output logic [2:0]  state_o,
`endif
  output logic        quiet_o
);
  logic        overlap_q, truncated_q;
  logic [2:0]  kind_q;
  logic [5:0]  gx_q, gy_q;
  logic [6:0]  px_q, qy_q, lastc_q, lastr_q;
  logic [15:0] npx_q, npy_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overlap_q   <= 1'b0;
      truncated_q <= 1'b0;
      kind_q      <= '0;
      gx_q        <= '0;
      gy_q        <= '0;
      px_q        <= '0;
      qy_q        <= '0;
      npx_q       <= '0;
      npy_q       <= '0;
      lastc_q     <= '0;
      lastr_q     <= '0;
    end else begin
      overlap_q   <= overlap_i;
      truncated_q <= truncated_i;
      kind_q      <= kind_i;
      gx_q        <= gx_i;
      gy_q        <= gy_i;
      px_q        <= px_i;
      qy_q        <= qy_i;
      npx_q       <= npx_i;
      npy_q       <= npy_i;
      lastc_q     <= lastc_i;
      lastr_q     <= lastr_i;
    end
  end

  tandem_pkg::pass_e state_q  /*verilator public_flat_rd*/;
  tandem_pkg::pass_e state_d;
  logic [15:0]       cx_q, cx_d, cy_q, cy_d;
  logic              next_cx_q, next_cx_d, next_cy_q, next_cy_d;

  // The size of the pass, and where the unit is in it
  logic       last_x, last_y;
  logic [6:0] cols, rows;
  always_comb begin
    last_x = cx_q == npx_q - 16'd1;
    last_y = cy_q == npy_q - 16'd1;
    cols   = last_x ? lastc_q : px_q;
    rows   = last_y ? lastr_q : qy_q;
  end
  logic in_x, in_y, after_x, after_y, full_x, full_y;
  assign in_x    = 7'(gx_q) < cols;
  assign in_y    = 7'(gy_q) < rows;
  assign after_x = 7'(gx_q) == cols && cols < px_q;
  assign after_y = 7'(gy_q) == rows && rows < qy_q;
  assign full_y  = rows == qy_q;
  assign full_x  = cols == px_q;

  tandem_pkg::role_e role;
  logic              viu, side;
  always_comb begin
    role = tandem_pkg::RoleNone;
    viu  = 1'b0;
    side = 1'b0;
    case (kind_q)
      3'd0:
        if (in_x && in_y) begin
          role = tandem_pkg::RoleBlock;
        end else if ((after_x && in_y) || (after_y && in_x)) begin
          role = tandem_pkg::RoleStore;
          side = after_y;
        end
      3'd1:
        if (in_x) begin
          role = tandem_pkg::RoleLoad;
          viu  = cy_q != '0;
          side = 1'b1;
        end
      3'd2:
        if (in_x && full_y) begin
          role = tandem_pkg::RoleStore;
          viu  = ~last_y;
          side = 1'b1;
        end
      3'd3:
        if (in_y) begin
          role = tandem_pkg::RoleLoad;
          viu  = cx_q != '0;
        end
      3'd4:
        if (in_y && full_x) begin
          role = tandem_pkg::RoleStore;
          viu  = `FAULT(17, ~last_x, 1'b1);
        end
      default: role = tandem_pkg::RoleNone;
    endcase
    if (state_q == tandem_pkg::PassDone) begin
      role = tandem_pkg::RoleNone;
      viu  = 1'b0;
      side = 1'b0;
    end
  end

  logic              advance;  // to the next pass
  tandem_pkg::pass_e stays;    // the next state in this pass
  always_comb begin
    advance = 1'b0;
    stays   = state_q;
    case (state_q)
      tandem_pkg::PassSeek: begin
        stays   = (role == tandem_pkg::RoleNone) ? tandem_pkg::PassEnd : tandem_pkg::PassStart;
        advance = role == tandem_pkg::RoleNone && overlap_q;
      end
      tandem_pkg::PassStart:
        stays = (role == tandem_pkg::RoleBlock || truncated_q) ? tandem_pkg::PassOffer :
                                                                 tandem_pkg::PassRun;
      tandem_pkg::PassOffer: if (taken_i) stays = tandem_pkg::PassRun;
      tandem_pkg::PassRun:
        if (fin_i) begin
          stays   = tandem_pkg::PassEnd;
          advance = overlap_q;
        end
      tandem_pkg::PassEnd: advance = go_i;
      default:             stays = state_q;
    endcase
  end

  always_comb begin
    state_d   = stays;
    cx_d      = cx_q;
    cy_d      = cy_q;
    next_cx_d = advance & ~last_x;
    next_cy_d = advance & last_x & ~last_y;
    if (advance) begin
      state_d = (last_x && last_y) ? tandem_pkg::PassDone : tandem_pkg::PassSeek;
      if (!last_x) begin
        cx_d = cx_q + 16'd1;
      end else if (!last_y) begin
        cx_d = '0;
        cy_d = cy_q + 16'd1;
      end
    end
    if (kernel_start_i) begin
      state_d                            = tandem_pkg::PassSeek;
      {cx_d, cy_d, next_cx_d, next_cy_d} = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q                            <= tandem_pkg::PassDone;
      {cx_q, cy_q, next_cx_q, next_cy_q} <= '0;
    end else begin
      state_q                            <= state_d;
      {cx_q, cy_q, next_cx_q, next_cy_q} <= {cx_d, cy_d, next_cx_d, next_cy_d};
    end
  end

  assign role_o    = role;
  assign viu_o     = viu;
  assign side_o    = side;
  assign cx_o      = cx_q;
  assign cy_o      = cy_q;
  assign next_cx_o = next_cx_q;
  assign next_cy_o = next_cy_q;
  assign start_o   = state_q == tandem_pkg::PassStart;
  assign offer_o   = state_q == tandem_pkg::PassOffer;
  assign at_end_o  = state_q == tandem_pkg::PassEnd || state_q == tandem_pkg::PassDone;
  assign member_o  = role != tandem_pkg::RoleNone && state_q < tandem_pkg::PassEnd;
  assign done_o    = state_q == tandem_pkg::PassDone;
  assign quiet_o   = state_q >= tandem_pkg::PassOffer && !next_cx_q && !next_cy_q;

`ifdef FORMAL
  assign state_o = state_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (kernel_start_i) begin
        sizes_not_zero: assert (px_i != '0 && qy_i != '0 && npx_i != '0 && npy_i != '0);
        last_in_tile:   assert (lastc_i != '0 && lastc_i <= px_i && lastr_i != '0 && lastr_i <= qy_i);
      end else begin
        taken_when_offered: assert (!taken_i || state_q == tandem_pkg::PassOffer);
        fin_when_run:       assert (!fin_i || state_q == tandem_pkg::PassRun);
        go_when_ended:      assert (!go_i || state_q == tandem_pkg::PassEnd || state_q == tandem_pkg::PassDone);
        // pass: it never leaves the grid of passes.
        if (state_q != tandem_pkg::PassDone) tile_in_grid: assert (cx_q < npx_q && cy_q < npy_q);
      end
    end
  end
`endif
endmodule
