/* Speckle reducing anisotropic diffusion of an image of `rows` x n / rows places, column by column.
 * Constants and what they are multiplied with are in double precision, as in Rodinia. */

__kernel void extract(__global float *image, int n) {
  const int i = get_global_id(0);
  if (i < n)
    image[i] = exp(image[i] / 255.0f);
}

/* The image and its squares, over which sums are formed next. */
__kernel void prepare(__global const float *image, __global float *sums, __global float *squares,
                      int n) {
  const int i = get_global_id(0);
  if (i < n) {
    sums[i] = image[i];
    squares[i] = image[i] * image[i];
  }
}

/* The differences to the neighbours of each place, and its diffusion coefficient.  north and south
 * have the neighbours of each row, west and east those of each column. */
__kernel void diffusion(__global const int *north, __global const int *south,
                        __global const int *west, __global const int *east,
                        __global const float *image, __global float *to_north,
                        __global float *to_south, __global float *to_west, __global float *to_east,
                        __global float *coefficient, float speckle, int rows, int n) {
  const int i = get_global_id(0), row = i % rows, column = i / rows;
  if (i >= n)
    return;
  const float own = image[i];
  const float n_ = image[north[row] + rows * column] - own;
  const float s_ = image[south[row] + rows * column] - own;
  const float w_ = image[row + rows * west[column]] - own;
  const float e_ = image[row + rows * east[column]] - own;
  const float gradient = (n_ * n_ + s_ * s_ + w_ * w_ + e_ * e_) / (own * own);
  const float laplace = (n_ + s_ + w_ + e_) / own;
  const float num = (float)(0.5 * gradient - 1.0 / 16.0 * (laplace * laplace));
  float den = (float)(1 + 0.25 * laplace);
  const float variation = num / (den * den);
  den = (variation - speckle) / (speckle * (1 + speckle));
  const float c = (float)(1.0 / (1.0 + den));
  to_north[i] = n_;
  to_south[i] = s_;
  to_west[i] = w_;
  to_east[i] = e_;
  coefficient[i] = c < 0 ? 0 : c > 1 ? 1 : c;
}

/* A step of time: the image changes by the divergence of what diffuses. */
__kernel void update(__global const int *south, __global const int *east,
                     __global const float *to_north, __global const float *to_south,
                     __global const float *to_west, __global const float *to_east,
                     __global const float *coefficient, __global float *image, float lambda,
                     int rows, int n) {
  const int i = get_global_id(0), row = i % rows, column = i / rows;
  if (i >= n)
    return;
  const float own = coefficient[i], s = coefficient[south[row] + rows * column],
              e = coefficient[row + rows * east[column]];
  const float divergence = own * to_north[i] + s * to_south[i] + own * to_west[i] + e * to_east[i];
  image[i] = (float)(image[i] + 0.25 * lambda * divergence);
}

__kernel void compress(__global float *image, int n) {
  const int i = get_global_id(0);
  if (i < n)
    image[i] = log(image[i]) * 255.0f;
}
