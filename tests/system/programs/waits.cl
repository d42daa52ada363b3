/* Kernels whose threads wait for each other: those that end, those that never do, and those that
 * only take long. */

/* ---- locks that lanes of a warp take one after the other; *count becomes the number of threads
 * ---- */

/* The release is within the loop; clang moves it behind. */
__kernel void done_flag(__global volatile int *lock, __global volatile int *count) {
  for (int done = 0; !done;)
    if (atomic_cmpxchg(lock, 0, 1) == 0) {
      *count = *count + 1;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(lock, 0);
      done = 1;
    }
}

__kernel void exchange(__global volatile int *lock, __global volatile int *count) {
  while (atomic_xchg(lock, 1))
    ;
  *count = *count + 1;
  *lock = 0;
}

/* It looks before it tries; a barrier follows. */
__kernel void looks_first(__global volatile int *lock, __global volatile int *count) {
  do {
    while (*lock)
      ;
  } while (atomic_xchg(lock, 1));
  *count = *count + 1;
  *lock = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(count, 1000);
}

__kernel void ticket(__global volatile int *next, __global volatile int *count) {
  const int mine = atomic_inc(next);
  while (next[1] != mine)
    ;
  *count = *count + 1;
  next[1] = mine + 1;
}

__kernel void two_locks(__global volatile int *lock, __global volatile int *count) {
  while (atomic_cmpxchg(lock, 0, 1))
    ;
  while (atomic_cmpxchg(lock + 1, 0, 1))
    ;
  *count = *count + 1;
  atomic_xchg(lock + 1, 0);
  atomic_xchg(lock, 0);
}

/* Within a loop, in local memory, with a branch before the release. */
__kernel void in_a_loop(__global volatile int *odd, __global volatile int *count) {
  __local volatile int lock, n;
  if (get_local_id(0) == 0)
    lock = n = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 3; i++) {
    while (atomic_cmpxchg(&lock, 0, 1))
      ;
    n = n + 1;
    if (n & 1)
      odd[0] = n;
    atomic_xchg(&lock, 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(count, n);
}

/* ---- never: on a reconvergence stack ---- */

/* The lanes that branch away run first, and wait for the others. */
__kernel void handshake(__global volatile int *flag, __global volatile int *count) {
  if (get_global_id(0) % 2) {
    while (!*flag)
      ;
    count[get_global_id(0)] = 1;
  } else {
    *flag = 1;
    count[get_global_id(0)] = 2;
  }
}

/* ---- never: on any GPU ---- */

__kernel void grid_barrier(__global volatile int *flag, __global volatile int *count) {
  if (get_local_id(0) == 0) {
    atomic_inc(count);
    while (*count < (int)get_num_groups(0))
      ;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}

/* One warp waits for another, which waits at a barrier for the first. */
__kernel void before_barrier(__global volatile int *flag, __global volatile int *count) {
  if (get_local_id(0) < 32)
    while (!*flag)
      ;
  barrier(CLK_GLOBAL_MEM_FENCE);
  *flag = 1;
}

/* The same words are stored again and again. */
__kernel void stores_too(__global volatile int *flag, __global volatile int *count) {
  while (!*flag)
    *count = 0;
}

/* ---- not a hang ---- */

/* The first warp sets the flag for which the others wait; these store what is there, or in every
 * second warp something else. */
__kernel void stores_meanwhile(__global volatile int *flag, __global volatile int *count) {
  const int me = get_global_id(0) / 32;
  if (me == 0) {
    float x = 1;
    for (int i = 0; i < 3000; i++)
      x = x * 1.0001f + 0.5f;
    count[1] = (int)x;
    *flag = 1;
  } else {
    while (!*flag)
      count[2 + me] = count[2 + me] ^ (me & 1);
  }
}

/* The last warp sets the flag for which the others wait, after a long time. */
__kernel void late(__global volatile int *flag, __global volatile int *count) {
  const int last = get_global_id(0) / 32 == get_global_size(0) / 32 - 1;
  if (last) {
    float x = 1;
    for (int i = 0; i < 20000; i++)
      x = x * 1.0001f + 0.5f;
    count[1] = (int)x;
    *flag = 1;
  } else {
    while (!*flag)
      ;
  }
  atomic_inc(count);
}

/* Nothing but a register changes. */
__kernel void counts(__global volatile int *flag, __global volatile int *count) {
  int turns = 0;
  while (!*flag && turns < 3000)
    turns++;
  atomic_add(count, turns / 3000);
}

/* Nothing but the clock does. */
__kernel void by_the_clock(__global volatile int *flag, __global volatile int *count) {
  uint now;
  do
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
  while (!*flag && now >> 16 == 0);
  atomic_inc(count);
}

/* Memory changes for ever. */
__kernel void toggles(__global volatile int *flag, __global volatile int *count) {
  while (*flag < 2)
    *count = 1 - *count;
}

/* ---- wide warps: lanes 32 to 63 are the upper half ---- */

/* The half that count[2] does not name waits for the other one, which comes later. */
__kernel void half_waits(__global volatile int *flag, __global volatile int *count) {
  if ((get_local_id(0) ^ count[2]) & 32) {
    while (!*flag)
      ;
    count[0] = 1;
  } else {
    *flag = 1;
    count[0] = 2;
  }
}

/* Both halves are in one loop; the upper one counts, and sets the flag when it has counted. */
__kernel void half_counts(__global volatile int *flag, __global volatile int *count) {
  int turns = 0;
  const int upper = (get_local_id(0) & 32) != 0;
  while (!*flag)
    if (upper && ++turns == 3000)
      *flag = 1;
  atomic_inc(count);
}
