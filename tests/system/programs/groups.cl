/* Functions of a work-group and atomics of OpenCL C 2.0 and 3.0. */

#define N 12 /* results of a work-item */

__kernel void ints(__global int *out, __global int *flags) {
  const int i = get_local_linear_id(), x = (i * 37 + 11) % 101 - 50;
  __global int *r = out + get_global_linear_id() * N;
  r[0] = x;
  r[1] = work_group_reduce_add(x);
  r[2] = work_group_reduce_min(x);
  r[3] = work_group_reduce_max(x);
  r[4] = work_group_scan_inclusive_add(x);
  r[5] = work_group_scan_exclusive_add(x);
  r[6] = work_group_scan_inclusive_min(x);
  r[7] = work_group_scan_exclusive_max(x);
  r[8] = work_group_broadcast(x, 7, 1);
  r[9] = work_group_all(x < 51) * 2 + work_group_all(i != 3);
  r[10] = work_group_any(i == 3) * 2 + work_group_any(x > 50);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  flags[i] = 1;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  r[11] = flags[(i + 40) % 80];
}

__kernel void wide(__global int *out, __global int *flags) {
  const int i = get_local_linear_id();
  __global int *r = out + get_global_linear_id() * N;
  r[0] = work_group_reduce_add((long)i << 32) >> 32;
  r[1] = work_group_scan_inclusive_max(-0.5f * i) * 2;
  r[2] = work_group_scan_exclusive_add((double)i);
  r[3] = work_group_broadcast(0x100000000UL + i, 5) - 0xffffffffUL;
  r[4] = work_group_reduce_min((uint)i + 3);
}

__kernel void atomics(__global int *out, __global atomic_int *a) {
  __local atomic_uint l;
  if (get_local_linear_id() == 0)
    atomic_init(&l, 5);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add(&a[0], 2);
  atomic_fetch_sub_explicit(&a[1], 1, memory_order_relaxed);
  atomic_fetch_max(&a[2], (int)get_local_linear_id());
  atomic_fetch_or_explicit(&l, 1u << get_local_linear_id() % 32, memory_order_relaxed,
                           memory_scope_work_group);
  for (int old = atomic_load(&a[3]); !atomic_compare_exchange_weak(&a[3], &old, old + 3);)
    ;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  atomic_store(&a[4], (int)atomic_exchange(&l, 0xffffffff));
}
