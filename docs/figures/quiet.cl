// Kernels of docs/results/figures.md, "Power of front ends that issue little".

// The first work-group leaves its SM at once; the others work for some thousand cycles.
kernel void idle(global float *sum) {
  const int i = get_global_id(0);
  float x = i;
  if (get_group_id(0) == 0)
    return;
  for (int n = 0; n < 400; n++)
    x = x * 0.5f + 1.0f;
  sum[i] = x;
}

// Each load needs the value of the load before, each lane has a line of its own.
kernel void stalled(global const uint *next, global uint *last, uint words) {
  const int i = get_global_id(0);
  uint at = i * 32 % words;
  for (int n = 0; n < 8; n++)
    at = next[at];
  last[i] = at;
}
