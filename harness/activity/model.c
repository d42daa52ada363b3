/* From netlists to something that runs: flattened by yosys, written anew, verilated, compiled. */
#include "harness/activity/local.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/ports/generate/generate.h"
#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "synth/flow/tcl.h"

unsigned activity_way(unsigned part, unsigned members) {
  unsigned way = 0;
  if (members > 1 && part == members)
    return ACTIVITY_CLUSTER;
  while ((1U << way) < members && (part >> way & 1) == 0)
    way++;
  return way;
}

/* The registers of the NoC clock on each link, as link.sv says. */
static unsigned stages_of(unsigned members, unsigned hop_latency) {
  const unsigned hops = hop_latency * (members - 1);
  return 2 * ((hops + 2) / 2) - 1;
}

bool activity_next_link(struct activity_link *l, unsigned members) {
  const unsigned leads = l->leader == 0 ? members : l->leader & (~l->leader + 1);
  if (l->follower == 0)
    l->follower = 1;
  else if (!l->up)
    l->up = true;
  else {
    l->up = false;
    if (++l->follower >= l->leader + leads) { /* those at odd places lead nobody */
      l->leader += 2;
      l->follower = l->leader + 1;
    }
  }
  return l->leader < members;
}

int activity_tool(const char *const *argv, const char *folder, const char *what,
                  struct tandem_error *err) {
  char text[600], cause[PROCESS_CAUSE];
  int status = 0;
  pid_t pid;
  const int error =
      process_start(&(struct process){.argv = argv, .folder = folder, .log = "log"}, &pid);
  if (error != 0 || process_end(pid, true, &status) != 1)
    return tandem_fail(err, error != 0 ? -error : -ECHILD, "cannot run %s: %s", argv[0],
                       strerror(error != 0 ? error : ECHILD));
  synth_log_error(folder, text, sizeof text);
  /* OpenSTA goes on after errors. */
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && strncmp(text, "Error", 5) != 0)
    return 0;
  synth_log_cause(folder, status, cause, sizeof cause);
  return tandem_fail(err, -EINVAL, "%s failed: %s %s: %s", what, argv[0], cause, text);
}

static const char CLUSTER[] = "buddy_cluster"; /* its netlist in the model */

static bool is_cluster(const struct activity_request *q) {
  return activity_number(q, "buddy.size") > 1;
}

static void shim_of(const struct activity_request *q, char *path, size_t size) {
  if (q->shim != NULL)
    snprintf(path, size, "%s", q->shim);
  else
    snprintf(path, size, "%s/harness/shim/unit_model.cpp", q->root);
}

/* The files that all models are made of, but for the netlists. */
static const char *const used[] = {"harness/activity/*.*",   "harness/activity/scripts/*.*",
                                   "synth/flow/scripts/*.*", "harness/shim/*.*",
                                   "csim/ports/*.*",         "csim/ports/*/*.*",
                                   "rtl/*/*_model.*"};

static int hash_files(const char *root, const char *files_of, struct hash *h,
                      struct tandem_error *err) {
  char pattern[1100];
  glob_t files;
  int status = 0;
  snprintf(pattern, sizeof pattern, "%s/%s", root, files_of);
  if (glob(pattern, 0, NULL, &files) != 0)
    return tandem_fail(err, -ENOENT, "cannot read %s", pattern);
  for (size_t i = 0; status == 0 && i < files.gl_pathc; i++)
    status = files_hash(h, files.gl_pathv[i], err);
  globfree(&files);
  return status;
}

static int hash_sources(const struct activity_request *q, struct hash *h,
                        struct tandem_error *err) {
  char path[1100];
  TRY(files_hash(h, q->liberty, err));
  for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
    TRY(hash_files(q->root, used[i], h, err));
  shim_of(q, path, sizeof path);
  return files_hash(h, path, err);
}

