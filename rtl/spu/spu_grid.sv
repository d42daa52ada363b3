// The fabric of an SPU with DMA engines, wired: slots, border lanes, links, spill channels and the
// barrier of all (docs/hardware/spu.md).  Machines wire the units themselves, for any grid; this is the same
// for synthesis, proofs and test benches.
//
// Slot (gx, gy) has number gy * Columns + gx; lanes are numbered N, S (Columns each), W, E (Rows
// each).  A port of all slots or lanes has that of number i in bits i * width and above.
// Registers of DMA engines are written one a cycle, to the slots' or the lanes' engines: cfg_slot,
// cfg_lane choose which.

module spu_grid #(
  parameter int unsigned Columns = 2,
  parameter int unsigned Rows = 2,
  parameter int unsigned Words = 1024,
  localparam int unsigned Slots = Columns * Rows,
  localparam int unsigned Lanes = 2 * (Columns + Rows),
  localparam int unsigned Across = (Columns + 1) * Rows,
  localparam int unsigned Links = Across + Columns * (Rows + 1)
`ifdef FORMAL
  ,
  parameter logic [271*Slots-1:0] SlotRegisters = '0,  // of DMA engines, as a proof begins
  parameter logic [271*Lanes-1:0] LaneRegisters = '0
`endif
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  kernel_start_i,

  // Constant
  input  logic [1:0]            mode_i,
  input  logic                  overlap_i,
  input  logic [15:0]           npx_i,
  input  logic [15:0]           npy_i,
  input  logic [6:0]            lastc_i,
  input  logic [6:0]            lastr_i,
  input  logic [4:0]            global_hops_i,

  // Registers of DMA engines
  input  logic [Slots-1:0]      cfg_slot_i,
  input  logic [Lanes-1:0]      cfg_lane_i,
  input  logic [4:0]            cfg_reg_i,
  input  logic [31:0]           cfg_data_i,

  // SMs
  output logic [Slots-1:0]      offer_o,
  output logic [16*Slots-1:0]   cx_o,
  output logic [16*Slots-1:0]   cy_o,
  input  logic [Slots-1:0]      taken_i,
  input  logic [6*Slots-1:0]    warps_i,
  input  logic [Slots-1:0]      exit_i,
  input  logic [Slots-1:0]      gone_i,
  input  logic [Slots-1:0]      arrive_i,
  input  logic [7*Slots-1:0]    arrive_dirs_i,
  output logic [Slots-1:0]      ack_o,
  output logic [Slots-1:0]      bad_o,
  input  logic [Slots-1:0]      cb_valid_i,
  input  logic [Slots-1:0]      cb_write_i,
  input  logic [2*Slots-1:0]    cb_side_i,
  input  logic [32*Slots-1:0]   cb_bank_i,
  input  logic [256*Slots-1:0]  cb_row_i,
  input  logic [1024*Slots-1:0] cb_data_i,
  output logic [Slots-1:0]      cb_rsp_o,
  output logic [1024*Slots-1:0] cb_data_o,

  // Memory: of the engines of slots, of those of lanes
  output logic [Slots-1:0]      m_valid_o,
  output logic [Slots-1:0]      m_write_o,
  output logic [32*Slots-1:0]   m_addr_o,
  output logic [4*Slots-1:0]    m_sectors_o,
  output logic [4*Slots-1:0]    m_tag_o,
  output logic [1024*Slots-1:0] m_data_o,
  input  logic [Slots-1:0]      m_rsp_i,
  input  logic [4*Slots-1:0]    m_rsp_tag_i,
  input  logic [1024*Slots-1:0] m_rsp_data_i,
  output logic [Lanes-1:0]      lane_m_valid_o,
  output logic [Lanes-1:0]      lane_m_write_o,
  output logic [32*Lanes-1:0]   lane_m_addr_o,
  output logic [4*Lanes-1:0]    lane_m_sectors_o,
  output logic [4*Lanes-1:0]    lane_m_tag_o,
  output logic [1024*Lanes-1:0] lane_m_data_o,
  input  logic [Lanes-1:0]      lane_m_rsp_i,
  input  logic [4*Lanes-1:0]    lane_m_rsp_tag_i,
  input  logic [1024*Lanes-1:0] lane_m_rsp_data_i,
