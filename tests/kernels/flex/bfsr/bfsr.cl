/* A level of a breadth-first search, in two launches.  Node i has the edges edges[first[i]] to
 * edges[first[i] + degree[i] - 1]; masks have a byte a node. */

/* The nodes of the frontier leave it, and set the cost of those neighbours that were not visited.
 */
__kernel void visit(__global const uint *first, __global const uint *degree,
                    __global const uint *edges, __global uchar *frontier, __global uchar *reached,
                    __global const uchar *visited, __global int *cost, int n) {
  const int i = get_global_id(0);
  if (i < n && frontier[i]) {
    frontier[i] = 0;
    for (uint e = first[i]; e < first[i] + degree[i]; e++) {
      const uint to = edges[e];
      if (!visited[to]) {
        cost[to] = cost[i] + 1;
        reached[to] = 1;
      }
    }
  }
}

/* The nodes that were reached are visited, and become the frontier. */
__kernel void advance(__global uchar *frontier, __global uchar *reached, __global uchar *visited,
                      __global uint *more, int n) {
  const int i = get_global_id(0);
  if (i < n && reached[i]) {
    frontier[i] = 1;
    visited[i] = 1;
    *more = 1;
    reached[i] = 0;
  }
}
