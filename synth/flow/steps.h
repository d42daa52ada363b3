/* A tool's run in a folder of its own, not repeated while its key is the same. */
#ifndef TANDEM_SYNTH_FLOW_STEPS_H
#define TANDEM_SYNTH_FLOW_STEPS_H

#include <stddef.h>
#include <sys/types.h>

#include "csim/util/error.h"
#include "csim/util/hash.h"

struct synth_step {
  char folder[1000], key[HASH_KEY];
  const char *tool, *script, *output; /* output: what it writes last */
  pid_t pid;                          /* 0: not running */
  double seconds;                     /* of a processor that the tool took; 0: not known */
  char *part;                         /* where it runs */
};
/* 1: as before, nothing to do; 0: started; negative: error.  job: the text of the job's file. */
int synth_step_start(struct synth_step *s, const char *job, struct tandem_error *err);
/* Ends a step whose tool ended with this status of waitpid, its seconds known: puts the folder
 * where it belongs and returns 0, or removes it and returns a negative errno. */
int synth_step_end(struct synth_step *s, int status, struct tandem_error *err);
/* The line of a folder's log that says what is wrong, or its last one; of a failure of ABC what ABC
 * said. */
void synth_log_error(const char *folder, char *text, size_t size);
/* How a tool ended there, as process_cause has it. */
void synth_log_cause(const char *folder, int status, char *text, size_t size);
/* Path of a program; NULL with a message that names its package. */
int synth_tool(const char *name, const char *package, char *path, size_t size,
               struct tandem_error *err);
/* First line that the program prints with the argument. */
int synth_version(const char *tool, const char *argument, char *text, size_t size,
                  struct tandem_error *err);

#endif
