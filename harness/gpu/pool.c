/* Host threads, and their meeting at the end of a cycle. */
#include "harness/gpu/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  SPINS = 300, /* some ten microseconds */
  YIELDS = 20
};

struct pool_thread {
  struct pool *pool;
  unsigned index;
  pthread_t id;
  atomic_int times; /* its file of /proc, -1: none */
};

struct pool {
  /* Each on its own cache line: `go` is written by the caller, `left` by the others. */
  _Alignas(64) atomic_uint go; /* grows by one for each run */
  atomic_uint go_sleepers;
  _Alignas(64) atomic_uint left; /* threads that have not returned yet */
  atomic_uint left_sleeper;
  _Alignas(64) atomic_uint bell; /* grows by one for each pool_ring */
  atomic_uint bell_sleepers;
  _Alignas(64) atomic_bool quit;
  struct pool_work work;
  unsigned threads; /* started, the caller included */
  struct pool_thread *thread;
};

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

void pool_pause(unsigned waited) {
  if (waited < SPINS)
    pause_briefly();
  else
    sched_yield();
}

static void futex_wait(atomic_uint *word, unsigned value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Returns once *word differs from value (until_not) or equals it.  sleepers shows the other side
 * that a wake is needed: it writes the word first and looks at sleepers after, both sequentially
 * consistent, so that no wake is lost. */
static void wait_word(atomic_uint *word, unsigned value, bool until_not, atomic_uint *sleepers) {
  for (unsigned spins = 0;; spins++) {
    unsigned now = atomic_load_explicit(word, memory_order_acquire);
    if ((now != value) == until_not)
      return;
    if (spins < SPINS + YIELDS) {
      pool_pause(spins);
    } else {
      atomic_fetch_add(sleepers, 1);
      now = atomic_load(word);
      if ((now != value) != until_not)
        futex_wait(word, now);
      atomic_fetch_sub(sleepers, 1);
    }
  }
}

/* The file of the calling thread that says how long it was ready to run and did not. */
static int open_times(void) { return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC); }

static void meet(struct pool_thread *t) {
  struct pool *p = t->pool;
  for (unsigned seen = 0;; seen++) {
    wait_word(&p->go, seen, true, &p->go_sleepers);
    if (atomic_load(&p->quit))
      return;
    p->work.cycle(p->work.context, t->index);
    if (atomic_fetch_sub(&p->left, 1) == 1 && atomic_load(&p->left_sleeper) != 0)
      futex_wake(&p->left);
  }
}

static void work_beside(struct pool_thread *t) {
  struct pool *p = t->pool;
  for (unsigned seen = 0; !atomic_load(&p->quit); seen = atomic_load(&p->bell)) {
    while (p->work.beside(p->work.context, t->index))
      ;
    wait_word(&p->bell, seen, true, &p->bell_sleepers);
  }
}

static void *thread_main(void *argument) {
  struct pool_thread *t = argument;
  atomic_store(&t->times, open_times());
  if (t->index < t->pool->work.meet)
    meet(t);
  else
    work_beside(t);
  return NULL;
}

void pool_ring(struct pool *p) {
  atomic_fetch_add(&p->bell, 1);
  if (atomic_load(&p->bell_sleepers) != 0)
    futex_wake(&p->bell);
}

void pool_run(struct pool *p, bool alone) {
  alone = alone || p->work.meet == 1;
  if (!alone) {
    atomic_store_explicit(&p->left, p->work.meet - 1, memory_order_relaxed);
    atomic_fetch_add(&p->go, 1);
    if (atomic_load(&p->go_sleepers) != 0)
      futex_wake(&p->go);
  }
  p->work.cycle(p->work.context, 0);
  if (!alone)
    wait_word(&p->left, 0, false, &p->left_sleeper);
}

int pool_create(const struct pool_work *work, struct pool **out, struct tandem_error *err) {
  const unsigned threads = work->threads;
  struct pool *p = aligned_alloc(64, (sizeof *p + 63) & ~(size_t)63);
  struct pool_thread *thread = calloc(threads, sizeof *thread);
  if (p == NULL || thread == NULL) {
    free(p), free(thread);
    return tandem_fail(err, -ENOMEM, "out of memory for %u host threads", threads);
  }
  memset(p, 0, sizeof *p);
  p->work = *work;
  p->thread = thread;
  p->threads = 1;
  thread[0].times = open_times();
  for (unsigned i = 1; i < threads; i++) {
    thread[i] = (struct pool_thread){.pool = p, .index = i, .times = -1};
    int status = pthread_create(&thread[i].id, NULL, thread_main, &thread[i]);
    if (status != 0) {
      pool_destroy(p);
      return tandem_fail(err, -status, "cannot start host thread %u of %u: %s", i, threads,
                         strerror(status));
    }
    p->threads++;
  }
  *out = p;
  return 0;
}

void pool_destroy(struct pool *p) {
  if (p == NULL)
    return;
  atomic_store(&p->quit, true);
  atomic_fetch_add(&p->go, 1);
  futex_wake(&p->go);
  pool_ring(p);
  for (unsigned i = 1; i < p->threads; i++)
    pthread_join(p->thread[i].id, NULL);
  for (unsigned i = 0; i < p->threads; i++)
    if (p->thread[i].times >= 0)
      close(p->thread[i].times);
  free(p->thread);
  free(p);
}

/* Reads the start of a file of /proc, as text. */
static bool read_text(int file, char *text, size_t room) {
  const ssize_t n = file >= 0 ? pread(file, text, room - 1, 0) : -1;
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/* The file: nanoseconds on a processor, nanoseconds ready without one, time slices. */
uint64_t pool_delay(const struct pool *p) {
  uint64_t sum = 0;
  char text[80], *second;
  for (unsigned i = 0; i < p->threads; i++)
    if (read_text(p->thread[i].times, text, sizeof text)) {
      (void)strtoull(text, &second, 10);
      sum += strtoull(second, NULL, 10);
    }
  return sum;
}

/* /proc/loadavg: three averages, then the number of threads that run or are ready, this one
 * included. */
bool pool_has_room(const struct pool *p) {
  cpu_set_t processors;
  char text[80];
  const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  const bool known = read_text(file, text, sizeof text);
  if (file >= 0)
    close(file);
  if (sched_getaffinity(0, sizeof processors, &processors) != 0 || !known)
    return true;
  const char *at = text;
  for (unsigned averages = 0; averages < 3; averages++) {
    at = strchr(at, ' ');
    if (at == NULL)
      return true;
    at++;
  }
  const unsigned long ready = strtoul(at, NULL, 10), others = ready > 0 ? ready - 1 : 0;
  return others + p->threads <= (unsigned long)CPU_COUNT(&processors);
}
