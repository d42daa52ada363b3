// Formation: the groups with which a kernel starts, by the residue of its CTAs over Members
// (docs/hardware/buddy_control.md, group_control).  All outputs are 0, but for the first lead, until kernel_start.
//
// Illegal: a residue of Members or more.

module group_formation #(
  parameter int unsigned Members = 8,  // 2, 4 or 8
  localparam int unsigned Groups = Members / 2
) (
  input  logic                      kernel_start_i,
  input  logic [2:0]                form_i,
  input  logic                      solo_i,  // every member for itself

  output logic [Members-1:0]        lead_o,  // first of a group, or alone
  output logic [Members*Groups-1:0] mask_o   // of each group its members; 0: no such group
);
  // Where node n of the tree is split, its upper half starts a group of its own.  The recursive rule
  // comes down to this: the last group has as many members as the lowest bit set in the residue, and
  // every node above it is split.
  logic [3:0] low;
  always_comb begin
    low    = '0;
    lead_o = Members'(1);
    if (kernel_start_i) begin
      low = {1'b0, form_i & (~form_i + 3'd1)};
      for (int n = 1; n < Members; n = 2 * n) begin
        if (low != 4'd0 && low <= 4'(n)) lead_o[Members-n] = 1'b1;
      end
      if (solo_i) lead_o = '1;
    end
  end

  // A group goes on to the next lead.
  always_comb begin
    mask_o = '0;
    if (kernel_start_i) begin
      for (int g = 0; g < Groups; g++) begin
        if (lead_o[2*g] && !lead_o[2*g+1]) begin
          mask_o[Members*g+2*g+:2] = 2'b11;
          for (int k = 2 * g + 2; k < Members; k++) begin
            mask_o[Members*g+k] = mask_o[Members*g+k-1] && !lead_o[k];
          end
        end
      end
    end
  end
endmodule
