/* Host threads, and their meeting at the end of a cycle. */
#include "harness/gpu/host/pool.h"

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
  MEETERS = 512, /* more than threads */
  SPINS = 300,   /* some ten microseconds */
  YIELDS = 400
};

struct pool_thread {
  struct pool *pool;
  unsigned index;
  pthread_t id;
  atomic_int times; /* its file of /proc, -1: none */
};

struct pool {
  /* Each on its own cache line: `call` is written by the caller, `left` by the others. */
  _Alignas(64) atomic_uint call; /* grows by one for each turn and each pool_ring */
  atomic_uint call_sleepers;
  atomic_uint turn;              /* number of the turn * MEETERS + threads that meet in it */
  _Alignas(64) atomic_uint left; /* threads that have not returned yet */
  atomic_uint left_sleeper;
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

/* Does a turn. */
static void meet(struct pool_thread *t) {
  struct pool *p = t->pool;
  p->work.cycle(p->work.context, t->index);
  if (atomic_fetch_sub(&p->left, 1) == 1 && atomic_load(&p->left_sleeper) != 0)
    futex_wake(&p->left);
}

static void *thread_main(void *argument) {
  struct pool_thread *t = argument;
  struct pool *p = t->pool;
  unsigned call = 0, turn = 0;
  atomic_store(&t->times, open_times());
  for (; !atomic_load(&p->quit); call = atomic_load(&p->call)) {
    const unsigned seen = turn;
    turn = atomic_load(&p->turn);
    const bool meets = t->index < turn % MEETERS;
    if (turn != seen && meets)
      meet(t);
    else if (meets || !p->work.beside(p->work.context, t->index))
      wait_word(&p->call, call, true, &p->call_sleepers);
  }
  return NULL;
}

static void call(struct pool *p) {
  atomic_fetch_add(&p->call, 1);
  if (atomic_load(&p->call_sleepers) != 0)
    futex_wake(&p->call);
}

void pool_ring(struct pool *p) { call(p); }

void pool_run(struct pool *p, unsigned meet) {
  const unsigned turn = atomic_load_explicit(&p->turn, memory_order_relaxed);
  if (meet > 1 || turn % MEETERS != meet) { /* alone, the others have been told */
    atomic_store_explicit(&p->left, meet - 1, memory_order_relaxed);
    atomic_store(&p->turn, (turn / MEETERS + 1) * MEETERS + meet);
    call(p);
  }
  p->work.cycle(p->work.context, 0);
  if (meet > 1)
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
  atomic_store(&p->turn, 1);
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
  call(p);
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