`ifdef FORMAL
  output logic [6*Links-1:0]    links_o,  // posts, done, and buffer written and read
  output logic [Lanes-1:0]      put_o,
  output logic [Lanes-1:0]      got_o,
`endif
  output logic                  done_o  // all passes are over
);
  // Links: H(gx, gy) west of slot (gx, gy), V(gx, gy) north of it, as their pairs have them.
  logic [Links-1:0]      p_valid, p_post, p_done, c_valid, c_post, c_rsp, c_done;
  logic [32*Links-1:0]   p_bank, c_bank;
  logic [256*Links-1:0]  p_row, c_row;
  logic [1024*Links-1:0] p_data, c_data;

  logic [Slots-1:0]      member, post, at_end, done;
  logic [Lanes-1:0]      lane_member, lane_post, lane_at_end, lane_done, put, get, got;
  logic                  gdone, go, unused_quiet;

  for (genvar l = 0; l < Links; l++) begin : g_link
    logic unused_pair_quiet;
    comm_pair #(
      .Words(Words)
    ) u_pair (
      .clk_i, .rst_ni,
      .kernel_start_i, .mode_i, .p_valid_i(p_valid[l]), .p_bank_i(p_bank[32*l +: 32]),
      .p_row_i(p_row[256*l +: 256]), .p_data_i(p_data[1024*l +: 1024]), .p_post_i(p_post[l]),
      .p_done_o(p_done[l]), .c_valid_i(c_valid[l]), .c_bank_i(c_bank[32*l +: 32]),
      .c_row_i(c_row[256*l +: 256]), .c_rsp_o(c_rsp[l]), .c_data_o(c_data[1024*l +: 1024]),
      .c_post_i(c_post[l]), .c_done_o(c_done[l]),
`ifdef FORMAL
      .w_o(links_o[6*l+4]), .r_o(links_o[6*l+5]),
`endif
      .swap_i(gdone), .quiet_o(unused_pair_quiet)
    );
`ifdef FORMAL
    assign links_o[6*l +: 4] = {c_done[l], p_done[l], c_post[l], p_post[l]};
`endif
  end

  for (genvar s = 0; s < Slots; s++) begin : g_slot
    localparam int unsigned X = s % Columns;
    localparam int unsigned Y = s / Columns;
    localparam int unsigned W = Y * (Columns + 1) + X;
    localparam int unsigned E = W + 1;
    localparam int unsigned N = Across + s;
    localparam int unsigned S = N + Columns;
    logic [31:0]   cbank, pbank;
    logic [255:0]  crow, prow;
    logic [1023:0] pdata;
    spu_slot #(
