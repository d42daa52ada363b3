// Walk of a DMA engine over a tile: pieces, each from addr to the end of its segment of 128 bytes
// or of its row, and where in the CB they belong.
//
// row_left counts the rows that are not over, the present one included; words_left the words of it
// that are left.  The walk is over when row_left is 0.  begin wins over take.
//
// Illegal: take when the walk is over; a row of 0 words.

module dma_walk (
  input  logic        clk_i,
  input  logic        rst_ni,
  // The tile: where and how many rows at begin, the size of its rows throughout
  input  logic        begin_i,
  input  logic [31:0] addr_i,
  input  logic [12:0] rows_i,
  input  logic [13:0] words_i,      // of a row, a multiple of 8
  input  logic [31:0] row_pitch_i,

  // The piece
  output logic        over_o,
  output logic [31:0] segment_o,    // address of its segment
  output logic [1:0]  first_o,      // sector
  output logic [3:0]  sectors_o,
  output logic [9:0]  octet_o,      // of the CB, of the first sector
  input  logic        take_i        // the next piece
);
  logic [31:0] row_addr_q  /*verilator public_flat_rd*/;    // of the row's first word
  logic [31:0] addr_q  /*verilator public_flat_rd*/;
  logic [12:0] row_left_q  /*verilator public_flat_rd*/;
  logic [13:0] words_left_q  /*verilator public_flat_rd*/;
  logic [9:0]  octet_q  /*verilator public_flat_rd*/;

  logic [1:0]  first;
  logic [10:0] octets_left;  // of the row
  logic [2:0]  room, n;      // sectors of the segment, of the piece
  logic        row_over;     // with this piece
  assign first       = addr_q[6:5];
  assign octets_left = words_left_q[13:3];
  assign room        = 3'd4 - 3'(first);
  assign row_over    = octets_left <= 11'(room);
  assign n           = row_over ? octets_left[2:0] : room;

  assign over_o    = row_left_q == '0;
  assign segment_o = {addr_q[31:7], 7'd0};
  assign first_o   = first;
  assign sectors_o = ~(4'hf << n) << first;
  assign octet_o   = octet_q;

  logic [31:0] next_row;
  assign next_row = row_addr_q + row_pitch_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_addr_q   <= '0;
      addr_q       <= '0;
      row_left_q   <= '0;
      words_left_q <= '0;
      octet_q      <= '0;
    end else if (begin_i) begin
      row_addr_q   <= addr_i;
      addr_q       <= addr_i;
      row_left_q   <= rows_i;
      words_left_q <= words_i;
      octet_q      <= '0;
    end else if (take_i) begin
      octet_q <= octet_q + 10'(n);
      if (row_over) begin
        row_addr_q   <= next_row;
        addr_q       <= next_row;
        row_left_q   <= row_left_q - 13'd1;
        words_left_q <= words_i;
      end else begin
        addr_q       <= addr_q + {24'd0, n, 5'd0};
        words_left_q <= words_left_q - {8'd0, n, 3'd0};
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (begin_i) whole_sectors: assert (words_i != '0 && words_i[2:0] == '0 && addr_i[4:0] == '0);
      if (take_i)  take_in_walk: assert (!over_o && words_left_q != '0);
    end
  end
`endif
endmodule