static int folder_of(const struct activity_request *q, struct activity_model *m,
                     struct tandem_error *err) {
  struct hash h;
  char key[HASH_KEY], text[100];
  hash_start(&h);
  int status = hash_sources(q, &h, err);
  for (unsigned w = 0; status == 0 && w < ACTIVITY_WAYS; w++)
    for (size_t i = 0; status == 0 && i < q->ways[w].nfiles; i++)
      status = files_hash(&h, q->ways[w].files[i], err);
  snprintf(text, sizeof text, "%u", activity_number(q, "buddy.size"));
  hash_text(&h, text);
  hash_end(&h, key);
  if (status == 0 &&
      snprintf(m->folder, sizeof m->folder, "%s/%s-%.16s", q->folder,
               is_cluster(q) ? "cluster" : "frontend", key) >= (int)sizeof m->folder - 32)
    status = tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", q->folder);
  return status;
}

static int flatten(const struct activity_request *q, unsigned way, const char *folder,
                   struct tandem_error *err) {
  const struct activity_netlist *n = &q->ways[way];
  char yosys[512], *job = NULL, path[1300];
  size_t size;
  int status = synth_tool("yosys", "yosys", yosys, sizeof yosys, err);
  FILE *out = status == 0 ? open_memstream(&job, &size) : NULL;
  if (out == NULL)
    return status != 0 ? status : tandem_fail(err, -ENOMEM, "out of memory");
  tcl_link(out, "scripts", "%s/synth/flow/scripts", q->root);
  tcl_link(out, "flatten.tcl", "%s/harness/activity/scripts/flatten.tcl", q->root);
  tcl_set(out, "unit", "%s", n->top);
  tcl_set(out, "liberty", "%s", q->liberty);
  tcl_set(out, "gate_model", "%s", q->gate != NULL ? q->gate->model : "");
  fputs("set netlists [list", out);
  for (size_t i = 0; i < n->nfiles; i++) {
    fputc(' ', out);
    tcl_word(out, "%s", n->files[i]);
  }
  fputs("]\nsource flatten.tcl\n", out);
  fclose(out);
  snprintf(path, sizeof path, "%s/job.tcl", folder);
  status = files_write(path, job, size, err);
  free(job);
  const char *const argv[] = {yosys, "-q", "-c", "job.tcl", NULL};
  return status != 0 ? status : activity_tool(argv, folder, "yosys (flattening)", err);
}

/* The instance of a member in the cluster's netlist; SIZE_MAX: it has none of this member's type.
 */
static size_t find_member(const struct activity_model *m, unsigned member) {
  const struct gates *cluster = &m->ways[ACTIVITY_CLUSTER];
  const char *type = m->ways[activity_way(member, m->members)].top;
  char name[64];
  snprintf(name, sizeof name, "g_member[%u].u_member", member);
  for (size_t i = 0; type != NULL && i < cluster->ncells; i++)
    if (strcmp(cluster->cells[i].name, name) == 0 && strcmp(cluster->cells[i].type, type) == 0)
      return i;
  return SIZE_MAX;
}

/* The nets' places in the model: those of each member, then the cluster's own. */
static int write_nets(const struct activity_model *m, FILE *out, struct tandem_error *err) {
  char prefix[200];
  for (unsigned i = 0; m->members > 1 && i < m->members; i++) {
    const size_t at = find_member(m, i);
    if (at == SIZE_MAX)
      return tandem_fail(err, -EINVAL, "the netlist of the cluster has no member %u", i);
    snprintf(prefix, sizeof prefix, "%s__DOT__c%zu__DOT__", CLUSTER, at);
    gates_write_nets(&m->ways[activity_way(i, m->members)], out, prefix);
  }
  const struct gates *top = &m->ways[m->members > 1 ? ACTIVITY_CLUSTER : 0];
  snprintf(prefix, sizeof prefix, "%s__DOT__", m->members > 1 ? CLUSTER : top->top);
  gates_write_nets(top, out, prefix);
  return ferror(out) == 0 ? 0 : -EIO;
}

