// Decode: control bundle of a 64-bit instruction word.  Combinational.
//
// A table gives each operation's operand shape (docs/isa.md); the modifiers then replace the parts
// that they change: the address of a memory access, the size of its data, an immediate in place of
// src 2, an atomic without result.  An operation that the table does not have gives 0.

module decode (
`ifdef TANDEM_BUGS
  input  logic [7:0]                   bug_i,
`endif
  input  logic [tandem_pkg::InstW-1:0] inst_i,
  output logic [tandem_pkg::DecW-1:0]  dec_o
);
  // Function units.
  localparam logic [3:0] UnitCtrl = 4'd0;
  localparam logic [3:0] UnitIalu = 4'd1;
  localparam logic [3:0] UnitIcmp = 4'd2;
  localparam logic [3:0] UnitImul = 4'd3;
  localparam logic [3:0] UnitImad = 4'd4;
  localparam logic [3:0] UnitIdiv = 4'd5;
  localparam logic [3:0] UnitFadd = 4'd6;
  localparam logic [3:0] UnitFcmp = 4'd7;
  localparam logic [3:0] UnitFmul = 4'd8;
  localparam logic [3:0] UnitFma  = 4'd9;
  localparam logic [3:0] UnitSfu  = 4'd10;
  localparam logic [3:0] UnitDp   = 4'd11;
  localparam logic [3:0] UnitLong = 4'd12;
  localparam logic [3:0] UnitMem  = 4'd13;
  localparam logic [3:0] UnitAtom = 4'd14;

  // Operand codes of a shape, three bits each for dst, src 1, src 2, src 3: {a predicate, number of
  // registers}.  What the modifiers decide counts as one register here.
  localparam logic [2:0] N = 3'd0;  // not used
  localparam logic [2:0] R = 3'd1;  // a register
  localparam logic [2:0] D = 3'd2;  // a pair
  localparam logic [2:0] P = 3'd4;  // a predicate
  localparam logic [2:0] A = 3'd1;  // an address
  localparam logic [2:0] V = 3'd1;  // data of a memory access

  localparam logic [1:0] Sp   = tandem_pkg::PipeSp;
  localparam logic [1:0] Sfu  = tandem_pkg::PipeSfu;
  localparam logic [1:0] Mem  = tandem_pkg::PipeMem;
  localparam logic [1:0] None = tandem_pkg::PipeNone;
  localparam logic [1:0] C0   = tandem_pkg::CtlNone;
  localparam logic [1:0] Bra  = tandem_pkg::CtlBra;
  localparam logic [1:0] Exit = tandem_pkg::CtlExit;
  localparam logic [1:0] Bar  = tandem_pkg::CtlBar;

  logic [3:0] unit;
  logic [5:0] op;
  assign unit = inst_i[57:54];
  assign op   = inst_i[53:48];

  logic [15:0] shape;  // ctl, pipe, dst, src 1, src 2, src 3
  always_comb begin
    shape = '0;
    case (unit)
      UnitCtrl:
        case (op)
          6'd0:    shape = {C0, None, N, N, N, N};
          6'd1:    shape = {Bra, Sp, N, N, N, N};
          6'd2:    shape = {Exit, Sp, N, N, N, N};
          6'd3:    shape = {Bar, None, N, N, N, N};
          default: shape = '0;
        endcase
      UnitIalu:
        case (op)
          6'd1, 6'd2:                   shape = {C0, Sp, R, N, N, N};
          6'd0, 6'd7, 6'd12,
          6'd16, 6'd17, 6'd18,
          6'd19, 6'd23:                 shape = {C0, Sp, R, R, N, N};
          6'd3, 6'd4, 6'd5, 6'd6,
          6'd8, 6'd9, 6'd10:            shape = {C0, Sp, R, R, R, N};
          6'd11:                        shape = {C0, Sp, R, R, R, P};
          6'd13, 6'd14, 6'd15:          shape = {C0, Sp, R, R, R, R};
          6'd20:                        shape = {C0, Sp, P, N, P, P};
          6'd21:                        shape = {C0, Sp, P, N, P, N};
          6'd22:                        shape = {C0, Sp, R, N, P, N};
          default:                      shape = '0;
        endcase
      UnitIcmp, UnitFcmp:
        case (op)
          6'd0, 6'd1: shape = {C0, Sp, R, R, R, N};
          6'd2:       shape = {C0, Sp, P, R, R, N};
          default:    shape = '0;
        endcase
      UnitImul:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd4: shape = {C0, Sp, R, R, R, N};
          6'd2:                   shape = {C0, Sp, D, R, R, N};
          default:                shape = '0;
        endcase
      UnitImad:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd4, 6'd5: shape = {C0, Sp, R, R, R, R};
          6'd2:                         shape = {C0, Sp, D, R, R, D};
          default:                      shape = '0;
        endcase
      UnitIdiv: if (op <= 6'd1) shape = {C0, Sp, R, R, R, N};
      UnitFadd:
        case (op)
          6'd0:                               shape = {C0, Sp, R, R, R, N};
          6'd1, 6'd2, 6'd3, 6'd4, 6'd5, 6'd6,
          6'd7, 6'd8:                         shape = {C0, Sp, R, R, N, N};
          default:                            shape = '0;
        endcase
      UnitFmul: if (op == 6'd0) shape = {C0, Sp, R, R, R, N};
      UnitFma:  if (op == 6'd0) shape = {C0, Sp, R, R, R, R};
      UnitSfu:
        case (op)
          6'd0, 6'd1, 6'd2, 6'd3, 6'd4, 6'd5, 6'd6: shape = {C0, Sfu, R, R, N, N};
          6'd7:                                     shape = {C0, Sfu, R, R, R, N};
          default:                                  shape = '0;
        endcase
      UnitDp:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd6, 6'd7:    shape = {C0, Sfu, D, D, D, N};
          6'd2:                            shape = {C0, Sfu, D, D, D, D};
          6'd4, 6'd5, 6'd9, 6'd10, 6'd11,
          6'd16, 6'd17, 6'd18:             shape = {C0, Sfu, D, D, N, N};
          6'd8:                            shape = {C0, Sfu, P, D, D, N};
          6'd12, 6'd14:                    shape = {C0, Sfu, R, D, N, N};
          6'd13, 6'd15:                    shape = {C0, Sfu, D, R, N, N};
          default:                         shape = '0;
        endcase
      UnitLong:
        case (op)
          6'd0, 6'd1, 6'd2, 6'd3, 6'd8,
          6'd9, 6'd11, 6'd12, 6'd13,
          6'd14:                           shape = {C0, Sp, D, D, D, N};
          6'd4, 6'd16, 6'd18, 6'd21:       shape = {C0, Sp, D, D, N, N};
          6'd5, 6'd6, 6'd7:                shape = {C0, Sp, D, D, R, N};
          6'd10:                           shape = {C0, Sp, D, D, D, D};
          6'd15:                           shape = {C0, Sp, P, D, D, N};
          6'd17:                           shape = {C0, Sp, D, D, D, P};
          6'd19, 6'd20, 6'd24:             shape = {C0, Sp, R, D, N, N};
          6'd22, 6'd25:                    shape = {C0, Sp, D, R, N, N};
          6'd23:                           shape = {C0, Sp, D, R, R, N};
          6'd26:                           shape = {C0, Sp, D, D, R, R};
          default:                         shape = '0;
        endcase
      UnitMem:
        case (op)
          6'd0, 6'd1, 6'd2, 6'd3, 6'd4, 6'd5: shape = {C0, Mem, V, A, N, N};
          6'd8, 6'd9, 6'd10, 6'd12:           shape = {C0, Mem, N, A, V, N};
          default:                            shape = '0;
        endcase
      UnitAtom:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd4, 6'd5, 6'd6, 6'd7, 6'd8, 6'd9,
          6'd10:                                                shape = {C0, Mem, R, A, R, N};
          6'd2:                                                 shape = {C0, Mem, R, A, R, R};
          default:                                              shape = '0;
        endcase
      default: shape = '0;
    endcase
`ifdef TANDEM_BUGS
    if (bug_i == 8'd9 && unit == UnitSfu && op == 6'd2) shape = {C0, Sp, R, R, N, N};
    if (bug_i == 8'd10 && unit == UnitImul && op == 6'd2) shape = {C0, Sp, R, R, R, N};
`endif
  end

  tandem_pkg::dec_t plain;
  assign plain = {shape[2], shape[5], shape[1:0], shape[4:3], shape[7:6], shape[11:9],
                  shape[15:14], shape[13:12]};

  // What the modifiers change.
  tandem_pkg::dec_t dec;
  always_comb begin
    logic [1:0] addr_n, data_n;
    addr_n = '0;
    data_n = '0;
    dec    = plain;
    if (plain.pipe == tandem_pkg::PipeMem) begin
      addr_n   = inst_i[30] ? 2'd2 : 2'd1;
      dec.s1_n = addr_n;
      if (unit == UnitMem) begin
        if (inst_i[31]) dec.s1_n = 2'd0;
        if (inst_i[26:25] == 2'd3) data_n = (inst_i[29:28] == 2'd0) ? 2'd2 : 2'd3;
        else                       data_n = (inst_i[29:28] == 2'd3) ? 2'd3 : inst_i[29:28] + 2'd1;
        if (plain.d_n != 2'd0) dec.d_n = data_n;
`ifdef TANDEM_BUGS
        if (bug_i == 8'd11) data_n = 2'd1;
`endif
        if (plain.s2_n != 2'd0) dec.s2_n = data_n;
      end else if (inst_i[31]) begin
        dec.d_n = 2'd0;
      end
    end else if (inst_i[31] && unit >= UnitIalu && unit <= UnitLong) begin
      dec.s2_n = 2'd0;
    end
  end
  assign dec_o = dec;

  // The warp and the register fields are not decode's business.
  logic unused_inst;
  assign unused_inst = 1'b0 & ^{inst_i[63:58], inst_i[47:32], inst_i[27], inst_i[24:0], shape[8]};
endmodule
