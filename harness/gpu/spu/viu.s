; The program of virtual interface units that are SMs (docs/hardware/spu.md).  It spills tiles for a
; later pass, or restores those of an earlier one, in the place of the kernel's code.
;
; All threads of the CTA move a tile together, four words a thread in a turn of the loop.
; A line that ends with "; point" is there with spu.sync=point alone, one with "; global" with global.
;
;   r0  bytes from a thread's word to its next     r4  byte of the word in hand
;   r1  byte of the thread's first word            r5  its address in the buffer
;   r2  bytes of a tile                            r6  its address in memory
;   r3  result of bsync, and others                r8 to r11  words; p0 to p3: there is one
;
; bsync: the block waits at once for its own tile (16), for a spilled one (32) or for all blocks (64).
; regspill changes with the synchronisation that follows.

.kernel "spill"
.regs 12
  movs r0, ntid.y
  movs r1, tid.z
  movs r2, tid.y
  mad r1, r1, r0, r2
  movs r3, ntid.x
  movs r2, tid.x
  mad r1, r1, r3, r2 ; the number of the thread
  mul r0, r0, r3
  movs r3, ntid.z
  mul r0, r0, r3 ; threads
  shl r1, r1, #2
  shl r0, r0, #2
  movs r2, regface
spill_next:
  movs r3, reglast
  isetp.ne.u p0, r3, #0
  @p0 bra spill_end, rpc spill_end
  movs r6, regspill
  iadd r6, r6, r1
  bsync r3, #16 ; point
  bsync r3, #64 ; global
  mov r3, r3
  mov r4, r1
  movi r5, #0x1400000 ; the own buffer
  iadd r5, r5, r1
spill_copy:
  isetp.lt.u p0, r4, r2
  iadd r4, r4, r0
  @p0 ld.shared.32 r8, [r5]
  iadd r5, r5, r0
  isetp.lt.u p1, r4, r2
  iadd r4, r4, r0
  @p1 ld.shared.32 r9, [r5]
  iadd r5, r5, r0
  isetp.lt.u p2, r4, r2
  iadd r4, r4, r0
  @p2 ld.shared.32 r10, [r5]
  iadd r5, r5, r0
  isetp.lt.u p3, r4, r2
  iadd r4, r4, r0
  @p3 ld.shared.32 r11, [r5]
  iadd r5, r5, r0
  @p0 st.global.32 [r6], r8
  iadd r6, r6, r0
  @p1 st.global.32 [r6], r9
  iadd r6, r6, r0
  @p2 st.global.32 [r6], r10
  iadd r6, r6, r0
  @p3 st.global.32 [r6], r11
  iadd r6, r6, r0
  isetp.lt.u p0, r4, r2
  @p0 bra spill_copy, rpc spill_copied
spill_copied:
  bsync r3, #32 ; point
  mov r3, r3 ; point
  bra spill_next, rpc none
spill_end:
  exit
.end

.kernel "restore"
.regs 12
  movs r0, ntid.y
  movs r1, tid.z
  movs r2, tid.y
  mad r1, r1, r0, r2
  movs r3, ntid.x
  movs r2, tid.x
  mad r1, r1, r3, r2 ; the number of the thread
  mul r0, r0, r3
  movs r3, ntid.z
  mul r0, r0, r3 ; threads
  shl r1, r1, #2
  shl r0, r0, #2
  movs r2, regface
restore_next:
  movs r3, reglast
  isetp.ne.u p0, r3, #0
  @p0 bra restore_end, rpc restore_end
  bsync r3, #32 ; point
  mov r3, r3 ; point
  movs r6, regspill
  iadd r6, r6, r1
  mov r4, r1
  movi r5, #0x1400000 ; the own buffer
  iadd r5, r5, r1
restore_copy:
  isetp.lt.u p0, r4, r2
  iadd r4, r4, r0
  @p0 ld.global.32 r8, [r6]
  iadd r6, r6, r0
  isetp.lt.u p1, r4, r2
  iadd r4, r4, r0
  @p1 ld.global.32 r9, [r6]
  iadd r6, r6, r0
  isetp.lt.u p2, r4, r2
  iadd r4, r4, r0
  @p2 ld.global.32 r10, [r6]
  iadd r6, r6, r0
  isetp.lt.u p3, r4, r2
  iadd r4, r4, r0
  @p3 ld.global.32 r11, [r6]
  iadd r6, r6, r0
  @p0 st.shared.32 [r5], r8
  iadd r5, r5, r0
  @p1 st.shared.32 [r5], r9
  iadd r5, r5, r0
  @p2 st.shared.32 [r5], r10
  iadd r5, r5, r0
  @p3 st.shared.32 [r5], r11
  iadd r5, r5, r0
  isetp.lt.u p0, r4, r2
  @p0 bra restore_copy, rpc restore_copied
restore_copied:
  bsync r3, #16 ; point
  bsync r3, #64 ; global
  mov r3, r3
  bra restore_next, rpc none
restore_end:
  exit
.end
