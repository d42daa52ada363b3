.source "park.s"
; Branches that all lanes of a CTA take, or none: odd CTAs go another way than even ones, so that a
; group comes apart, and both meet again.  out[i] = what the thread's ways made of its number.
;
; Odd CTAs compare into the predicate that always holds, on the slowest pipeline: nobody waits for
; the results, and some of the comparisons are still under way when the warps meet.
.kernel "unseen"
.regs 12
.shared 0
.local 0
.param "out", 4, ptr global
  movs r0, ctaid.x
  movs r1, ntid.x
  movs r2, tid.x
  mad r3, r0, r1, r2
  and r4, r0, #1
  isetp.eq.u p0, r4, #0
  mov r6, r3
  mov r7, r2
  @p0 bra Lmeet, rpc Lmeet
  iadd r6, r6, #100
  dsetp.lt pT, d6, d6
  dsetp.lt pT, d6, d6
  dsetp.lt pT, d6, d6
  dsetp.lt pT, d6, d6
Lmeet:
  mad r8, r6, r6, r2
  mad r8, r8, r3, r6
  movs r9, param+0
  shl r10, r3, #2
  iadd r9, r9, r10
  st.global.32 [r9 + 0], r8
  exit
.end
; The same again and again: in turn 1, 2, 4, 8 even ones of ctaid / turn go the long way.
.kernel "turns"
.regs 12
.shared 0
.local 0
.param "out", 4, ptr global
  movs r0, ctaid.x
  movs r1, ntid.x
  movs r2, tid.x
  mad r3, r0, r1, r2
  mov r6, r3
  movi r5, #1
Lturn:
  and r4, r0, r5
  isetp.eq.u p0, r4, #0
  @p0 bra Ljoin, rpc Ljoin
  mad r6, r6, r6, r5
  mad r6, r6, r3, r6
Ljoin:
  iadd r6, r6, r5
  shl r5, r5, #1
  isetp.lt.u p1, r5, #16
  @p1 bra Lturn, rpc Lend
Lend:
  movs r9, param+0
  shl r10, r3, #2
  iadd r9, r9, r10
  st.global.32 [r9 + 0], r6
  exit
.end
