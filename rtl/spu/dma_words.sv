// Words of a DMA engine on their way between memory and the CB, and its requests to both, one
// register stage (docs/hardware/spu_dma.md).  One rotator, and one register for the words, serve both ways:
// from memory to the CB in FETCH (store = 0), from the CB to memory in DRAIN.
//
// A piece that takes a tag is read from memory or from the CB; "done" is the piece whose words are
// here, from the other side.  kernel_start wins over everything.

module dma_words #(
  parameter int unsigned WordW = 32  // bits of a word; less for proofs
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                kernel_start_i,
  input  logic                store_i,

  // The piece that takes a tag
  input  logic                takes_i,
  input  logic [3:0]          tag_i,
  input  logic [31:0]         segment_i,
  input  logic [1:0]          first_i,
  input  logic [3:0]          sectors_i,
  input  logic [9:0]          octet_i,

  // The piece whose words are here
  input  logic [3:0]          done_tag_i,
  input  logic [31:0]         done_segment_i,
  input  logic [1:0]          done_first_i,
  input  logic [3:0]          done_sectors_i,
  input  logic [9:0]          done_octet_i,

  // comm_pair
  output logic                p_valid_o,
  output logic                c_valid_o,
  output logic [31:0]         bank_o,      // of either
  output logic [255:0]        row_o,
  input  logic                c_rsp_i,
  input  logic [32*WordW-1:0] c_data_i,

  // Memory
  output logic                m_valid_o,
  output logic                m_write_o,
  output logic [31:0]         m_addr_o,
  output logic [3:0]          m_sectors_o,
  output logic [3:0]          m_tag_o,
  input  logic                m_rsp_i,
  input  logic [32*WordW-1:0] m_rsp_data_i,
  output logic [32*WordW-1:0] words_o      // to either
);
  // Events: a write of the CB, a read of it, its answer, a request to memory.
  logic writes, reads, answers, requests;
  assign writes   = m_rsp_i & ~store_i;
  assign reads    = takes_i & store_i;
  assign answers  = c_rsp_i & store_i;
  assign requests = store_i ? answers : takes_i;

  logic [9:0]   place_octet;
  logic [1:0]   place_first;
  logic [3:0]   place_sectors, groups;
  logic [31:0]  bank;
  logic [255:0] row;
  assign place_octet   = store_i ? octet_i : done_octet_i;
  assign place_first   = store_i ? first_i : done_first_i;
  assign place_sectors = store_i ? sectors_i : done_sectors_i;
  dma_place u_place (
    .octet_i  (place_octet),
    .first_i  (place_first),
    .sectors_i(place_sectors),
    .groups_o (groups),
    .bank_o   (bank),
    .row_o    (row)
  );

  logic [1:0]          to_cb, turn;
  logic [3:0]          keep;
  logic [32*WordW-1:0] words, turned;
  assign to_cb = done_first_i - done_octet_i[1:0];
  assign turn  = store_i ? 2'd0 - to_cb : to_cb;
  assign words = store_i ? c_data_i : m_rsp_data_i;
  always_comb begin
    keep = '0;
    if (writes)  keep = groups;
    if (answers) keep = done_sectors_i;
  end
  dma_rotator #(
    .Width(8*WordW)
  ) u_rotator (
    .turn_i(turn),
    .keep_i(keep),
    .data_i(words),
    .data_o(turned)
  );

  logic                p_valid_q, c_valid_q, m_valid_q, m_write_q;
  logic [31:0]         bank_q, m_addr_q;
  logic [255:0]        row_q;
  logic [3:0]          m_sectors_q, m_tag_q;
  logic [32*WordW-1:0] words_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      p_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
      m_valid_q <= 1'b0;
    end else begin
      p_valid_q <= writes & ~kernel_start_i;
      c_valid_q <= reads & ~kernel_start_i;
      m_valid_q <= requests & ~kernel_start_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (writes || reads) begin
      bank_q <= bank;
      row_q  <= row;
    end
    if (writes || answers) words_q <= turned;
    if (requests) begin
      m_write_q   <= store_i;
      m_addr_q    <= store_i ? done_segment_i : segment_i;
      m_sectors_q <= store_i ? done_sectors_i : sectors_i;
      m_tag_q     <= store_i ? done_tag_i : tag_i;
    end
  end
  assign p_valid_o   = p_valid_q;
  assign c_valid_o   = c_valid_q;
  assign bank_o      = bank_q;
  assign row_o       = row_q;
  assign m_valid_o   = m_valid_q;
  assign m_write_o   = m_write_q;
  assign m_addr_o    = m_addr_q;
  assign m_sectors_o = m_sectors_q;
  assign m_tag_o     = m_tag_q;
  assign words_o     = words_q;
endmodule
