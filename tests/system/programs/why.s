; Waits whose causes are known by construction (tests/system/test_why.c).  Each kernel fills lines of 16
; instructions, so that it is fetched at once.
.source "why.s"

; A load that misses everywhere, one that hits in L1D behind it, and one `offset` bytes farther.
.kernel "loads"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
.param offset, 4
  movs r0, param+0
  movs r5, param+4
  iadd r5, r0, r5
  ld.global.32.u r1, [r0]
  iadd r2, r1, #1
  ld.global.32.u r3, [r0+4]
  iadd r4, r3, #1
  ld.global.32.u r6, [r5]
  iadd r6, r6, #1
  exit
  nop
  nop
  nop
  nop
  nop
  nop
.end

; Warp 1 loads before the barrier.
.kernel "late"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r0, param+0
  movs r1, tid.x
  isetp.ge.u p0, r1, #32
  @!p0 bra meet, rpc meet
  ld.global.32.u r2, [r0]
  iadd r2, r2, #1
meet:
  bar
  exit
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
.end

; A chain of sums and a branch, then sums that do not depend on each other.
.kernel "alu"
.regs 16
.shared 0
.local 0
.param a, 4, ptr global
  movi r0, #0x3f800000
  fadd r1, r0, r0
  fadd r2, r1, r0
  fsetp.gt p0, r2, r0
  @!p0 bra out, rpc out
  nop
out:
  iadd r3, r0, #1
  iadd r4, r0, #2
  iadd r5, r0, #3
  iadd r6, r0, #4
  iadd r7, r0, #5
  iadd r8, r0, #6
  iadd r9, r0, #7
  iadd r10, r0, #8
  exit
  nop
.end

; Each lane loads a line of its own, twice.
.kernel "spread"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r0, param+0
  movs r1, tid.x
  shl r2, r1, #7
  iadd r0, r0, r2
  ld.global.32.u r3, [r0]
  ld.global.32.u r4, [r0+16384]
  iadd r5, r4, #1
  exit
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
.end

; All lanes use one bank of shared memory.
.kernel "banks"
.regs 8
.shared 4096
.local 0
.param a, 4, ptr global
  movs r1, tid.x
  shl r2, r1, #7
  ld.shared.32.u r3, [r2]
  iadd r4, r3, #1
  exit
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
.end
