.source "faults.s"
; Warp 1 ends without the barrier that warp 0 waits at.
.kernel "stuck"
.regs 4
.shared 0
.local 0
.params 0
  movs r0, tid.x
  isetp.ge.u p0, r0, #32
  @p0 exit
  bar
  exit
.end
; A barrier that half of a warp's lanes reach.
.kernel "split"
.regs 4
.shared 0
.local 0
.params 0
  movs r0, tid.x
  isetp.ge.u p0, r0, #16
  @p0 bra Lend, rpc Lend
  bar
Lend:
  exit
.end
; Nine branches, each within the side taken of the one before, each with its own reconvergence PC: two
; entries of the SIMT stack a branch.
.kernel "deep"
.regs 4
.shared 0
.local 0
.params 0
  movs r0, tid.x
  isetp.ge.u p0, r0, #1
  @p0 bra L1, rpc R1
  exit
L1:
  isetp.ge.u p0, r0, #2
  @p0 bra L2, rpc R2
  exit
L2:
  isetp.ge.u p0, r0, #3
  @p0 bra L3, rpc R3
  exit
L3:
  isetp.ge.u p0, r0, #4
  @p0 bra L4, rpc R4
  exit
L4:
  isetp.ge.u p0, r0, #5
  @p0 bra L5, rpc R5
  exit
L5:
  isetp.ge.u p0, r0, #6
  @p0 bra L6, rpc R6
  exit
L6:
  isetp.ge.u p0, r0, #7
  @p0 bra L7, rpc R7
  exit
L7:
  isetp.ge.u p0, r0, #8
  @p0 bra L8, rpc R8
  exit
L8:
  isetp.ge.u p0, r0, #9
  @p0 bra L9, rpc R9
  exit
L9:
  exit
R1:
  exit
R2:
  exit
R3:
  exit
R4:
  exit
R5:
  exit
R6:
  exit
R7:
  exit
R8:
  exit
R9:
  exit
.end
; A barrier that a warp of 32 threads reaches whole, a larger one in two parts.
.kernel "half"
.regs 4
.shared 0
.local 0
.params 0
  movs r0, tid.x
  isetp.ge.u p0, r0, #64
  @p0 bra Lrest, rpc Lmeet
  bar
  bra Lmeet, rpc Lmeet
Lrest:
  bar
Lmeet:
  exit
.end
