/* The guard reads a socket: groups as positive numbers, those that have ended as negative ones. The
 * socket's end, or another parent, shows that the process is gone.  (A child that was forked keeps
 * the socket open, so its end alone is not enough.) */
#include "csim/util/guard.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 1000, GRACE_MS = 2000, STEP_MS = 10 };

static int to_guard = -1;

/* The groups that the guard has; 0: a free place. */
struct groups {
  pid_t *group;
  size_t n;
};

static void note(struct groups *g, pid_t number) {
  if (number >= -1 && number <= 1) /* kill has another meaning for it */
    return;
  const pid_t was = number > 0 ? 0 : -number, is = number > 0 ? number : 0;
  size_t i = 0;
  while (i < g->n && g->group[i] != was)
    i++;
  if (i == g->n && is != 0) {
    pid_t *more = realloc(g->group, (2 * g->n + 64) * sizeof *more);
    if (more == NULL)
      return;
    memset(more + g->n, 0, (g->n + 64) * sizeof *more);
    g->group = more;
    g->n = 2 * g->n + 64;
  }
  if (i < g->n)
    g->group[i] = is;
}

static size_t end_groups(const struct groups *g, int number) {
  size_t n = 0;
  for (size_t i = 0; i < g->n; i++)
    n += g->group[i] != 0 && kill(-g->group[i], number) == 0;
  return n;
}

/* SIGTERM lets a group end its own. */
static void end_all(const struct groups *g) {
  (void)end_groups(g, SIGTERM);
  for (unsigned ms = 0; ms < GRACE_MS && end_groups(g, 0) != 0; ms += STEP_MS)
    (void)nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
  (void)end_groups(g, SIGKILL);
}

static void guard(int from, pid_t parent) {
  struct groups groups = {NULL, 0};
  struct pollfd p = {.fd = from, .events = POLLIN};
  pid_t number;
  do {
    if (poll(&p, 1, LOOK_MS) > 0) {
      if (recv(from, &number, sizeof number, 0) != (ssize_t)sizeof number)
        break;
      note(&groups, number);
    }
  } while (p.revents != 0 || getppid() == parent);
  end_all(&groups);
}

/* The guard is in a group of its own, which no terminal reaches, and holds no file of its parent.
 */
void guard_start(void) {
  int ends[2];
  const pid_t parent = getpid();
  if (to_guard >= 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return;
  const pid_t pid = fork();
  if (pid == 0) {
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_NAME, "tandem-guard");
    (void)dup2(ends[0], 0);
    closefrom(1);
    guard(0, parent);
    _exit(0);
  }
  close(ends[0]);
  to_guard = ends[1];
  if (pid > 0)
    return;
  close(to_guard);
  to_guard = -1;
}

static void send_number(pid_t number) {
  if (to_guard >= 0)
    (void)send(to_guard, &number, sizeof number, MSG_NOSIGNAL);
}

void guard_add(pid_t group) { send_number(group); }
void guard_drop(pid_t group) { send_number(-group); }
