// Descriptors of a DMA engine: their registers, and what moves on with passes and tiles.  The
// outputs are those of descriptor sel_i (docs/hardware/spu_dma.md lists the registers).
//
// kernel_start wins over everything: passes and spill pointers begin, the registers stay.  A write
// to a register or descriptor that does not exist does nothing.

module dma_passes #(
`ifdef FORMAL
  parameter logic [270:0] Registers = '0,  // of descriptor 0, as a proof begins
`endif
  parameter int unsigned Stores = 1  // descriptors, 1 or 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kernel_start_i,
  input  logic        cfg_valid_i,
  input  logic [4:0]  cfg_reg_i,
  input  logic [31:0] cfg_data_i,
  input  logic        next_cx_i,
  input  logic        next_cy_i,
  input  logic        sel_i,
  input  logic        spilled_i,      // the spill pointer moves on by a tile

  output logic [31:0] pass_base_o,    // first face of the pass
  output logic [15:0] pass_first_o,   // step of its first tile
  output logic [31:0] spill_ptr_o,
  output logic [12:0] rows_o,
  output logic [12:0] row_words_o,
  output logic [31:0] row_pitch_o,
  output logic [31:0] tile_pitch_o,
  output logic [15:0] tiles_o,
  output logic [15:0] steps_o,
  output logic [13:0] face_words_o,
  output logic        global_o,
  output logic [4:0]  outstanding_o   // of descriptor 0
);
  logic [31:0] pass_base_q [Stores]  /*verilator public_flat_rd*/;
  logic [15:0] pass_first_q [Stores]  /*verilator public_flat_rd*/;
  logic [31:0] spill_ptr_q [Stores]  /*verilator public_flat_rd*/;

  // The registers, a descriptor above the other
  logic [32*Stores-1:0] base_q, pass_pitch_q, row_pitch_q, tile_pitch_q, spill_q;
  logic [13*Stores-1:0] rows_q, row_words_q;
  logic [14*Stores-1:0] face_words_q;
  logic [16*Stores-1:0] tiles_q, first_q, first_step_q, steps_q;
  logic [2*Stores-1:0]  mode_q;
  logic [4:0]           outstanding_q;
