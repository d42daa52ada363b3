// Decode: control bundle of a 64-bit instruction word.  Combinational.
//
// A table gives each operation's operand shape (docs/reference/isa.md); the modifiers then replace the parts
// that they change: the address of a memory access, the size of its data or of an atomic's word, an
// immediate in place of src 2, an atomic without result.  An operation that the table does not have gives 0.

module decode (
  input  logic [tandem_pkg::InstW-1:0] inst_i,
  output logic [tandem_pkg::DecW-1:0]  dec_o
);
  localparam int unsigned DecW = tandem_pkg::DecW;

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

  // Parts of a bundle, to be joined.  Pipelines, with the one that most operations use as 0:
  localparam logic [DecW-1:0] Sp   = DecW'(tandem_pkg::PipeSp);
  localparam logic [DecW-1:0] Sfu  = DecW'(tandem_pkg::PipeSfu);
  localparam logic [DecW-1:0] Mem  = DecW'(tandem_pkg::PipeMem);
  localparam logic [DecW-1:0] None = DecW'(tandem_pkg::PipeNone);
  localparam logic [DecW-1:0] Bra  = DecW'(tandem_pkg::CtlBra) << 2;
  localparam logic [DecW-1:0] Exit = DecW'(tandem_pkg::CtlExit) << 2;
  localparam logic [DecW-1:0] Bar  = DecW'(tandem_pkg::CtlBar) << 2;

  // dst, src 1, src 2, src 3: R a register, D a pair, P a predicate; A an address and V the data of a
  // memory access, W the word of an atomic, which count as one register until the modifiers decide.
  localparam logic [DecW-1:0] Rd = DecW'(1) << 4, Dd = DecW'(2) << 4, Pd = DecW'(1) << 6, Vd = Rd, Wd = Rd;
  localparam logic [DecW-1:0] R1 = DecW'(1) << 7, D1 = DecW'(2) << 7, A1 = R1;
  localparam logic [DecW-1:0] R2 = DecW'(1) << 9, D2 = DecW'(2) << 9, P2 = DecW'(1) << 13, V2 = R2, W2 = R2;
  localparam logic [DecW-1:0] R3 = DecW'(1) << 11, D3 = DecW'(2) << 11, P3 = DecW'(1) << 14, W3 = R3;

  logic [3:0] unit;
  logic [5:0] op;
  assign unit = inst_i[57:54];
  assign op   = inst_i[53:48];

  tandem_pkg::dec_t plain;
  always_comb begin
    plain = '0;
    case (unit)
      UnitCtrl:
        case (op)
          6'd0:    plain = None;
          6'd1:    plain = Bra | Sp;
          6'd2:    plain = Exit | Sp;
          6'd3:    plain = Bar | None;
          default: plain = '0;
        endcase
      UnitIalu:
        case (op)
          6'd1, 6'd2:                   plain = Sp | Rd;
          6'd0, 6'd7, 6'd12,
          6'd16, 6'd17, 6'd18,
          6'd19, 6'd23:                 plain = Sp | Rd | R1;
          6'd3, 6'd4, 6'd5, 6'd6,
          6'd8, 6'd9, 6'd10:            plain = Sp | Rd | R1 | R2;
          6'd11:                        plain = Sp | Rd | R1 | R2 | P3;
          6'd13, 6'd14, 6'd15:          plain = Sp | Rd | R1 | R2 | R3;
          6'd20:                        plain = Sp | Pd | P2 | P3;
          6'd21:                        plain = Sp | Pd | P2;
          6'd22:                        plain = Sp | Rd | P2;
          default:                      plain = '0;
        endcase
      UnitIcmp, UnitFcmp:
        case (op)
          6'd0, 6'd1: plain = Sp | Rd | R1 | R2;
          6'd2:       plain = Sp | Pd | R1 | R2;
          default:    plain = '0;
        endcase
      UnitImul:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd4: plain = Sp | Rd | R1 | R2;
          6'd2:                   plain = Sp | Dd | R1 | R2;
          default:                plain = '0;
        endcase
      UnitImad:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd4, 6'd5: plain = Sp | Rd | R1 | R2 | R3;
          6'd2:                         plain = Sp | Dd | R1 | R2 | D3;
          default:                      plain = '0;
        endcase
      UnitIdiv: if (op <= 6'd1) plain = Sp | Rd | R1 | R2;
      UnitFadd:
        case (op)
          6'd0:                               plain = Sp | Rd | R1 | R2;
          6'd1, 6'd2, 6'd3, 6'd4, 6'd5, 6'd6,
          6'd7, 6'd8:                         plain = Sp | Rd | R1;
          default:                            plain = '0;
        endcase
      UnitFmul: if (op == 6'd0) plain = Sp | Rd | R1 | R2;
      UnitFma:  if (op == 6'd0) plain = Sp | Rd | R1 | R2 | R3;
      UnitSfu:
        case (op)
          6'd0, 6'd1, 6'd2, 6'd3, 6'd4, 6'd5, 6'd6: plain = Sfu | Rd | R1;
          6'd7:                                     plain = Sfu | Rd | R1 | R2;
          default:                                  plain = '0;
        endcase
      UnitDp:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd6, 6'd7:    plain = Sfu | Dd | D1 | D2;
          6'd2:                            plain = Sfu | Dd | D1 | D2 | D3;
          6'd4, 6'd5, 6'd9, 6'd10, 6'd11,
          6'd16, 6'd17, 6'd18:             plain = Sfu | Dd | D1;
          6'd8:                            plain = Sfu | Pd | D1 | D2;
          6'd12, 6'd14:                    plain = Sfu | Rd | D1;
          6'd13, 6'd15:                    plain = Sfu | Dd | R1;
          default:                         plain = '0;
        endcase
      UnitLong:
        case (op)
          6'd0, 6'd1, 6'd2, 6'd3, 6'd8,
          6'd9, 6'd11, 6'd12, 6'd13,
          6'd14:                           plain = Sp | Dd | D1 | D2;
          6'd4, 6'd16, 6'd18, 6'd21:       plain = Sp | Dd | D1;
          6'd5, 6'd6, 6'd7:                plain = Sp | Dd | D1 | R2;
          6'd10:                           plain = Sp | Dd | D1 | D2 | D3;
          6'd15:                           plain = Sp | Pd | D1 | D2;
          6'd17:                           plain = Sp | Dd | D1 | D2 | P3;
          6'd19, 6'd20, 6'd24:             plain = Sp | Rd | D1;
          6'd22, 6'd25:                    plain = Sp | Dd | R1;
          6'd23:                           plain = Sp | Dd | R1 | R2;
          6'd26:                           plain = Sp | Dd | D1 | R2 | R3;
          default:                         plain = '0;
        endcase
      UnitMem:
        case (op)
          6'd0, 6'd1, 6'd2, 6'd3, 6'd4, 6'd5: plain = Mem | Vd | A1;
          6'd6:                               plain = Mem | Rd;
          6'd8, 6'd9, 6'd10, 6'd12:           plain = Mem | A1 | V2;
          default:                            plain = '0;
        endcase
      UnitAtom:
        case (op)
          6'd0, 6'd1, 6'd3, 6'd4, 6'd5, 6'd6, 6'd7: plain = Mem | Wd | A1 | W2;
          6'd2:                                     plain = Mem | Wd | A1 | W2 | W3;
          6'd8, 6'd9, 6'd10:                        plain = Mem | Rd | A1 | R2;
          default:                                  plain = '0;
        endcase
      default: plain = '0;
    endcase
  end

  // The modifiers' changes.  A block synchronisation has neither address nor modifiers.
  tandem_pkg::dec_t dec;
  always_comb begin
    logic [1:0] addr_n, data_n;
    addr_n = '0;
    data_n = '0;
    dec    = plain;
    if (plain.pipe == tandem_pkg::PipeMem && plain.s1_n != 2'd0) begin
      addr_n   = inst_i[30] ? 2'd2 : 2'd1;
      dec.s1_n = addr_n;
      if (unit == UnitMem) begin
        if (inst_i[31]) dec.s1_n = 2'd0;
        if (inst_i[26:25] == 2'd3) data_n = (inst_i[29:28] == 2'd0) ? 2'd2 : 2'd3;
        else                       data_n = (inst_i[29:28] == 2'd3) ? 2'd3 : inst_i[29:28] + 2'd1;
      end else begin
        data_n = (inst_i[27] && !op[3]) ? 2'd2 : 2'd1;  // from 8 on there is no W
      end
      if (plain.d_n != 2'd0)  dec.d_n  = data_n;
      if (plain.s2_n != 2'd0) dec.s2_n = data_n;
      if (plain.s3_n != 2'd0) dec.s3_n = data_n;
      if (unit != UnitMem && inst_i[31]) dec.d_n = 2'd0;
    end else if (inst_i[31] && unit >= UnitIalu && unit <= UnitLong) begin
      dec.s2_n = 2'd0;
    end
  end
  assign dec_o = dec;

  // The warp and the register fields are not decode's business.
  logic unused_inst;
  assign unused_inst = 1'b0 & ^{inst_i[63:58], inst_i[47:32], inst_i[24:0]};
endmodule
