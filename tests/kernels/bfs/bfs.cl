/* A level of a breadth-first search: the nodes of the frontier set the level of those of their
 * neighbours that have none yet, and make them the next frontier.  Node i has the edges
 * edges[first[i]] to edges[first[i] + degree[i] - 1]; level is -1 where the search has not been. */
__kernel void expand(__global const uint *first, __global const uint *degree,
                     __global const uint *edges, __global const uint *frontier, __global uint *next,
                     __global int *level, __global uint *more, int n) {
  const int i = get_global_id(0);
  if (i < n && frontier[i]) {
    const uint end = first[i] + degree[i];
    for (uint e = first[i]; e < end; e++) {
      const uint to = edges[e];
      if (level[to] < 0) {
        level[to] = level[i] + 1;
        next[to] = 1;
        *more = 1;
      }
    }
  }
}
