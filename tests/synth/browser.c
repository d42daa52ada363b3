/* A headless Chromium, spoken to over its debugging pipe. */
#include "tests/synth/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

struct browser {
  pid_t pid;
  int to, from;
  char profile[64];
  char *text; /* received and not yet looked at */
  size_t length;
  json_int_t id; /* of the last call */
  char session[64];
  json_t *messages, *requests;
  bool loaded;
};

/* Chromium reads commands from descriptor 3 and answers on 4, each ended by a zero byte. */
static void become_browser(int commands, int answers, const char *profile) {
  char folder[96];
  snprintf(folder, sizeof folder, "--user-data-dir=%s", profile);
  const int in = fcntl(commands, F_DUPFD, 10), out = fcntl(answers, F_DUPFD, 10);
  dup2(in, 3);
  dup2(out, 4);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, 1);
  dup2(null, 2);
  setpgid(0, 0);
  execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--remote-debugging-pipe", "--disable-extensions", "--no-first-run", folder, "about:blank",
         (char *)NULL);
  _exit(127);
}

/* The next message; NULL if the browser is gone or silent for too long. */
static json_t *receive(struct browser *b) {
  for (;;) {
    const char *end = b->length > 0 ? memchr(b->text, '\0', b->length) : NULL;
    if (end != NULL) {
      const size_t n = (size_t)(end - b->text) + 1;
      json_t *message = json_loads(b->text, 0, NULL);
      memmove(b->text, b->text + n, b->length -= n);
      return message;
    }
    struct pollfd p = {.fd = b->from, .events = POLLIN};
    char part[65536];
    const ssize_t n = poll(&p, 1, PATIENCE_MS) == 1 ? read(b->from, part, sizeof part) : -1;
    char *more = n > 0 ? realloc(b->text, b->length + (size_t)n) : NULL;
    if (more == NULL)
      return NULL;
    b->text = more;
    memcpy(b->text + b->length, part, (size_t)n);
    b->length += (size_t)n;
  }
}

static void note_event(struct browser *b, const json_t *message) {
  const char *method = json_string_value(json_object_get(message, "method"));
  json_t *parameters = json_object_get(message, "params");
  if (method == NULL)
    return;
  if (strcmp(method, "Network.requestWillBeSent") == 0)
    json_array_append(b->requests, json_object_get(json_object_get(parameters, "request"), "url"));
  else if (strcmp(method, "Log.entryAdded") == 0 ||
           strcmp(method, "Runtime.consoleAPICalled") == 0 ||
           strcmp(method, "Runtime.exceptionThrown") == 0)
    json_array_append(b->messages, parameters);
  else if (strcmp(method, "Page.loadEventFired") == 0)
    b->loaded = true;
}

json_t *browser_call(struct browser *b, const char *method, json_t *parameters) {
  json_t *call = json_pack("{s:I, s:s, s:o}", "id", ++b->id, "method", method, "params",
                           parameters != NULL ? parameters : json_object());
  if (b->session[0] != '\0')
    json_object_set_new(call, "sessionId", json_string(b->session));
  char *text = json_dumps(call, JSON_COMPACT);
  json_decref(call);
  const size_t n = strlen(text) + 1;
  const bool sent = write(b->to, text, n) == (ssize_t)n;
  free(text);
  json_t *message;
  while (sent && (message = receive(b)) != NULL) {
    if (json_integer_value(json_object_get(message, "id")) != b->id) {
      note_event(b, message);
      json_decref(message);
      continue;
    }
    json_t *result = json_incref(json_object_get(message, "result"));
    if (result == NULL)
      json_dumpf(message, stderr, 0);
    json_decref(message);
    return result;
  }
  fprintf(stderr, "chromium does not answer %s\n", method);
  return NULL;
}

static bool done(json_t *result) {
  json_decref(result);
  return result != NULL;
}

static bool attach(struct browser *b) {
  json_t *made = browser_call(b, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
  const char *target = json_string_value(json_object_get(made, "targetId"));
  json_t *session = target == NULL
                        ? NULL
                        : browser_call(b, "Target.attachToTarget",
                                       json_pack("{s:s, s:b}", "targetId", target, "flatten", 1));
  const char *id = json_string_value(json_object_get(session, "sessionId"));
  if (id != NULL)
    snprintf(b->session, sizeof b->session, "%s", id);
  json_decref(made);
  json_decref(session);
  static const char *const domains[] = {"Page", "Runtime", "Log", "Network"};
  bool good = b->session[0] != '\0';
  for (size_t i = 0; good && i < sizeof domains / sizeof domains[0]; i++) {
    char method[32];
    snprintf(method, sizeof method, "%s.enable", domains[i]);
    good = done(browser_call(b, method, NULL));
  }
  return good;
}

struct browser *browser_open(void) {
  signal(SIGPIPE, SIG_IGN);
  int commands[2], answers[2];
  struct browser *b = calloc(1, sizeof *b);
  b->messages = json_array();
  b->requests = json_array();
  snprintf(b->profile, sizeof b->profile, "/tmp/tandem-browser-XXXXXX");
  if (mkdtemp(b->profile) == NULL || pipe2(commands, O_CLOEXEC) != 0 ||
      pipe2(answers, O_CLOEXEC) != 0)
    abort();
  b->pid = fork();
  if (b->pid == 0)
    become_browser(commands[0], answers[1], b->profile);
  close(commands[0]);
  close(answers[1]);
  b->to = commands[1];
  b->from = answers[0];
  if (attach(b))
    return b;
  browser_close(b);
  return NULL;
}

void browser_close(struct browser *b) {
  if (b == NULL)
    return;
  close(b->to);
  kill(-b->pid, SIGKILL);
  kill(b->pid, SIGKILL);
  waitpid(b->pid, NULL, 0);
  close(b->from);
  char command[96];
  snprintf(command, sizeof command, "rm -rf %s", b->profile);
  if (system(command) != 0)
    fprintf(stderr, "%s is left behind\n", b->profile);
  json_decref(b->messages);
  json_decref(b->requests);
  free(b->text);
  free(b);
}

int browser_load(struct browser *b, const char *path) {
  char url[512];
  snprintf(url, sizeof url, "file://%s", path);
  json_array_clear(b->messages);
  json_array_clear(b->requests);
  b->loaded = false;
  if (!done(browser_call(b, "Page.navigate", json_pack("{s:s}", "url", url))))
    return -1;
  while (!b->loaded) {
    json_t *message = receive(b);
    if (message == NULL)
      return -1;
    note_event(b, message);
    json_decref(message);
  }
  return 0;
}

json_t *browser_eval(struct browser *b, const char *expression) {
  json_t *result = browser_call(b, "Runtime.evaluate",
                                json_pack("{s:s, s:b, s:b}", "expression", expression,
                                          "returnByValue", 1, "awaitPromise", 1));
  json_t *value = json_incref(json_object_get(json_object_get(result, "result"), "value"));
  if (json_object_get(result, "exceptionDetails") != NULL) {
    json_dumpf(result, stderr, 0);
    json_decref(value);
    value = NULL;
  }
  json_decref(result);
  return value;
}

const json_t *browser_messages(const struct browser *b) { return b->messages; }
const json_t *browser_requests(const struct browser *b) { return b->requests; }
