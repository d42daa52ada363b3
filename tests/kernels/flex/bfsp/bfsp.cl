/* A level of a breadth-first search with queues.  A node is named by the offset of its level in
 * bytes.  The CTA collects the nodes that it finds in shared memory, and moves them to the next
 * queue in one piece. */
#define THREADS 512
#define ROOM 2100
#define UNSEEN 0xffffffff

/* frontier: `count` nodes of the level before `depth`.  Node n has the edges edges[first[n]] to
 * edges[first[n] + degree[n] - 1].  next gets the nodes found, *tail counts them. */
__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
bfsp(__global const uint *frontier, __global const uint *first, __global const uint *degree,
     __global const uint *edges, __global uint *level, __global uint *next, __global uint *tail,
     uint count, uint depth) {
  __local uint queue[ROOM], found, start;
  const uint t = get_local_id(0), i = get_global_id(0);
  if (t == 0)
    found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < count) {
    const uint node = frontier[i] / 4, from = first[node], end = from + degree[node];
    for (uint e = from; e < end; e++) {
      const uint to = edges[e];
      if (atomic_min(&level[to / 4], depth) == UNSEEN) {
        const uint at = atomic_inc(&found);
        if (at < ROOM)
          queue[at] = to;
        else
          next[atomic_inc(tail)] = to;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint n = min(found, (uint)ROOM);
  if (t == 0)
    start = atomic_add(tail, n);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = t; k < n; k += THREADS)
    next[start + k] = queue[k];
}