`ifdef FORMAL
  // With neither reset nor writes these are constants.
  initial begin
    base_q        = Registers[31:0];
    row_pitch_q   = Registers[63:32];
    tile_pitch_q  = Registers[95:64];
    spill_q       = Registers[127:96];
    rows_q        = Registers[140:128];
    row_words_q   = Registers[153:141];
    face_words_q  = Registers[167:154];
    tiles_q       = Registers[183:168];
    outstanding_q = Registers[188:184];
    pass_pitch_q  = Registers[220:189];
    first_q       = Registers[236:221];
    first_step_q  = Registers[252:237];
    steps_q       = Registers[268:253];
    mode_q        = Registers[270:269];
  end
`endif
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      base_q        <= '0;
      pass_pitch_q  <= '0;
      rows_q        <= '0;
      row_words_q   <= '0;
      row_pitch_q   <= '0;
      tile_pitch_q  <= '0;
      tiles_q       <= '0;
      first_q       <= '0;
      first_step_q  <= '0;
      steps_q       <= '0;
      spill_q       <= '0;
      face_words_q  <= '0;
      mode_q        <= '0;
      outstanding_q <= '0;
    end else if (cfg_valid_i && !kernel_start_i) begin
      for (int d = 0; d < Stores; d++) begin
        if (cfg_reg_i[4] == 1'(d)) begin
          case (cfg_reg_i[3:0])
            4'd0:    base_q[32*d +: 32]       <= cfg_data_i;
            4'd1:    pass_pitch_q[32*d +: 32] <= cfg_data_i;
            4'd2:    rows_q[13*d +: 13]       <= cfg_data_i[12:0];
            4'd3:    row_words_q[13*d +: 13]  <= cfg_data_i[12:0];
            4'd4:    row_pitch_q[32*d +: 32]  <= cfg_data_i;
            4'd5:    tile_pitch_q[32*d +: 32] <= cfg_data_i;
            4'd6:    tiles_q[16*d +: 16]      <= cfg_data_i[15:0];
            4'd7:    first_q[16*d +: 16]      <= cfg_data_i[15:0];
            4'd8:    first_step_q[16*d +: 16] <= cfg_data_i[15:0];
            4'd9:    steps_q[16*d +: 16]      <= cfg_data_i[15:0];
            4'd10:   spill_q[32*d +: 32]      <= cfg_data_i;
            4'd11:   face_words_q[14*d +: 14] <= cfg_data_i[13:0];
            4'd12:   mode_q[2*d +: 2]         <= cfg_data_i[1:0];
            4'd13:   if (d == 0) outstanding_q <= cfg_data_i[4:0];
            default: ;
          endcase
        end
      end
    end
  end

  logic [14*Stores-1:0] face_words;  // of the tile that was spilled or restored
  for (genvar d = 0; d < Stores; d++) begin : g_descriptor
    logic        vertical, moves, returns, spilled;
    assign vertical = mode_q[2*d+1];
    assign moves    = vertical ? next_cx_i : next_cy_i;
    assign returns  = vertical & next_cy_i;
    assign spilled  = spilled_i && sel_i == 1'(d);
    assign face_words[14*d +: 14] = face_words_q[14*d +: 14] & {14{spilled}};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        pass_base_q[d]  <= '0;
        pass_first_q[d] <= '0;
        spill_ptr_q[d]  <= '0;
      end else if (kernel_start_i) begin
        pass_base_q[d]  <= base_q[32*d +: 32];
        pass_first_q[d] <= first_q[16*d +: 16];
        spill_ptr_q[d]  <= spill_q[32*d +: 32];
      end else begin
        if (returns) begin
          pass_base_q[d]  <= base_q[32*d +: 32];
          pass_first_q[d] <= first_q[16*d +: 16];
        end else if (moves) begin
          pass_base_q[d]  <= pass_base_q[d] + pass_pitch_q[32*d +: 32];
          pass_first_q[d] <= pass_first_q[d] + first_step_q[16*d +: 16];
        end
        spill_ptr_q[d] <= spill_ptr_q[d] + {16'd0, face_words[14*d +: 14], 2'd0};
      end
    end
  end

  // The one that is selected
  always_comb begin
    pass_base_o  = '0;
    pass_first_o = '0;
    spill_ptr_o  = '0;
    rows_o       = '0;
    row_words_o  = '0;
    row_pitch_o  = '0;
    tile_pitch_o = '0;
    tiles_o      = '0;
    steps_o      = '0;
    face_words_o = '0;
    global_o     = 1'b0;
    for (int d = 0; d < Stores; d++) begin
      if (sel_i == 1'(d)) begin
        pass_base_o  = pass_base_q[d];
        pass_first_o = pass_first_q[d];
        spill_ptr_o  = spill_ptr_q[d];
        rows_o       = rows_q[13*d +: 13];
        row_words_o  = row_words_q[13*d +: 13];
        row_pitch_o  = row_pitch_q[32*d +: 32];
        tile_pitch_o = tile_pitch_q[32*d +: 32];
        tiles_o      = tiles_q[16*d +: 16];
        steps_o      = steps_q[16*d +: 16];
        face_words_o = face_words_q[14*d +: 14];
        global_o     = mode_q[2*d];
      end
    end
  end
  assign outstanding_o = outstanding_q;

`ifndef SYNTHESIS
  // Tiles are whole sectors.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && kernel_start_i) begin
      for (int d = 0; d < Stores; d++) begin
        begin : base_sectors
          assert (base_q[32*d +: 5] == '0 && row_pitch_q[32*d +: 5] == '0);
        end
        begin : pitch_sectors
          assert (tile_pitch_q[32*d +: 5] == '0 && spill_q[32*d +: 7] == '0);
        end
        begin : row_sectors
          assert (row_words_q[13*d +: 3] == '0 && face_words_q[14*d +: 3] == '0);
        end
      end
      outstanding_in_range: assert (outstanding_q <= 5'd16);
    end
  end
`endif
endmodule
