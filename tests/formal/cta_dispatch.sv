// cta_dispatch: CTAs go to all members of a group or to none; their numbers are given once each, in
// order, and none is lost: those given and those left are the grid's; what the residue leaves of a
// grid is whole clusters.  The assertions are in rtl/gpu/cta_dispatch.sv, as they speak of its
// registers; the inputs are any, but that every SM is in a group, and clusters have 1, 2, 4 or 8
// members.
module cta_dispatch_formal #(
  parameter int unsigned Sms = 8
) (
`include "csim/ports/cta_dispatch_inputs.svh"
);
  one_clock u_one_clock (.clk_i, .rst_ni);
  always_comb begin
    assume ((cluster_i & (cluster_i + 3'd1)) == '0);
    assume ((enabled_i & ~lead_i & ~{enabled_i[Sms-2:0], 1'b0}) == '0);
  end

`include "csim/ports/cta_dispatch_outputs.svh"
  cta_dispatch #(
    .Sms(Sms)
  ) u_cta_dispatch (
    .*
  );

  always_comb begin
    if (rst_ni) begin
      cover (done_o && first_o > 32'(Sms));
      cover (split_o != '0);
      cover (form_o == 3'd5);
    end
  end
endmodule
