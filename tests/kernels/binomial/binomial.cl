/* European calls by binomial trees, one option a block.  The block holds the tree's front, the
 * values of all nodes of a time step, in global memory.  It takes the front back by ROUND steps at
 * a time: a window of nodes goes through local memory, where each step loses the last node of the
 * window, so that a pass completes all but ROUND of them. */
#define THREADS 256
#define ROUND 32 /* even */
#define COMPLETE (THREADS - ROUND)

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
binomial(__global const float *price, __global const float *strike, __global const float *years,
         __global float *fronts, __global float *call, float rate, float volatility, int steps) {
  __local float now[THREADS + 1], next[THREADS + 1];
  const int t = get_local_id(0), option = get_group_id(0);
  const float s = price[option], x = strike[option], dt = years[option] / steps;
  const float move = volatility * sqrt(dt), fall = expm1(-move);
  const float rise_probability = (expm1(rate * dt) - fall) / (expm1(move) - fall);
  const float discount = exp(-rate * dt);
  const float up = rise_probability * discount, down = (1.0f - rise_probability) * discount;
  __global float *front = fronts + option * (steps + 1);

  for (int node = t; node <= steps; node += THREADS)
    front[node] = max(s * exp(move * (2 * node - steps)) - x, 0.0f);
  for (int last = steps; last > 0; last -= ROUND)
    for (int base = 0; base < last; base += COMPLETE) {
      const int top = min(THREADS - 1, last - base), left = top - ROUND;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (t <= top)
        now[t] = front[base + t];
      for (int step = 0; step < ROUND; step += 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        next[t] = up * now[t + 1] + down * now[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        now[t] = up * next[t + 1] + down * next[t];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (t <= left)
        front[base + t] = now[t];
    }
  if (t == 0)
    call[option] = now[0];
}