`ifdef FORMAL
      .Registers(SlotRegisters[271*s +: 271]),
`endif
      .HasDma(s != 0)
    ) u_slot (
      .clk_i, .rst_ni,
      .kernel_start_i, .overlap_i, .gx_i(6'(X)), .gy_i(6'(Y)), .px_i(7'(Columns)), .qy_i(7'(Rows)),
      .npx_i, .npy_i, .lastc_i, .lastr_i, .offer_o(offer_o[s]), .cx_o(cx_o[16*s +: 16]),
      .cy_o(cy_o[16*s +: 16]), .taken_i(taken_i[s]), .warps_i(warps_i[6*s +: 6]),
      .exit_i(exit_i[s]), .gone_i(gone_i[s]), .arrive_i(arrive_i[s]),
      .arrive_dirs_i(arrive_dirs_i[7*s +: 7]), .ack_o(ack_o[s]), .bad_o(bad_o[s]),
      .cb_valid_i(cb_valid_i[s]), .cb_write_i(cb_write_i[s]), .cb_side_i(cb_side_i[2*s +: 2]),
      .cb_bank_i(cb_bank_i[32*s +: 32]), .cb_row_i(cb_row_i[256*s +: 256]),
      .cb_data_i(cb_data_i[1024*s +: 1024]), .cb_rsp_o(cb_rsp_o[s]),
      .cb_data_o(cb_data_o[1024*s +: 1024]), .n_valid_o(c_valid[N]), .w_valid_o(c_valid[W]),
      .c_bank_o(cbank), .c_row_o(crow), .n_post_o(c_post[N]), .w_post_o(c_post[W]),
      .n_rsp_i(c_rsp[N]), .w_rsp_i(c_rsp[W]), .n_data_i(c_data[1024*N +: 1024]),
      .w_data_i(c_data[1024*W +: 1024]), .n_done_i(c_done[N]), .w_done_i(c_done[W]),
      .s_valid_o(p_valid[S]), .e_valid_o(p_valid[E]), .p_bank_o(pbank), .p_row_o(prow),
      .p_data_o(pdata), .s_post_o(p_post[S]), .e_post_o(p_post[E]), .s_done_i(p_done[S]),
      .e_done_i(p_done[E]), .member_o(member[s]), .post_o(post[s]), .at_end_o(at_end[s]),
      .gdone_i(gdone), .go_i(go), .cfg_valid_i(cfg_slot_i[s]), .cfg_reg_i, .cfg_data_i,
      .m_valid_o(m_valid_o[s]), .m_write_o(m_write_o[s]), .m_addr_o(m_addr_o[32*s +: 32]),
      .m_sectors_o(m_sectors_o[4*s +: 4]), .m_tag_o(m_tag_o[4*s +: 4]),
      .m_data_o(m_data_o[1024*s +: 1024]), .m_rsp_i(m_rsp_i[s]), .m_rsp_tag_i(m_rsp_tag_i[4*s +: 4]),
      .m_rsp_data_i(m_rsp_data_i[1024*s +: 1024]), .done_o(done[s])
    );
    assign {c_bank[32*N +: 32], c_row[256*N +: 256]}                            = {cbank, crow};
    assign {c_bank[32*W +: 32], c_row[256*W +: 256]}                            = {cbank, crow};
    assign {p_bank[32*S +: 32], p_row[256*S +: 256], p_data[1024*S +: 1024]}    = {pbank, prow, pdata};
    assign {p_bank[32*E +: 32], p_row[256*E +: 256], p_data[1024*E +: 1024]}    = {pbank, prow, pdata};
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    localparam int unsigned Kind = l < Columns ? 1 : l < 2 * Columns ? 2 : l < 2 * Columns + Rows ? 3 : 4;
    localparam int unsigned Number = Kind == 1 ? l : Kind == 2 ? l - Columns :
                                     Kind == 3 ? l - 2 * Columns : l - 2 * Columns - Rows;
    localparam int unsigned Link = Kind == 1 ? Across + Number :
                                   Kind == 2 ? Across + Rows * Columns + Number :
                                   Kind == 3 ? Number * (Columns + 1) :
                                               Number * (Columns + 1) + Columns;
    localparam bit Loads = Kind == 1 || Kind == 3;
    logic          pvalid, cvalid, linkpost;
    logic [31:0]   pbank, cbank;
    logic [255:0]  prow, crow;
    logic [1023:0] pdata;
    spu_lane #(
