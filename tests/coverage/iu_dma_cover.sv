// Cover points of iu_dma and its parts (docs/models/coverage.md): the states of its control by role, pieces of rows,
// tags.
module iu_dma_cover #(
  parameter int unsigned WordW = 32
) (
  input logic [2:0]  state,
  input logic        enters,
  input logic        tile_over,
  input logic        last,
  input logic        due,
  input logic        store,
  input logic        virt,
  input logic        globally,
  input logic        takes,
  input logic        walk_over,
  input logic        tag_free,
  input logic        moving,
  input logic [15:0] tiles,
  input logic [1:0]  first,
  input logic [3:0]  sectors,
  input logic        row_over,
  input logic [15:0] busy,
  input logic [4:0]  outstanding,
`include "csim/ports/iu_dma_ports.svh"
);
  logic runs;
  assign runs = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (runs) begin
      start_without_tiles:   cover (start_i && state == 3'd0 && tiles == '0);
      restore_waits_for_got: cover (state == 3'd1 && !enters);
      post_waits_for_done:   cover (state == 3'd3 && !tile_over);
      ask_waits_for_done:    cover (state == 3'd4 && !enters);
      put_after_drain:       cover (state == 3'd5 && enters && !tile_over && virt);
      next_tile:             cover (tile_over && !last);
      last_tile:             cover (tile_over && last);
      step_with_store:       cover (state == 3'd7 && enters && store && due);
      step_without_tile:     cover (state == 3'd7 && tile_over && !due);
      step_of_load:          cover (state == 3'd7 && tile_over && !store);
      no_tag_free:           cover (moving && !walk_over && !tag_free);
      all_tags_busy:         cover (busy == '1);
      waits_for_answers:     cover (moving && walk_over && busy != '0);
      answer_as_piece_taken: cover (m_rsp_i && takes);
      answer_out_of_order:   cover (m_rsp_i && (busy & ((16'd1 << m_rsp_tag_i) - 16'd1)) != '0);
      buffer_and_memory:     cover (c_rsp_i && m_rsp_i);
      request_each_cycle:    cover (m_valid_o && takes);
      piece_ends_row:        cover (takes && row_over);
      piece_ends_segment:    cover (takes && !row_over);
      next_column:           cover (next_cx_i && !next_cy_i);
      next_row:              cover (next_cy_i && !next_cx_i);
      register_that_is_none: cover (cfg_valid_i && cfg_reg_i[3:0] > 4'd13);
    end
  end
  // Each state with each role of the unit that it has; a kernel starts in each of them.
  for (genvar s = 0; s < 8; s++) begin : g_state
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni) kernel_starts_in: cover (kernel_start_i && state == 3'(s));
  end
  always_ff @(posedge clk_i or negedge rst_ni) if (runs) begin
    load_fetches:          cover (state == 3'd2 && !virt && !globally);
    load_restores:         cover (state == 3'd2 && virt && !globally);
    load_fetches_globally: cover (state == 3'd2 && !virt && globally);
    load_restores_globally: cover (state == 3'd2 && virt && globally);
    store_drains:          cover (state == 3'd5 && !virt && !globally);
    store_spills:          cover (state == 3'd5 && virt && !globally);
    store_drains_globally: cover (state == 3'd5 && !virt && globally);
    store_spills_globally: cover (state == 3'd5 && virt && globally);
  end
  for (genvar i = 0; i < 4; i++) begin : g_piece
    for (genvar n = 1; n <= 4 - i; n++) begin : g_length
      always_ff @(posedge clk_i or negedge rst_ni)
        if (runs) taken: cover (takes && first == 2'(i) && sectors == 4'(((1 << n) - 1) << i));
    end
  end
  for (genvar t = 0; t < 16; t++) begin : g_tag
    always_ff @(posedge clk_i or negedge rst_ni) if (runs) answered: cover (m_rsp_i && m_rsp_tag_i == 4'(t));
  end
  for (genvar t = 1; t <= 16; t++) begin : g_outstanding
    always_ff @(posedge clk_i or negedge rst_ni) if (runs) moves: cover (takes && outstanding == 5'(t));
  end
  for (genvar r = 0; r < 14; r++) begin : g_register
    always_ff @(posedge clk_i or negedge rst_ni) if (runs) written: cover (cfg_valid_i && cfg_reg_i == 5'(r));
  end
endmodule
bind iu_dma iu_dma_cover #(.WordW(WordW)) u_cover (
  .state(u_control.state_q), .enters(u_control.enters), .tile_over(u_control.tile_over), .last(u_control.last),
  .due(u_control.due), .row_over(u_walk.row_over), .busy(u_tags.busy_q), .*
);
