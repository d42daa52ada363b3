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

; The branch takes CTA 1 elsewhere: a group comes apart, and waits for the loads in flight.
.kernel "apart"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r0, param+0
  movs r1, ctaid.x
  isetp.ge.u p0, r1, #1
  ld.global.32.u r2, [r0]
  ld.global.32.u r4, [r0+8192]
  @p0 bra past, rpc past
  nop
past:
  iadd r3, r0, #1
  iadd r2, r2, #1
  exit
  nop
  nop
  nop
  nop
  nop
  nop
.end

; CTA 1 goes elsewhere, and its warp 1 loads before the paths join.
.kernel "join"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r0, param+0
  movs r1, ctaid.x
  isetp.ge.u p0, r1, #1
  movs r1, tid.x
  isetp.ge.u p1, r1, #32
  @!p0 bra joined, rpc joined
  @!p1 bra joined, rpc joined
  ld.global.32.u r2, [r0]
  iadd r2, r2, #1
joined:
  iadd r3, r0, #1
  exit
  nop
  nop
  nop
  nop
  nop
.end

; Lanes of CTA 0 load one line, those of CTA 1 a line each; two loads that do not depend on each other.
.kernel "uneven"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r0, param+0
  movs r1, tid.x
  movs r2, ctaid.x
  mul r1, r1, r2
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
.end

; Reciprocals that do not depend on each other.
.kernel "reciprocals"
.regs 16
.shared 0
.local 0
.param a, 4, ptr global
  movi r0, #0x3f800000
  rcp r1, r0
  rcp r2, r0
  rcp r3, r0
  rcp r4, r0
  rcp r5, r0
  rcp r6, r0
  rcp r7, r0
  rcp r8, r0
  rcp r9, r0
  rcp r10, r0
  rcp r11, r0
  rcp r12, r0
  nop
  exit
  nop
.end

; All lanes load a line, then each a line of another set of L1D.
.kernel "one_set"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r0, param+0
  movs r1, tid.x
  shl r2, r1, #13
  ld.global.32.u r5, [r0]
  iadd r0, r0, r2
  ld.global.32.u r3, [r0+128]
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
.end

; A load of a line, three of another one, and an atomic.
.kernel "one_line"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r0, param+0
  movi r5, #1
  ld.global.32.u r7, [r0]
  ld.global.32.u r1, [r0+128]
  ld.global.32.u r2, [r0+132]
  ld.global.32.u r3, [r0+136]
  iadd r4, r3, #1
  atom.add r6, [r0], r5
  iadd r4, r6, #1
  exit
  nop
  nop
  nop
  nop
  nop
  nop
.end

; Warps but the first one count to 100 before the barrier.
.kernel "busy"
.regs 8
.shared 0
.local 0
.param a, 4, ptr global
  movs r1, tid.x
  isetp.lt.u p0, r1, #32
  movi r2, #0
  @p0 bra done, rpc done
again:
  iadd r2, r2, #1
  iadd r3, r1, #1
  isetp.lt.u p1, r2, #100
  @p1 bra again, rpc done
done:
  bar
  exit
  nop
  nop
  nop
  nop
  nop
  nop
.end