`ifdef FORMAL
      .Registers(LaneRegisters[271*l +: 271]),
`endif
      .Kind(Kind)
    ) u_lane (
      .clk_i, .rst_ni,
      .kernel_start_i, .overlap_i, .number_i(6'(Number)), .px_i(7'(Columns)), .qy_i(7'(Rows)),
      .npx_i, .npy_i, .lastc_i, .lastr_i, .p_valid_o(pvalid), .p_bank_o(pbank), .p_row_o(prow),
      .p_data_o(pdata), .c_valid_o(cvalid), .c_bank_o(cbank), .c_row_o(crow),
      .c_rsp_i(Loads ? 1'b0 : c_rsp[Link]), .c_data_i(c_data[1024*Link +: 1024]),
      .link_post_o(linkpost), .link_done_i(Loads ? p_done[Link] : c_done[Link]), .put_o(put[l]),
      .get_o(get[l]), .got_i(got[l]), .member_o(lane_member[l]), .post_o(lane_post[l]),
      .at_end_o(lane_at_end[l]), .gdone_i(gdone), .go_i(go), .cfg_valid_i(cfg_lane_i[l]),
      .cfg_reg_i, .cfg_data_i, .m_valid_o(lane_m_valid_o[l]), .m_write_o(lane_m_write_o[l]),
      .m_addr_o(lane_m_addr_o[32*l +: 32]), .m_sectors_o(lane_m_sectors_o[4*l +: 4]),
      .m_tag_o(lane_m_tag_o[4*l +: 4]), .m_data_o(lane_m_data_o[1024*l +: 1024]),
      .m_rsp_i(lane_m_rsp_i[l]), .m_rsp_tag_i(lane_m_rsp_tag_i[4*l +: 4]),
      .m_rsp_data_i(lane_m_rsp_data_i[1024*l +: 1024]), .done_o(lane_done[l])
    );
    if (Loads) begin : g_producer
      assign {p_valid[Link], p_post[Link]} = {pvalid, linkpost};
      assign {p_bank[32*Link +: 32], p_row[256*Link +: 256], p_data[1024*Link +: 1024]} =
          {pbank, prow, pdata};
      logic unused_consumer;
      assign unused_consumer = ^{cvalid, cbank, crow, put[l]};
    end else begin : g_consumer
      assign {c_valid[Link], c_post[Link]} = {cvalid, linkpost};
      assign {c_bank[32*Link +: 32], c_row[256*Link +: 256]} = {cbank, crow};
      logic unused_producer;
      assign unused_producer = ^{pvalid, pbank, prow, pdata, get[l]};
    end
  end

  // Spill channels: E to W lane of each row, S to N lane of each column.
  for (genvar l = 0; l < Lanes; l++) begin : g_channel
    if (l < Columns) begin : g_column
      logic unused_chan_quiet;
      spill_chan u_chan (
        .clk_i, .rst_ni,
        .kernel_start_i, .hops_i(6'(Rows)), .put_i(put[Columns + l]), .get_i(get[l]), .got_o(got[l]),
        .quiet_o(unused_chan_quiet)
      );
    end else if (l >= 2 * Columns && l < 2 * Columns + Rows) begin : g_row
      logic unused_chan_quiet;
      spill_chan u_chan (
        .clk_i, .rst_ni,
        .kernel_start_i, .hops_i(6'(Columns)), .put_i(put[Rows + l]), .get_i(get[l]), .got_o(got[l]),
        .quiet_o(unused_chan_quiet)
      );
    end else begin : g_none
      assign got[l] = 1'b0;
    end
  end

  spu_global #(
    .Slots(Slots),
    .Lanes(Lanes)
  ) u_global (
    .clk_i, .rst_ni,
    .kernel_start_i, .enabled_i('1), .lane_enabled_i('1), .hops_i(global_hops_i), .member_i(member),
    .lane_member_i(lane_member), .post_i(post), .lane_post_i(lane_post), .done_o(gdone),
    .at_end_i(at_end), .lane_at_end_i(lane_at_end), .go_o(go), .quiet_o(unused_quiet)
  );

`ifdef FORMAL
  assign {put_o, got_o} = {put, got};
`endif
  assign done_o = &done & &lane_done;
endmodule
