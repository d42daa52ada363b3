/* Breadth-first search, one level a round: visit() marks the unvisited neighbours of the frontier,
 * advance() makes them the next frontier.  The host goes on until more stays 0.
 * Node i has edges first[i] to first[i] + degree[i] - 1. */
__kernel void visit(__global const uint *first, __global const uint *degree,
                    __global const uint *edges, __global uint *frontier, __global uint *next,
                    __global const uint *visited, __global int *level, int n) {
  int i = get_global_id(0);
  if (i < n && frontier[i]) {
    frontier[i] = 0;
    uint end = first[i] + degree[i];
    for (uint e = first[i]; e < end; e++) {
      uint to = edges[e];
      if (!visited[to]) {
        level[to] = level[i] + 1;
        next[to] = 1;
      }
    }
  }
}

__kernel void advance(__global uint *frontier, __global uint *next, __global uint *visited,
                      __global uint *more, int n) {
  int i = get_global_id(0);
  if (i < n && next[i]) {
    next[i] = 0;
    visited[i] = 1;
    frontier[i] = 1;
    *more = 1;
  }
}

/* One source, everything else not reached. */
__kernel void start(__global uint *frontier, __global uint *visited, __global int *level,
                    int source, int n) {
  int i = get_global_id(0);
  if (i < n) {
    frontier[i] = visited[i] = i == source;
    level[i] = i == source ? 0 : -1;
  }
}
