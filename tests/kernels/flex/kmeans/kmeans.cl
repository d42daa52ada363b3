/* Clusters of points by k-means. */
#define FEATURES 34

/* The nearest of `clusters` centres, whose FEATURES features are a row each. */
__kernel void nearest(__global const float *columns, __constant float *centres,
                      __global int *membership, int points, int clusters) {
  const int i = get_global_id(0);
  if (i >= points)
    return;
  int best = -1;
  float least = FLT_MAX;
  for (int c = 0; c < clusters; c++) {
    float distance = 0.0f;
    for (int f = 0; f < FEATURES; f++) {
      const float along = columns[i + points * f] - centres[c * FEATURES + f];
      distance += along * along;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  membership[i] = best;
}

/* A point's features go from one row a point to one row a feature. */
__kernel void invert(__global const float *rows, __global float *columns, int points,
                     int features) {
  const int i = get_global_id(0);
  if (i < points)
    for (int f = 0; f < features; f++)
      columns[i + points * f] = rows[i * features + f];
}
