/* Merge sort of (key, value), with -DTHREADS: a block sorts a run of 2 * THREADS elements in local
 * memory.  Then runs are merged in pairs, in three steps: samples of both runs, one in SAMPLE
 * elements, are ranked in both; the ranks, in order, divide the pair into intervals of at most
 * SAMPLE elements of each run; and a block merges an interval.  Equal keys keep their order. */
#define SAMPLE 128
#define RUN (2 * THREADS)

/* Elements of a[0..n) before key, in global or local memory: those smaller than it, or those not
 * greater.  n is at most limit, a power of two. */
#define COUNT(name, space, before)                                                                 \
  static uint name(space const uint *a, uint n, uint limit, uint key) {                            \
    uint found = 0;                                                                                \
    for (uint step = limit; step > 0; step /= 2) {                                                 \
      const uint at = min(found + step, n);                                                        \
      if (at > 0 && a[at - 1] before key)                                                          \
        found = at;                                                                                \
    }                                                                                              \
    return found;                                                                                  \
  }
COUNT(smaller, __global, <)
COUNT(not_greater, __global, <=)
COUNT(smaller_near, __local, <)
COUNT(not_greater_near, __local, <=)

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
sort_runs(__global const uint *keys, __global const uint *values, __global uint *to_keys,
          __global uint *to_values) {
  __local uint k[RUN], v[RUN];
  const uint t = get_local_id(0), base = get_group_id(0) * RUN;
  k[t] = keys[base + t];
  v[t] = values[base + t];
  k[t + THREADS] = keys[base + t + THREADS];
  v[t + THREADS] = values[base + t + THREADS];
  for (uint run = 1; run < RUN; run *= 2) {
    const uint i = t & (run - 1);
    __local uint *left = k + 2 * (t - i), *right = left + run;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint a = left[i], va = v[2 * (t - i) + i], b = right[i], vb = v[2 * (t - i) + run + i];
    const uint to_a = 2 * (t - i) + i + smaller_near(right, run, run, a);
    const uint to_b = 2 * (t - i) + i + not_greater_near(left, run, run, b);
    barrier(CLK_LOCAL_MEM_FENCE);
    k[to_a] = a;
    v[to_a] = va;
    k[to_b] = b;
    v[to_b] = vb;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  to_keys[base + t] = k[t];
  to_values[base + t] = v[t];
  to_keys[base + t + THREADS] = k[t + THREADS];
  to_values[base + t + THREADS] = v[t + THREADS];
}

/* A thread ranks sample i of both runs of a pair, in both. */
__kernel void rank_samples(__global const uint *keys, __global uint *in_left,
                           __global uint *in_right, uint run, uint samples) {
  const uint t = get_global_id(0), each = run / SAMPLE;
  if (2 * t >= samples)
    return;
  const uint i = t & (each - 1), pair = 2 * (t - i);
  __global const uint *left = keys + pair * SAMPLE, *right = left + run;
  in_left[pair + i] = i * SAMPLE;
  in_right[pair + i] = smaller(right, run, run, left[i * SAMPLE]);
  in_left[pair + each + i] = not_greater(left, run, run, right[i * SAMPLE]);
  in_right[pair + each + i] = i * SAMPLE;
}

/* The ranks of the two runs' samples of each pair, each in order, merged. */
__kernel void merge_ranks(__global const uint *ranks, __global uint *limits, uint run,
                          uint samples) {
  const uint t = get_global_id(0), each = run / SAMPLE;
  if (2 * t >= samples)
    return;
  const uint i = t & (each - 1), pair = 2 * (t - i);
  __global const uint *left = ranks + pair, *right = left + each;
  limits[pair + i + smaller(right, each, each, left[i])] = left[i];
  limits[pair + i + not_greater(left, each, each, right[i])] = right[i];
}

__kernel __attribute__((reqd_work_group_size(SAMPLE, 1, 1))) void
merge_intervals(__global const uint *keys, __global const uint *values, __global uint *to_keys,
                __global uint *to_values, __global const uint *in_left,
                __global const uint *in_right, uint run) {
  __local uint left[SAMPLE], right[SAMPLE], k[2 * SAMPLE], v[2 * SAMPLE];
  const uint t = get_local_id(0), interval = get_group_id(0), last = 2 * run / SAMPLE - 1;
  const uint i = interval & last, pair = (interval - i) * SAMPLE;
  const uint start_left = in_left[interval], start_right = in_right[interval];
  const uint count_left = (i == last ? run : in_left[interval + 1]) - start_left;
  const uint count_right = (i == last ? run : in_right[interval + 1]) - start_right;
  const uint at_left = pair + start_left + t, at_right = pair + run + start_right + t;
  if (t < count_left)
    left[t] = keys[at_left];
  if (t < count_right)
    right[t] = keys[at_right];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < count_left) {
    const uint to = t + smaller_near(right, count_right, SAMPLE, left[t]);
    k[to] = left[t];
    v[to] = values[at_left];
  }
  if (t < count_right) {
    const uint to = t + not_greater_near(left, count_left, SAMPLE, right[t]);
    k[to] = right[t];
    v[to] = values[at_right];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint start = pair + start_left + start_right;
  for (uint at = t; at < count_left + count_right; at += SAMPLE) {
    to_keys[start + at] = k[at];
    to_values[start + at] = v[at];
  }
}
