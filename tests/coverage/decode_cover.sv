// Cover points of decode (docs/models/coverage.md).  The cases of its table are branches, which line coverage counts.
module decode_cover (
`include "csim/ports/decode_ports.svh"
);
  logic [3:0]       unit;
  tandem_pkg::dec_t dec;
  assign unit = inst_i[57:54];
  assign dec  = dec_o;
  always_comb begin
    undefined_operation:     cover (dec_o == '0);
    immediate_for_source_2:  cover (inst_i[31] && dec.pipe != tandem_pkg::PipeMem && dec.s1_n != 2'd0);
    address_in_instruction:  cover (unit == 4'd13 && inst_i[31] && dec.pipe == tandem_pkg::PipeMem);
    address_of_64_bits:      cover (unit == 4'd13 && dec.pipe == tandem_pkg::PipeMem && dec.s1_n == 2'd2);
    store_without_data:      cover (unit == 4'd13 && dec.pipe == tandem_pkg::PipeMem && dec.d_n == 2'd0);
    block_synchronisation:   cover (unit == 4'd13 && inst_i[53:48] == 6'd6);
    atomic_without_result:   cover (unit == 4'd14 && dec.pipe == tandem_pkg::PipeMem && dec.d_n == 2'd0);
    atomic_with_result:      cover (unit == 4'd14 && dec.pipe == tandem_pkg::PipeMem && dec.d_n != 2'd0);
    atomic_of_64_bits:       cover (unit == 4'd14 && dec.d_n == 2'd2);
    predicate_destination:   cover (dec.d_p);
    predicate_source_2:      cover (dec.p2);
    predicate_source_3:      cover (dec.p3);
  end
  for (genvar i = 0; i < 4; i++) begin : g_code
    always_comb begin
      pipeline:         cover (dec_o != '0 && dec.pipe == 2'(i));
      control_class:    cover (dec_o != '0 && dec.ctl == 2'(i));
      destination_size: cover (dec_o != '0 && dec.d_n == 2'(i));
      store_size:       cover (unit == 4'd13 && dec.pipe == tandem_pkg::PipeMem && dec.s2_n == 2'(i));
    end
    if (i < 3) begin : g_source
      always_comb begin
        source_1_size: cover (dec_o != '0 && dec.s1_n == 2'(i));
        source_2_size: cover (dec_o != '0 && dec.s2_n == 2'(i));
        source_3_size: cover (dec_o != '0 && dec.s3_n == 2'(i));
      end
    end
  end
  for (genvar u = 0; u < 15; u++) begin : g_unit
    always_comb defined: cover (unit == 4'(u) && dec_o != '0);
  end
endmodule
bind decode decode_cover u_cover (.*);
