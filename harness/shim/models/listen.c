/* Progress and warnings. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "harness/shim/models/local.h"

static struct models_listener listener;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void models_listen(const struct models_listener *l) {
  pthread_mutex_lock(&lock);
  listener = l != NULL ? *l : (struct models_listener){NULL, NULL};
  pthread_mutex_unlock(&lock);
}

void models_progress(const char *format, ...) {
  char line[256];
  va_list args;
  if (format != NULL) {
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
  }
  pthread_mutex_lock(&lock);
  if (listener.progress != NULL)
    listener.progress(format != NULL ? line : NULL);
  pthread_mutex_unlock(&lock);
}

void models_warning(const char *text) {
  pthread_mutex_lock(&lock);
  if (listener.warning != NULL)
    listener.warning(text);
  pthread_mutex_unlock(&lock);
}
