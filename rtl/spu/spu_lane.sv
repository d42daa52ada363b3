// A border lane of an SPU: an interface unit, that is a DMA engine and the sequencer of its passes.
// A lane of N or W is the producer of its link, one of S or E the consumer.

module spu_lane #(
`ifdef FORMAL
  parameter logic [270:0] Registers = '0,
`endif
  parameter int unsigned Kind = 1  // 1 N, 2 S, 3 W, 4 E
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          kernel_start_i,

  // Constant, of pass_seq; number: along the border
  input  logic          overlap_i,
  input  logic [5:0]    number_i,
  input  logic [6:0]    px_i,
  input  logic [6:0]    qy_i,
  input  logic [15:0]   npx_i,
  input  logic [15:0]   npy_i,
  input  logic [6:0]    lastc_i,
  input  logic [6:0]    lastr_i,

  // The link, spill_chan, spu_global
  output logic          p_valid_o,
  output logic [31:0]   p_bank_o,
  output logic [255:0]  p_row_o,
  output logic [1023:0] p_data_o,
  output logic          c_valid_o,
  output logic [31:0]   c_bank_o,
  output logic [255:0]  c_row_o,
  input  logic          c_rsp_i,
  input  logic [1023:0] c_data_i,
  output logic          link_post_o,
  input  logic          link_done_i,
  output logic          put_o,
  output logic          get_o,
  input  logic          got_i,
  output logic          member_o,
  output logic          post_o,
  output logic          at_end_o,
  input  logic          gdone_i,
  input  logic          go_i,

  // Registers and memory
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
  localparam bit AlongX = Kind < 3;

  logic [2:0]  role;
  logic        viu, side, start, next_cx, next_cy, fin, unused_offer, unused_seq_quiet, unused_quiet;
  logic [15:0] unused_cx, unused_cy;

  pass_seq u_pass_seq (
    .clk_i, .rst_ni,
    .kernel_start_i, .overlap_i, .truncated_i(1'b0), .kind_i(3'(Kind)),
    .gx_i(AlongX ? number_i : 6'd0), .gy_i(AlongX ? 6'd0 : number_i), .px_i, .qy_i, .npx_i, .npy_i,
    .lastc_i, .lastr_i, .role_o(role), .viu_o(viu), .side_o(side), .cx_o(unused_cx),
    .cy_o(unused_cy), .next_cx_o(next_cx), .next_cy_o(next_cy), .start_o(start),
    .offer_o(unused_offer), .taken_i(1'b0), .fin_i(fin), .at_end_o, .go_i, .member_o, .done_o,
    .quiet_o(unused_seq_quiet)
  );

  iu_dma
`ifdef FORMAL
  #(.Registers(Registers))
`endif
  u_iu_dma (
    .clk_i, .rst_ni,
    .kernel_start_i, .cfg_valid_i, .cfg_reg_i, .cfg_data_i, .start_i(start), .role_i(role),
    .viu_i(viu), .side_i(side), .next_cx_i(next_cx), .next_cy_i(next_cy), .fin_o(fin), .put_o,
    .get_o, .got_i, .post_o(link_post_o), .done_i(link_done_i), .p_valid_o, .p_bank_o, .p_row_o,
    .p_data_o, .c_valid_o, .c_bank_o, .c_row_o, .c_rsp_i, .c_data_i, .gpost_o(post_o),
    .gdone_i(gdone_i & member_o), .m_valid_o, .m_write_o, .m_addr_o, .m_sectors_o, .m_tag_o,
    .m_data_o, .m_rsp_i, .m_rsp_tag_i, .m_rsp_data_i, .quiet_o(unused_quiet)
  );
endmodule
