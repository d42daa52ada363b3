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

/* Atomics of 64 bits; a compared float is one of equal bits. */
__kernel void wide_atomics(__global int *out, __global atomic_long *a) {
  __local atomic_ulong l;
  __local atomic_double d;
  __local atomic_float f;
  const uint i = get_local_linear_id();
  if (i == 0) {
    atomic_init(&l, 0x200000000ul);
    atomic_init(&d, 0.5);
    atomic_init(&f, -0.0f);
    atomic_store(&a[6], 0);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const long old = atomic_fetch_add(&a[0], 0x100000001l);
  if ((int)(old >> 32) != (int)old)
    atomic_fetch_or(&a[6], 1);
  atomic_fetch_sub_explicit(&l, 1u, memory_order_relaxed);
  atomic_fetch_min(&a[1], -(long)i << 33);
  atomic_fetch_max_explicit(&a[2], (long)i << 33, memory_order_relaxed, memory_scope_device);
  atomic_fetch_xor(&a[3], 1l << i % 64);
  for (double seen = atomic_load(&d); !atomic_compare_exchange_weak(&d, &seen, seen + i);)
    ;
  for (long seen = atomic_load(&a[4]); !atomic_compare_exchange_strong(&a[4], &seen, seen - 3);)
    ;
  float zero = 0;
  if (atomic_compare_exchange_strong(&f, &zero, 1.0f) || as_uint(zero) != 0x80000000)
    atomic_fetch_or(&a[6], 2);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    atomic_store(&a[5], (long)(2 * atomic_exchange(&d, 0.0)));
    atomic_store(&a[7], (long)atomic_exchange(&l, 5ul));
  }
}
