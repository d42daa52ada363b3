/* One step of n bodies (x, y, z, mass) under the softened gravity of the first `heavy` of them
 * (all, or the rest are test particles), by tiles in local memory. */
__kernel void nbody(__global const float4 *from, __global float4 *to, __global float4 *velocity,
                    __local float4 *tile, float dt, float soft, int n, int heavy) {
  int i = get_global_id(0), t = get_local_id(0), size = get_local_size(0);
  float4 me = i < n ? from[i] : (float4)(0.0f);
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int at = 0; at < heavy; at += size) {
    tile[t] = at + t < heavy ? from[at + t] : (float4)(0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < size; j++) {
      float4 other = tile[j];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float inverse = rsqrt(dx * dx + dy * dy + dz * dz + soft);
      float pull = other.w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) {
    float4 v = velocity[i];
    v.x += ax * dt;
    v.y += ay * dt;
    v.z += az * dt;
    velocity[i] = v;
    to[i] = (float4)(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
  }
}
