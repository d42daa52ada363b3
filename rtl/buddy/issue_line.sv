// Issue line: the way of one issue slot of a front end to its own back end.  While on_i, an instruction
// comes out Delay cycles after it went in, as long as the way to the slaves; else at once.
//
// clear_i empties the line and wins over everything.

module issue_line #(
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned Delay = 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,
  input  logic                         on_i,

  input  logic                         valid_i,
  input  logic [tandem_pkg::InstW-1:0] inst_i,
  input  logic [tandem_pkg::PcW-1:0]   pc_i,
  input  logic [WarpSize-1:0]          mask_i,
  output logic                         valid_o,
  output logic [tandem_pkg::InstW-1:0] inst_o,
  output logic [tandem_pkg::PcW-1:0]   pc_o,
  output logic [WarpSize-1:0]          mask_o,
  output logic                         empty_o
);
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam int unsigned PcW = tandem_pkg::PcW;

  logic [Delay-1:0] valid_q  /*verilator public_flat_rd*/;  // bit i: i + 1 cycles ago

  for (genvar i = 0; i < Delay; i++) begin : g_stage
    logic                comes;
    logic [InstW-1:0]    inst, inst_q;
    logic [PcW-1:0]      pc, pc_q;
    logic [WarpSize-1:0] mask, mask_q;
    if (i == 0) begin : g_first
      assign comes = valid_i;
      assign inst  = inst_i;
      assign pc    = pc_i;
      assign mask  = mask_i;
    end else begin : g_next
      assign comes = valid_q[i-1];
      assign inst  = g_stage[i-1].inst_q;
      assign pc    = g_stage[i-1].pc_q;
      assign mask  = g_stage[i-1].mask_q;
    end
    always_ff @(posedge clk_i) begin
      if (on_i && comes) begin
        inst_q <= inst;
        pc_q   <= pc;
        mask_q <= mask;
      end
    end
  end

  assign valid_o = on_i ? valid_q[Delay-1] : valid_i;
  assign inst_o  = on_i ? g_stage[Delay-1].inst_q : inst_i;
  assign pc_o    = on_i ? g_stage[Delay-1].pc_q : pc_i;
  assign mask_o  = on_i ? g_stage[Delay-1].mask_q : mask_i;
  assign empty_o = valid_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (on_i)    valid_q <= Delay'({valid_q, valid_i});
  end
endmodule