static int write_all(const struct activity_model *m, const char *folder, struct tandem_error *err) {
  char path[1200];
  snprintf(path, sizeof path, "%s/gates.v", folder);
  FILE *out = fopen(path, "w");
  bool good = out != NULL;
  for (unsigned w = 0; good && w < ACTIVITY_WAYS; w++)
    if (m->ways[w].json != NULL)
      good = gates_write_model(&m->ways[w], out, w == ACTIVITY_CLUSTER ? CLUSTER : m->ways[w].top);
  good = out != NULL && fclose(out) == 0 && good;
  snprintf(path, sizeof path, "%s/nets.inc", folder);
  out = good ? fopen(path, "w") : NULL;
  int cause = out == NULL ? errno : 0;
  int status = out != NULL ? write_nets(m, out, err) : -EIO;
  if (out != NULL && fclose(out) != 0 && status == 0) {
    cause = errno;
    status = -EIO;
  }
  return status != -EIO ? status
                        : tandem_fail(err, status, "cannot write %s: %s", path,
                                      strerror(cause != 0 ? cause : EIO));
}

static int compile(const struct activity_request *q, const char *folder, struct tandem_error *err) {
  char script[1100], shim[1100], memory[1100], tool[512], members[24];
  TRY(synth_tool("verilator", "verilator", tool, sizeof tool, err));
  TRY(synth_tool("c++", "build-essential", tool, sizeof tool, err));
  TRY(ports_write(q->root, folder, true, err));
  snprintf(script, sizeof script, "%s/harness/activity/scripts/model.sh", q->root);
  shim_of(q, shim, sizeof shim);
  snprintf(memory, sizeof memory, "%s/harness/activity/scripts/counted_memory.v", q->root);
  snprintf(members, sizeof members, "%u", activity_number(q, "buddy.size"));
  const char *const top = is_cluster(q) ? CLUSTER : q->ways[0].top;
  const char *const argv[] = {"/bin/sh",  script, q->root,   shim,           top, members,
                              "model.so", memory, "gates.v", "way0/cells.v", NULL};
  return activity_tool(argv, folder, "making a program of the netlist", err);
}

static int read_ways(const struct activity_request *q, struct activity_model *m, const char *folder,
                     bool make, struct tandem_error *err) {
  char path[1200];
  for (unsigned w = 0; w < ACTIVITY_WAYS; w++) {
    if (q->ways[w].top == NULL)
      continue;
    snprintf(path, sizeof path, "%s/way%u", folder, w);
    if (make) {
      TRY(files_folder(path, err));
      TRY(flatten(q, w, path, err));
    }
    snprintf(path, sizeof path, "%s/way%u/flat.json", folder, w);
    TRY(gates_read(&m->ways[w], path, q->ways[w].top, err));
  }
  return 0;
}

static int make_in(const struct activity_request *q, struct activity_model *m, const char *folder,
                   struct tandem_error *err) {
  TRY(read_ways(q, m, folder, true, err));
  TRY(write_all(m, folder, err));
  return compile(q, folder, err);
}

int activity_model_make(const struct activity_request *q, struct activity_model *m,
                        struct tandem_error *err) {
  char *part;
  memset(m, 0, sizeof *m);
  m->members = activity_number(q, "buddy.size");
  m->stages = stages_of(m->members, activity_number(q, "buddy.hop_latency"));
  TRY(folder_of(q, m, err));
  if (access(m->folder, R_OK) == 0)
    return read_ways(q, m, m->folder, false, err);
  TRY(files_folder(q->folder, err));
  int status = scratch_folder(m->folder, &part);
  if (status != 0)
    return tandem_fail(err, status, "cannot make a folder in %s: %s", q->folder, strerror(-status));
  status = make_in(q, m, part, err);
  if (status != 0)
    scratch_drop(part);
  else if ((status = scratch_become(part, m->folder)) != 0)
    (void)tandem_fail(err, status, "cannot write %s: %s", m->folder, strerror(-status));
  return status;
}

void activity_model_free(struct activity_model *m) {
  for (unsigned w = 0; w < ACTIVITY_WAYS; w++)
    gates_free(&m->ways[w]);
}
