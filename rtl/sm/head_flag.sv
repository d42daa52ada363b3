// One flag of each warp's head, in ibuffer.
//
// A head that leaves takes its flag along (gone).  A new head brings its own: bit 0 of new_i if a write makes it
// (fresh), bit 1 or 2 if it follows the pop of an even or odd warp (next).

module head_flag #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             kernel_start_i,
  input  logic             change_i,  // an event; without one nothing is new
  input  logic [Warps-1:0] gone_i,
  input  logic [Warps-1:0] fresh_i,
  input  logic [Warps-1:0] next_i,
  input  logic [2:0]       new_i,
  output logic [Warps-1:0] flag_o
);
  logic [Warps-1:0] flag_q  /*verilator public_flat_rd*/;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flag_q <= '0;
    end else if (change_i) begin
      flag_q <= kernel_start_i ? '0 : (flag_q & ~gone_i) | (fresh_i & {Warps{new_i[0]}}) |
                                      (next_i & {(Warps / 2) {new_i[2:1]}});
    end
  end
  assign flag_o = flag_q;
endmodule
