// The SPU's part of a CTA slot: the port that gathers its warps, the sequencer of its passes, the
// DMA engine with which it serves the border of a partial pass, and the wires to its four links.
//
// The slot's SM makes one pass over one buffer a cycle (cb_*), and gets the data of a read two
// cycles later.  The SM and the DMA engine never both consume from the northern and western links:
// a slot that stores has no CTA.

module spu_slot #(
`ifdef FORMAL
  parameter logic [270:0] Registers = '0,
`endif
  parameter bit HasDma = 1'b1  // slot (0, 0) never stores
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          kernel_start_i,

  // Constant, of pass_seq
  input  logic          overlap_i,
  input  logic [5:0]    gx_i,
  input  logic [5:0]    gy_i,
  input  logic [6:0]    px_i,
  input  logic [6:0]    qy_i,
  input  logic [15:0]   npx_i,
  input  logic [15:0]   npy_i,
  input  logic [6:0]    lastc_i,
  input  logic [6:0]    lastr_i,

  // The SM: its CTA
  output logic          offer_o,
  output logic [15:0]   cx_o,
  output logic [15:0]   cy_o,
  input  logic          taken_i,
  input  logic [5:0]    warps_i,       // of the CTA that was taken
  input  logic          exit_i,        // a warp ended
  input  logic          gone_i,        // the CTA ended
  input  logic          arrive_i,
  input  logic [6:0]    arrive_dirs_i,
  output logic          ack_o,
  output logic          bad_o,

  // The SM: its accesses
  input  logic          cb_valid_i,
  input  logic          cb_write_i,
  input  logic [1:0]    cb_side_i,     // N, S, W, E
  input  logic [31:0]   cb_bank_i,
  input  logic [255:0]  cb_row_i,
  input  logic [1023:0] cb_data_i,
  output logic          cb_rsp_o,
  output logic [1023:0] cb_data_o,

  // Links: as consumer of the northern and western ones
  output logic          n_valid_o,
  output logic          w_valid_o,
  output logic [31:0]   c_bank_o,
  output logic [255:0]  c_row_o,
  output logic          n_post_o,
  output logic          w_post_o,
  input  logic          n_rsp_i,
  input  logic          w_rsp_i,
  input  logic [1023:0] n_data_i,
  input  logic [1023:0] w_data_i,
  input  logic          n_done_i,
  input  logic          w_done_i,

  // Producer of the southern and eastern links
  output logic          s_valid_o,
  output logic          e_valid_o,
  output logic [31:0]   p_bank_o,
  output logic [255:0]  p_row_o,
  output logic [1023:0] p_data_o,
  output logic          s_post_o,
  output logic          e_post_o,
  input  logic          s_done_i,
  input  logic          e_done_i,

  // spu_global
  output logic          member_o,
  output logic          post_o,
  output logic          at_end_o,
  input  logic          gdone_i,
  input  logic          go_i,

  // The DMA engine
  input  logic          cfg_valid_i,
  input  logic [4:0]    cfg_reg_i,
  input  logic [31:0]   cfg_data_i,
  output logic          m_valid_o,
  output logic          m_write_o,
  output logic [31:0]   m_addr_o,
  output logic [3:0]    m_sectors_o,
  output logic [3:0]    m_tag_o,
  output logic [1023:0] m_data_o,
  input  logic          m_rsp_i,
  input  logic [3:0]    m_rsp_tag_i,
  input  logic [1023:0] m_rsp_data_i,
  output logic          done_o
);
  localparam logic [1:0] North = 2'd0;
  localparam logic [1:0] South = 2'd1;
  localparam logic [1:0] West  = 2'd2;
  localparam logic [1:0] East  = 2'd3;

  logic [2:0] role;
  logic       viu, side, start, next_cx, next_cy, unused_seq_quiet;
  logic       stores;  // the DMA engine has the consumer's side of the links
  logic       dma_fin;
  assign stores = role == tandem_pkg::RoleStore;

  pass_seq u_pass_seq (
    .clk_i, .rst_ni,
    .kernel_start_i, .overlap_i, .truncated_i(1'b0), .kind_i(3'd0), .gx_i, .gy_i, .px_i, .qy_i,
    .npx_i, .npy_i, .lastc_i, .lastr_i, .role_o(role), .viu_o(viu), .side_o(side), .cx_o, .cy_o,
    .next_cx_o(next_cx), .next_cy_o(next_cy), .start_o(start), .offer_o, .taken_i,
    .fin_i(gone_i | dma_fin), .at_end_o, .go_i, .member_o, .done_o, .quiet_o(unused_seq_quiet)
  );

  logic [5:0]  port_done, port_post;
  logic [15:0] unused_cspill, unused_vcount;
  logic        unused_port_quiet;
  assign port_done = {gdone_i & member_o & (role == tandem_pkg::RoleBlock), 1'b0, e_done_i,
                      w_done_i & ~stores, s_done_i, n_done_i & ~stores};

  block_port u_block_port (
    .clk_i, .rst_ni,
    .kernel_start_i, .launch_i(taken_i), .launch_warps_i(warps_i), .arrive_i, .arrive_dirs_i,
    .exit_i, .ack_o, .role_i(role), .viu_i(viu), .side_i(side), .start_i(start),
    .done_i(port_done), .post_o(port_post), .cspill_o(unused_cspill), .vcount_o(unused_vcount),
    .bad_o, .quiet_o(unused_port_quiet)
  );

  logic         dma_post, dma_gpost, dma_c_valid;
  logic [31:0]  dma_c_bank;
  logic [255:0] dma_c_row;
  if (HasDma) begin : g_dma
    logic          unused_put, unused_get, unused_p_valid, unused_quiet;
    logic [31:0]   unused_p_bank;
    logic [255:0]  unused_p_row;
    logic [1023:0] unused_p_data;
    iu_dma #(
