// Constants and helpers shared by all units of Tandem.
//
// Helpers work on 64-bit vectors, so that they serve any number of warps up to 64: the unused bits
// are constant and cost nothing.

package tandem_pkg;
  // `FAULT(n, right, wrong): `right`, and `wrong` while seeded fault n is on (rtl/faults.def).  Models that
  // have faults are made with TANDEM_FAULTS, and the shim writes `fault`; TANDEM_FAULT=N is for tools
  // without variables in packages.  Other texts have `right` alone.
`ifdef TANDEM_FAULTS
  bit [7:0] fault  /*verilator public_flat_rw*/;  // the one that is on, 0: none
  `define FAULT(n, right, wrong) (tandem_pkg::fault == 8'd``n ? (wrong) : (right))
`elsif TANDEM_FAULT
  `define FAULT(n, right, wrong) (`TANDEM_FAULT == n ? (wrong) : (right))
`else
  `define FAULT(n, right, wrong) (right)
`endif

  // No unit uses every constant, and lint looks at one unit at a time.
  /* verilator lint_off UNUSEDPARAM */
  parameter int unsigned Warps = 48;
  parameter int unsigned WarpSize = 32;
  parameter int unsigned StackDepth = 16;
  parameter int unsigned Mshrs = 4;
  parameter int unsigned Ctas = 8;

  // Set by the instruction word (docs/reference/isa.md): not to be changed without it.
  parameter int unsigned WarpW = 6;
  parameter int unsigned PcW = 16;
  parameter int unsigned InstW = 64;
  parameter int unsigned DecW = 15;
  parameter int unsigned OpndW = 40;  // control bundle and the five register fields
  parameter int unsigned SetW = 48;   // operand set: predicates 15..0, registers 31..0
  parameter logic [PcW-1:0] NoRpc = 16'hFFFF;  // reconvergence PC of what never reconverges

  // Buddy clusters (docs/hardware/buddy.md)
  parameter int unsigned SpPlaces = 12;  // of SP instructions in the queue of a member
  parameter int unsigned MemPlaces = 8;  // of memory instructions in the collectors of a member
  parameter logic [3:0] UnitNoc = 4'd15;  // function unit of a packet that is no instruction
  parameter int unsigned DepthW = 6;      // a stack in a roll call's report: met, depth
  /* verilator lint_on UNUSEDPARAM */

  typedef enum logic [1:0] {
    PipeSp   = 2'd0,
    PipeSfu  = 2'd1,
    PipeMem  = 2'd2,
    PipeNone = 2'd3
  } pipe_e;

  typedef enum logic [1:0] {
    CtlNone = 2'd0,
    CtlBra  = 2'd1,
    CtlExit = 2'd2,
    CtlBar  = 2'd3
  } ctl_e;

  // Kinds of packets that are no instruction
  typedef enum logic [2:0] {
    NocMask = 3'd0,  // Mask packet
    NocCall = 3'd1,  // roll call
    NocEnd  = 3'd2,  // end of the roll call
    NocPark = 3'd3   // Park packet
  } noc_kind_e;

  // States of a group
  typedef enum logic [2:0] {
    GroupNone    = 3'd0,  // no group has this leader
    GroupGrouped = 3'd1,
    GroupRamp    = 3'd2,
    GroupReset   = 3'd3,  // the last cycle of the ramp
    GroupSolo    = 3'd4,
    GroupParking = 3'd5,
    GroupCall    = 3'd6,
    GroupWindow  = 3'd7   // the roll has been called: answers may come
  } group_e;

  // The stencil processing unit (docs/hardware/spu_units.md): roles of a slot or border lane in a pass; how
  // the two sides of a link hand tiles over; states of pass_seq, block_port and dma_control
  typedef enum logic [2:0] {
    RoleNone  = 3'd0,
    RoleBlock = 3'd1,
    RoleLoad  = 3'd2,
    RoleStore = 3'd3
  } role_e;
  typedef enum logic [1:0] {
    LinkRendezvous = 2'd0,
    LinkDecoupled  = 2'd1,
    LinkGlobal     = 2'd2
  } link_mode_e;
  typedef enum logic [2:0] {
    PassSeek  = 3'd0,
    PassStart = 3'd1,
    PassOffer = 3'd2,
    PassRun   = 3'd3,
    PassEnd   = 3'd4,
    PassDone  = 3'd5
  } pass_e;
  typedef enum logic [1:0] {
    BlockFree   = 2'd0,
    BlockGather = 2'd1,
    BlockWait   = 2'd2,
    BlockAck    = 2'd3
  } block_e;
  typedef enum logic [2:0] {
    DmaIdle   = 3'd0,
    DmaCredit = 3'd1,
    DmaFetch  = 3'd2,
    DmaPost   = 3'd3,
    DmaAsk    = 3'd4,
    DmaDrain  = 3'd5,
    DmaPut    = 3'd6,
    DmaStep   = 3'd7
  } dma_e;

  // Schemes of a Flex cluster (docs/hardware/flex.md)
  typedef enum logic [2:0] {
    FlexBase     = 3'd0,
    FlexOcc      = 3'd1,
    FlexBal      = 3'd2,
    FlexBigsm    = 3'd3,
    FlexBigsmOcc = 3'd4
  } flex_e;

  // Control bundle of an instruction.  *_n: how many registers a field names (0: none, 1: one,
  // 2: aligned pair, 3: aligned quad).
  typedef struct packed {
    logic       p3;    // src 3 is a predicate
    logic       p2;    // src 2 is a predicate
    logic [1:0] s3_n;
    logic [1:0] s2_n;
    logic [1:0] s1_n;
    logic       d_p;   // dst is a predicate
    logic [1:0] d_n;
    logic [1:0] ctl;   // ctl_e
    logic [1:0] pipe;  // pipe_e
  } dec_t;

  // Operands of an instruction, for the scoreboard.
  typedef struct packed {
    dec_t        dec;
    logic        guard_not;
    logic [3:0]  guard;
    logic [14:0] srcs;  // {src3, src2, src1}
    logic [4:0]  dst;
  } opnd_t;

  // Payloads between an SM's front end, its back end and the instruction memory (csim/ports/sm/sm.def), each
  // with a valid of its own.  The boundaries of sm_frontend and buddy_cluster have a port for each field;
  // inside, a struct is a port.  Masks have the width of a warp, which is a parameter, and stand apart.
  typedef struct packed {
    logic [5:0]  warp;
    logic [2:0]  cta;
    logic        last;
    logic [15:0] pc;
  } launch_t;
  typedef struct packed {  // write-backs: bit or field k of SP 0, SP 1, SFU, MEM
    logic [23:0] warp;
    logic [19:0] dst;
    logic [7:0]  size;
    logic [3:0]  pred;
  } writeback_t;
  typedef struct packed {  // slots freed
    logic [1:0] sp;
    logic       sfu;
    logic       mem;
  } credit_t;
  typedef struct packed {  // two words of an instruction line
    logic [11:0] line;
    logic [2:0]  beat;
    logic [63:0] data1;
    logic [63:0] data0;
  } fill_t;
  typedef struct packed {  // an issued instruction
    logic [15:0] pc;
    logic [63:0] inst;
  } issued_t;

  // Accesses of the near half of a front end to rows of a far half (docs/hardware/flex_frontend.md), of which each
  // kind has a valid: bit 0 of push; and what far answers to reads.  An entry is {mask, rpc, pc}.
  typedef struct packed {
    logic        wr;  // decoded instructions
    logic [4:0]  wr_row;
    logic        wr_two;
    logic [14:0] wr_dec1;
    logic [63:0] wr_inst1;
    logic [14:0] wr_dec0;
    logic [63:0] wr_inst0;
    logic        rd0;  // words of an even and of an odd row; b: the second one
    logic [4:0]  rd0_row;
    logic        rd0_b;
    logic        rd1;
    logic [4:0]  rd1_row;
    logic        rd1_b;
    logic [1:0]  push;  // entries: the lower one, the upper one
    logic [4:0]  push_row;
    logic [4:0]  push_depth;
    logic [95:0] push1;
    logic [95:0] push0;
    logic        pop;
    logic [4:0]  pop_row;
    logic [4:0]  pop_at;
  } flex_access_t;
  typedef struct packed {
    logic [14:0] rd0_dec;
    logic [63:0] rd0_inst;
    logic [14:0] rd1_dec;
    logic [63:0] rd1_inst;
    logic [95:0] pop;
  } flex_answer_t;
  typedef struct packed {  // a granted instruction without its word
    logic        borrowed;  // which is in a borrowed row
    logic [1:0]  ctl;
    logic [5:0]  warp;
    logic [15:0] pc;
    logic [63:0] mask;
  } flex_grant_t;

  // Outputs of a front end for park, besides its warps.
  typedef struct packed {
    logic        launch_valid;
    logic [5:0]  launch_warp;
    logic        pick0_valid;  // what the schedulers would issue
    logic [5:0]  pick0_warp;
    logic        pick1_valid;
    logic [5:0]  pick1_warp;
    logic        pop_valid;
    logic [5:0]  pop_warp;
    logic [5:0]  depth0;       // of the stacks that top0 and top1 are of: met, depth
    logic [5:0]  depth1;
    logic [1:0]  res_push;     // of this cycle's resolve
    logic        mem_home;     // no MEM place is taken
  } parking_t;

  // Control class of an operation: those of unit 0 are in the order of ctl_e.
  function automatic logic [1:0] ctl_of(input logic [9:0] code);
    ctl_of = (code & 10'h3FC) == 10'd0 ? code[1:0] : 2'd0;  // CtlNone
  endfunction

  // Number of the only set bit of a vector; 0 if none is set.
  function automatic logic [5:0] encode(input logic [63:0] onehot);
    encode = {|(onehot & 64'hFFFF_FFFF_0000_0000),
              |(onehot & 64'hFFFF_0000_FFFF_0000),
              |(onehot & 64'hFF00_FF00_FF00_FF00),
              |(onehot & 64'hF0F0_F0F0_F0F0_F0F0),
              |(onehot & 64'hCCCC_CCCC_CCCC_CCCC),
              |(onehot & 64'hAAAA_AAAA_AAAA_AAAA)};
  endfunction

  // Registers that field f names under size code n, as a vector of 32.
  function automatic logic [31:0] span(input logic [4:0] f, input logic [1:0] n);
    if (n[1]) begin
      if (n[0]) span = 32'hF << {f[4:2], 2'b00};
      else      span = 32'h3 << {f[4:1], 1'b0};
    end else begin
      span = 32'(n[0]) << f;
    end
  endfunction

  // Why a scheduler issues nothing (csim/ports/stalls.def)
  typedef enum logic [3:0] {
    StallNone       = 4'd0,
    StallIdle       = 4'd1,
    StallStructural = 4'd2,
    StallScoreboard = 4'd3,
    StallControl    = 4'd4,
    StallBarrier    = 4'd5,
    StallFetch      = 4'd6,
    StallVerdict    = 4'd7,
    StallSlot       = 4'd8,
    StallMembers    = 4'd9,
    StallMonitor    = 4'd10,
    StallHold       = 4'd11,
    StallPark       = 4'd12
  } stall_e;

  // Predicate i as a vector of 16; index 15 always holds, so that nobody waits to read it.
  function automatic logic [15:0] pred(input logic [3:0] i);
    pred = (16'd1 << i) & 16'h7FFF;
  endfunction

  // Registers that leave the pending set at a write-back.
  function automatic logic [SetW-1:0] release_set(input logic [4:0] r, input logic [1:0] size,
                                                  input logic is_pred);
    if (is_pred) release_set = {16'd1 << r[3:0], 32'd0};
    else         release_set = {16'd0, span(r, size)};
  endfunction

  // Registers that an instruction writes: dst, its size code, whether it is a predicate.  Predicate 15,
  // too: its value is lost, but it is pending until then, so that the instruction is under way.
  function automatic logic [SetW-1:0] write_set(input logic [4:0] dst, input logic [1:0] d_n,
                                                input logic d_p);
    write_set = {16'd0, span(dst, d_n)};
    if (d_p) write_set = write_set | {16'd1 << dst[3:0], 32'd0};
  endfunction

  // Registers that it reads.  srcs: {src3, src2, src1}; srcs_n, srcs_p: their size codes, which of src 3 and
  // src 2 are predicates.
  function automatic logic [SetW-1:0] read_set(input logic [14:0] srcs, input logic [5:0] srcs_n,
                                               input logic [1:0] srcs_p, input logic [3:0] guard);
    read_set = {pred(guard), span(srcs[4:0], srcs_n[1:0]) | span(srcs[9:5], srcs_n[3:2])};
    if (srcs_n[5:4] != 2'd0) read_set = read_set | {16'd0, span(srcs[14:10], srcs_n[5:4])};
    if (srcs_p[0])           read_set = read_set | {pred(srcs[8:5]), 32'd0};
    if (srcs_p[1])           read_set = read_set | {pred(srcs[13:10]), 32'd0};
  endfunction
endpackage
