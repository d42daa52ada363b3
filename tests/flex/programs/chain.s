.source "chain.s"
; Instructions each of which waits for the one before, around a loop: a load of one word of shared
; memory, which all lanes share, an addition, a comparison, the branch.
.kernel "chain"
.regs 12
.shared 64
.local 0
.param "rounds", 4
  movs r6, param+0
  movi r1, #0
  movi r5, #0
  movi r7, #1
  st.shared.32 [r5 + 0], r7
Lround:
  ld.shared.32 r2, [r5 + 0]
  iadd r1, r1, r2
  isetp.lt.u p0, r1, r6
  @p0 bra Lround, rpc Lend
Lend:
  exit
.end
