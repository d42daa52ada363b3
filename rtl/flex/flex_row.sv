// The row of a warp: own row w of warps below OwnRows, borrowed row w - OwnRows of the others.  Requests go
// to own or borrowed rows.

module flex_row #(
  parameter bit          Borrows = 1'b1,  // 0: there are no borrowed rows
  parameter int unsigned OwnRows = 24,
  parameter int unsigned Requests = 1
) (
  input  logic [Requests-1:0]          valid_i,
  input  logic [tandem_pkg::WarpW-1:0] warp_i,
  output logic [Requests-1:0]          own_o,
  output logic [Requests-1:0]          far_o,
  output logic [4:0]                   row_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;

  logic             far;
  logic [WarpW-1:0] row;
  assign far   = Borrows && warp_i >= WarpW'(OwnRows);
  assign row   = far ? warp_i - WarpW'(OwnRows) : warp_i;
  assign row_o = row[4:0];
  assign own_o = far ? '0 : valid_i;
  assign far_o = far ? valid_i : '0;

  logic unused_top;
  assign unused_top = 1'b0 & row[WarpW-1];
endmodule
