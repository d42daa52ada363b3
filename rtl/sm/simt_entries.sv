// The entries of each warp's SIMT stack below the top: up to two are pushed in a cycle, one is read.
//
// Entry i of a warp, from 1 for the lowest on, is row i / 2 of bank i % 2, so that two entries which follow
// each other are in different banks; entry StackDepth has the row of entry 0.  So the depth is the
// address of the uppermost entry, which is what a pop reads.  The first push goes to the entry
// above depth, the second one above that.  A read is combinational and sees what was there before the cycle's
// pushes.  No reset: an entry is read only after it was pushed.

module simt_entries #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned EntryW = tandem_pkg::WarpSize + 2 * tandem_pkg::PcW,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,  // a power of two
  parameter bit          Met = 1'b1  // 0: there is no met (0)
) (
  input  logic                            clk_i,

  // Pushes: [0] the lower entry, [1] the upper one, which is not pushed alone
  input  logic [1:0]                      push_i,
  input  logic [tandem_pkg::WarpW-1:0]    push_warp_i,
  input  logic [$clog2(StackDepth+1)-1:0] push_depth_i,  // entries of the warp before the push
  input  logic [EntryW-1:0]               push0_entry_i,
  input  logic                            push0_met_i,
  input  logic [EntryW-1:0]               push1_entry_i,
  input  logic                            push1_met_i,

  input  logic [tandem_pkg::WarpW-1:0]    rd_warp_i,
  input  logic [$clog2(StackDepth+1)-1:0] rd_entry_i,  // its number
  output logic [EntryW-1:0]               rd_entry_o,
  output logic                            rd_met_o
);
  localparam int unsigned DepthW = $clog2(StackDepth + 1);
  localparam int unsigned RowW = $clog2(StackDepth) - 1;  // index within a bank
  localparam int unsigned BankRows = Warps * StackDepth / 2;
  localparam int unsigned AddrW = $clog2(BankRows);

  logic [EntryW-1:0] bank0_q [BankRows];
  logic [EntryW-1:0] bank1_q [BankRows];
  logic              met0_q [BankRows];
  logic              met1_q [BankRows];

  logic            odd;  // the first push goes to bank 1
  logic [RowW-1:0] row0, row1;
  logic [AddrW-1:0] at0, at1, rd_at;  // rows of bank 0 and bank 1
  assign odd    = ~push_depth_i[0];
  assign row0   = push_depth_i[RowW:1] + RowW'(1);
  assign row1   = push_depth_i[RowW:1] + RowW'(!odd);
  assign at0    = AddrW'({push_warp_i, row0});
  assign at1    = AddrW'({push_warp_i, row1});
  assign rd_at  = AddrW'({rd_warp_i, rd_entry_i[RowW:1]});

  always_comb begin
    rd_entry_o = rd_entry_i[0] ? bank1_q[rd_at] : bank0_q[rd_at];
    rd_met_o   = 1'b0;
    if (Met) rd_met_o = rd_entry_i[0] ? met1_q[rd_at] : met0_q[rd_at];
  end

  always_ff @(posedge clk_i) begin
    if (push_i != '0) begin
      if (push_i[odd]) begin
        bank0_q[at0] <= odd ? push1_entry_i : push0_entry_i;
        if (Met) met0_q[at0] <= odd ? push1_met_i : push0_met_i;
      end
      if (push_i[!odd]) begin
        bank1_q[at1] <= odd ? push0_entry_i : push1_entry_i;
        if (Met) met1_q[at1] <= odd ? push0_met_i : push1_met_i;
      end
    end
  end

  logic unused_depth;
  assign unused_depth = 1'b0 & ^{push_depth_i[DepthW-1], rd_entry_i[DepthW-1]};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) upper_with_lower: assert (push_i != 2'b10);
`endif
endmodule