`ifdef FORMAL
      .Registers(Registers),
`endif
      .Stores(2)
    ) u_iu_dma (
      .clk_i, .rst_ni,
      .kernel_start_i, .cfg_valid_i, .cfg_reg_i, .cfg_data_i, .start_i(start & (role != tandem_pkg::RoleBlock)),
      .role_i(role), .viu_i(viu), .side_i(side), .next_cx_i(next_cx), .next_cy_i(next_cy),
      .fin_o(dma_fin), .put_o(unused_put), .get_o(unused_get), .got_i(1'b0), .post_o(dma_post),
      .done_i(stores & (n_done_i | w_done_i)), .p_valid_o(unused_p_valid),
      .p_bank_o(unused_p_bank), .p_row_o(unused_p_row), .p_data_o(unused_p_data),
      .c_valid_o(dma_c_valid), .c_bank_o(dma_c_bank), .c_row_o(dma_c_row),
      .c_rsp_i(stores & (n_rsp_i | w_rsp_i)), .c_data_i(n_rsp_i ? n_data_i : w_data_i),
      .gpost_o(dma_gpost), .gdone_i(gdone_i & member_o & stores), .m_valid_o, .m_write_o,
      .m_addr_o, .m_sectors_o, .m_tag_o, .m_data_o, .m_rsp_i, .m_rsp_tag_i, .m_rsp_data_i,
      .quiet_o(unused_quiet)
    );
  end else begin : g_no_dma
    assign {dma_fin, dma_post, dma_gpost, dma_c_valid, dma_c_bank, dma_c_row} = '0;
    assign {m_valid_o, m_write_o, m_addr_o, m_sectors_o, m_tag_o, m_data_o} = '0;
    logic unused_dma;
    assign unused_dma = ^{cfg_valid_i, cfg_reg_i, cfg_data_i, next_cx, next_cy, m_rsp_i,
                          m_rsp_tag_i, m_rsp_data_i};
  end

  // Consumer: side 0 of a slot that stores is its western link, side 1 its northern one.
  logic reads;
  assign reads     = cb_valid_i & ~cb_write_i;
  assign n_valid_o = stores ? dma_c_valid & side : reads & (cb_side_i == North);
  assign w_valid_o = stores ? dma_c_valid & ~side : reads & (cb_side_i == West);
  assign c_bank_o  = stores ? dma_c_bank : cb_bank_i;
  assign c_row_o   = stores ? dma_c_row : cb_row_i;
  assign n_post_o  = stores ? dma_post & side : port_post[0];
  assign w_post_o  = stores ? dma_post & ~side : port_post[2];
  assign cb_rsp_o  = ~stores & (n_rsp_i | w_rsp_i);
  assign cb_data_o = n_rsp_i ? n_data_i : w_data_i;

  // Producer
  assign s_valid_o = cb_valid_i & cb_write_i & (cb_side_i == South);
  assign e_valid_o = cb_valid_i & cb_write_i & (cb_side_i == East);
  assign p_bank_o  = cb_bank_i;
  assign p_row_o   = cb_row_i;
  assign p_data_o  = cb_data_i;
  assign s_post_o  = port_post[1];
  assign e_post_o  = port_post[3];

  assign post_o = port_post[5] | dma_gpost;
  logic unused_post;
  assign unused_post = port_post[4];
endmodule
