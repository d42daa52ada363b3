/* The image of a magnetic resonance scan from samples of k-space: the matrix Q. */
#define PI 3.14159265358979f

/* k: position and weight of each sample.  A thread has a voxel. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
compute_q(__constant float4 *k, __global const float *x, __global const float *y,
          __global const float *z, __global float *real, __global float *imaginary, int samples) {
  const int i = get_global_id(0);
  const float3 at = (float3)(2 * PI * x[i], 2 * PI * y[i], 2 * PI * z[i]);
  float re = 0.0f, im = 0.0f;
  for (int s = 0; s < samples; s++) {
    const float4 sample = k[s];
    const float angle = sample.x * at.x + sample.y * at.y + sample.z * at.z;
    re += sample.w * native_cos(angle);
    im += sample.w * native_sin(angle);
  }
  real[i] = re;
  imaginary[i] = im;
}

/* The weight of a sample: the square of its magnitude. */
__kernel __attribute__((reqd_work_group_size(512, 1, 1))) void
phi_mag(__global const float *real, __global const float *imaginary, __global float *weight) {
  const int i = get_global_id(0);
  const float re = real[i], im = imaginary[i];
  weight[i] = re * re + im * im;
}
