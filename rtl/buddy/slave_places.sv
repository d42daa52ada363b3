// Slave places: for each slave, how many memory instructions its collectors have room for.  One that is
// granted takes a place of every slave; a credit returns one.
//
// Within a cycle an instruction may take the place that a credit returns.  clear_i makes all places
// free and wins over everything.  While on_i is low nothing changes, and there is room.
//
// Illegal: a credit beyond the full count, an instruction without a place.

module slave_places #(
  parameter int unsigned Slaves = 3
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              clear_i,
  input  logic              on_i,
  input  logic [Slaves-1:0] slaves_i,  // bit k: the neighbour follows
  input  logic              take_i,
  input  logic [Slaves-1:0] credit_i,

  output logic              ok_o,      // each slave has a place
  output logic              home_o     // all places are free
);
  localparam int unsigned CountW = 4;
  localparam logic [CountW-1:0] Full = CountW'(tandem_pkg::MemPlaces);

  logic [Slaves*CountW-1:0] count_q  /*verilator public_flat_rd*/;
  logic [Slaves*CountW-1:0] count_d;

  logic turns;
  assign turns  = take_i | (credit_i != '0);
  assign home_o = count_q == {Slaves{Full}};

  always_comb begin
    count_d = '0;
    if (turns) begin
      count_d = count_q;
      for (int k = 0; k < Slaves; k++) begin
        if (slaves_i[k] && credit_i[k] && !take_i)
          count_d[k*CountW +: CountW] = count_q[k*CountW +: CountW] + CountW'(1);
        if (slaves_i[k] && `FAULT(12, !credit_i[k], 1'b1) && take_i)
          count_d[k*CountW +: CountW] = count_q[k*CountW +: CountW] - CountW'(1);
      end
    end
  end

  always_comb begin
    ok_o = 1'b1;
    if (on_i && !home_o) for (int k = 0; k < Slaves; k++) begin
      if (slaves_i[k] && count_q[k*CountW +: CountW] == '0) ok_o = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)            count_q <= {Slaves{Full}};
    else if (clear_i)       count_q <= {Slaves{Full}};
    else if (on_i && turns) count_q <= count_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!clear_i && on_i) begin
      for (int k = 0; k < Slaves; k++) begin
        begin : credit_taken
          assert (!(slaves_i[k] && credit_i[k] && count_q[k*CountW +: CountW] == Full));
        end
        begin : taken_there
          assert (!(slaves_i[k] && take_i && count_q[k*CountW +: CountW] == '0));
        end
      end
    end
  end
`endif
endmodule
