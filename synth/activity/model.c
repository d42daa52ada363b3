/* From netlists to something that runs: flattened by yosys, written anew, verilated, compiled. */
#include "synth/activity/local.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "synth/data/tcl.h"

unsigned activity_way(unsigned member, unsigned members) {
  unsigned way = 0;
  while ((1U << way) < members && (member >> way & 1) == 0)
    way++;
  return way;
}

unsigned activity_stages(unsigned members, unsigned hop_latency) {
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

/* The last line of a log that says what is wrong, or the last one of all. */
static void complaint(const char *folder, char *text, size_t size) {
  char path[1200], *log, *rest;
  snprintf(path, sizeof path, "%s/log", folder);
  text[0] = '\0';
  if (synth_read(path, &log, NULL, NULL) != 0)
    return;
  for (char *line = strtok_r(log, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    snprintf(text, size, "%s", line);
    if (strstr(line, "ERROR") != NULL || strstr(line, "Error") != NULL || strstr(line, "error:"))
      break;
  }
  free(log);
}

int activity_tool(const char *const *argv, const char *folder, const char *what,
                  struct tandem_error *err) {
  char text[600];
  int status = 0;
  pid_t pid;
  const int error =
      process_start(&(struct process){.argv = argv, .folder = folder, .log = "log"}, &pid);
  if (error != 0 || process_end(pid, true, &status) != 1)
    return tandem_fail(err, error != 0 ? -error : -ECHILD, "cannot run %s: %s", argv[0],
                       strerror(error != 0 ? error : ECHILD));
  complaint(folder, text, sizeof text);
  /* OpenSTA goes on after errors. */
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && strncmp(text, "Error", 5) != 0)
    return 0;
  return tandem_fail(err, -EINVAL, "%s failed (%s %d): %s", what,
                     WIFEXITED(status) ? "status" : "signal",
                     WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), text);
}

static bool is_cluster(const struct activity_request *q) {
  return activity_number(q, "buddy.size") > 1;
}

static void shim_of(const struct activity_request *q, char *path, size_t size) {
  if (q->shim != NULL)
    snprintf(path, size, "%s", q->shim);
  else
    snprintf(path, size, "%s/harness/shim/unit_model.cpp", q->root);
}

/* Sources of a cluster but for its members. */
static const char *const links[] = {
    "rtl/tandem_pkg.sv",       "rtl/buddy/link.sv",          "rtl/buddy/downlink.sv",
    "rtl/buddy/uplink.sv",     "rtl/buddy/group_control.sv", "rtl/buddy/group_formation.sv",
    "rtl/buddy/group_next.sv", "rtl/buddy/group_wake.sv",    "rtl/buddy/group_roles.sv",
    "rtl/buddy/side_band.sv",  "rtl/buddy/buddy_cluster.sv"};
enum { LINKS = sizeof links / sizeof links[0] };

/* All that models are made of but for the netlists: folders, each with all its files. */
static const char *const used[] = {"synth/activity", "synth/activity/scripts", "synth/flow/scripts",
                                   "harness/shim", "csim/ports"};

static int hash_folder(const char *root, const char *folder, struct synth_hash *h,
                       struct tandem_error *err) {
  char pattern[1100];
  glob_t files;
  int status = 0;
  snprintf(pattern, sizeof pattern, "%s/%s/*.*", root, folder);
  if (glob(pattern, 0, NULL, &files) != 0)
    return tandem_fail(err, -ENOENT, "cannot read %s", pattern);
  for (size_t i = 0; status == 0 && i < files.gl_pathc; i++)
    status = synth_hash_file(h, files.gl_pathv[i], err);
  globfree(&files);
  return status;
}

static int hash_sources(const struct activity_request *q, struct synth_hash *h,
                        struct tandem_error *err) {
  char path[1100];
  int status = synth_hash_file(h, q->liberty, err);
  for (size_t i = 0; status == 0 && i < sizeof used / sizeof used[0]; i++)
    status = hash_folder(q->root, used[i], h, err);
  shim_of(q, path, sizeof path);
  if (status == 0)
    status = synth_hash_file(h, path, err);
  for (size_t i = 0; status == 0 && is_cluster(q) && i < LINKS; i++) {
    snprintf(path, sizeof path, "%s/%s", q->root, links[i]);
    status = synth_hash_file(h, path, err);
  }
  return status;
}

static int folder_of(const struct activity_request *q, struct activity_model *m,
                     struct tandem_error *err) {
  struct synth_hash h;
  char key[40], text[100];
  synth_hash_start(&h);
  int status = hash_sources(q, &h, err);
  for (unsigned w = 0; status == 0 && w < ACTIVITY_WAYS; w++)
    for (size_t i = 0; status == 0 && i < q->ways[w].nfiles; i++)
      status = synth_hash_file(&h, q->ways[w].files[i], err);
  snprintf(text, sizeof text, "%u %u %u", activity_number(q, "buddy.size"),
           activity_number(q, "buddy.hop_latency"), activity_number(q, "buddy.mon_entries"));
  synth_hash_text(&h, text);
  synth_hash_end(&h, key);
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
  tcl_link(out, "flatten.tcl", "%s/synth/activity/scripts/flatten.tcl", q->root);
  tcl_set(out, "unit", "%s", n->top);
  tcl_set(out, "liberty", "%s", q->liberty);
  fputs("set netlists [list", out);
  for (size_t i = 0; i < n->nfiles; i++) {
    fputc(' ', out);
    tcl_word(out, "%s", n->files[i]);
  }
  fputs("]\nsource flatten.tcl\n", out);
  fclose(out);
  snprintf(path, sizeof path, "%s/job.tcl", folder);
  status = synth_write(path, job, size, err);
  free(job);
  const char *const argv[] = {yosys, "-q", "-c", "job.tcl", NULL};
  return status != 0 ? status : activity_tool(argv, folder, "yosys (flattening)", err);
}

/* A wrapper with the parameters that a member has in the cluster, around the netlist for them; as
 * wide as the widest of the netlists. */
static bool write_member(const struct activity_model *m, FILE *out) {
  const struct gates *first = NULL;
  for (unsigned w = 0; w < ACTIVITY_WAYS; w++)
    if (m->ways[w].json != NULL)
      first = &m->ways[w];
  fputs("module buddy_member #(\n  parameter Warps = 0, WarpSize = 0, StackDepth = 0, Mshrs = 0,\n"
        "  parameter Leads = 0, Delay = 0, Entries = 0\n) (\n",
        out);
  for (size_t i = first->own; i < first->npins; i++) {
    unsigned width = 1;
    for (unsigned w = 0; w < ACTIVITY_WAYS; w++)
      for (size_t k = m->ways[w].own; k < m->ways[w].npins; k++)
        if (strcmp(m->ways[w].pins[k].port, first->pins[i].port) == 0 &&
            m->ways[w].pins[k].width > width)
          width = m->ways[w].pins[k].width;
    fprintf(out, "  %s wire [%u:0] %s%s\n", first->pins[i].output ? "output" : "input", width - 1,
            first->pins[i].port, i + 1 != first->npins ? "," : "\n);");
  }
  for (unsigned w = 0; w < ACTIVITY_WAYS; w++) {
    const struct gates *g = &m->ways[w];
    if (g->json == NULL)
      continue;
    fprintf(out, "  if (Leads == %u) begin : g_way\n    member_%u u_gates (", 1U << w, 1U << w);
    for (size_t i = g->own; i < g->npins; i++)
      fprintf(out, "%s.%s(%s[%u:0])", i != g->own ? ", " : "", g->pins[i].port, g->pins[i].port,
              g->pins[i].width - 1);
    fputs(");\n  end\n", out);
  }
  fputs("endmodule\n", out);
  return ferror(out) == 0;
}

/* The nets' places in the model, member by member. */
static bool write_nets(const struct activity_model *m, FILE *out) {
  for (unsigned i = 0; i < m->members; i++) {
    char prefix[200];
    const struct gates *g = &m->ways[activity_way(i, m->members)];
    if (m->members == 1)
      snprintf(prefix, sizeof prefix, "%s__DOT__", g->top);
    else
      snprintf(prefix, sizeof prefix,
               "buddy_cluster__DOT__g_member__BRA__%u__KET____DOT__u_member__DOT__g_way__DOT__"
               "u_gates__DOT__",
               i);
    gates_write_nets(g, out, prefix);
  }
  struct activity_link link = {0};
  while (m->members > 1 && activity_next_link(&link, m->members))
    for (unsigned i = 0; i < m->stages; i++)
      fprintf(out,
              "%s(buddy_cluster__DOT__g_from__BRA__%u__KET____DOT__g_to__BRA__%u__KET____DOT__u_%s"
              "__DOT__u_link__DOT__g_stage__BRA__%u__KET____DOT__)\n",
              i == 0 ? "LINK" : "STAGE", link.leader, link.follower,
              link.up ? "uplink" : "downlink", i);
  return ferror(out) == 0;
}

static int write_all(const struct activity_model *m, const char *folder, struct tandem_error *err) {
  char path[1200], name[40];
  snprintf(path, sizeof path, "%s/gates.v", folder);
  FILE *out = fopen(path, "w");
  bool good = out != NULL;
  for (unsigned w = 0; good && w < ACTIVITY_WAYS; w++) {
    snprintf(name, sizeof name, "member_%u", 1U << w);
    if (m->ways[w].json != NULL)
      good = gates_write_model(&m->ways[w], out, m->members > 1 ? name : m->ways[w].top);
  }
  if (good && m->members > 1)
    good = write_member(m, out);
  good = out != NULL && fclose(out) == 0 && good;
  snprintf(path, sizeof path, "%s/nets.inc", folder);
  out = good ? fopen(path, "w") : NULL;
  good = out != NULL && write_nets(m, out);
  good = out != NULL && fclose(out) == 0 && good;
  return good ? 0 : tandem_fail(err, -EIO, "cannot write %s: %s", path, strerror(errno));
}

static int compile(const struct activity_request *q, const char *folder, struct tandem_error *err) {
  char script[1100], shim[1100], memory[1100], tool[512], numbers[3][24], files[LINKS][1100];
  char parameters[3][40], config[1100];
  int status = synth_tool("verilator", "verilator", tool, sizeof tool, err);
  if (status == 0)
    status = synth_tool("c++", "build-essential", tool, sizeof tool, err);
  if (status != 0)
    return status;
  snprintf(script, sizeof script, "%s/synth/activity/scripts/model.sh", q->root);
  shim_of(q, shim, sizeof shim);
  snprintf(memory, sizeof memory, "%s/synth/activity/scripts/counted_memory.v", q->root);
  const unsigned values[3] = {activity_number(q, "buddy.size"),
                              activity_number(q, "buddy.hop_latency"),
                              activity_number(q, "buddy.mon_entries")};
  static const char *const names[3] = {"Members", "Hop", "Entries"};
  for (unsigned i = 0; i < 3; i++) {
    snprintf(numbers[i], sizeof numbers[i], "%u", values[i]);
    snprintf(parameters[i], sizeof parameters[i], "-G%s=%u", names[i], values[i]);
  }
  const char *argv[32] = {"/bin/sh",
                          script,
                          q->root,
                          shim,
                          is_cluster(q) ? "buddy_cluster" : q->ways[0].top,
                          numbers[0],
                          numbers[1],
                          numbers[2],
                          "model.so"};
  size_t n = 9;
  for (size_t i = 0; is_cluster(q) && i < LINKS; i++) {
    snprintf(files[i], sizeof files[i], "%s/%s", q->root, links[i]);
    argv[n++] = files[i];
  }
  for (unsigned i = 0; is_cluster(q) && i < 3; i++)
    argv[n++] = parameters[i];
  snprintf(config, sizeof config, "%s/synth/activity/scripts/links.vlt", q->root);
  if (is_cluster(q))
    argv[n++] = config;
  argv[n++] = memory;
  argv[n++] = "gates.v";
  argv[n++] = "way0/cells.v";
  return activity_tool(argv, folder, "making a program of the netlist", err);
}

static int read_ways(const struct activity_request *q, struct activity_model *m, const char *folder,
                     bool make, struct tandem_error *err) {
  char path[1200];
  int status = 0;
  for (unsigned w = 0; status == 0 && w < ACTIVITY_WAYS; w++) {
    if (q->ways[w].top == NULL)
      continue;
    snprintf(path, sizeof path, "%s/way%u", folder, w);
    if (make)
      status = synth_folder(path, err);
    if (status == 0 && make)
      status = flatten(q, w, path, err);
    snprintf(path, sizeof path, "%s/way%u/flat.json", folder, w);
    if (status == 0)
      status = gates_read(&m->ways[w], path, q->ways[w].top, err);
  }
  return status;
}

int activity_model_make(const struct activity_request *q, struct activity_model *m,
                        struct tandem_error *err) {
  char *part;
  memset(m, 0, sizeof *m);
  m->members = activity_number(q, "buddy.size");
  m->stages = activity_stages(m->members, activity_number(q, "buddy.hop_latency"));
  int status = folder_of(q, m, err);
  if (status != 0)
    return status;
  if (access(m->folder, R_OK) == 0)
    return read_ways(q, m, m->folder, false, err);
  status = synth_folder(q->folder, err);
  if (status == 0 && (status = scratch_folder(m->folder, &part)) != 0)
    (void)tandem_fail(err, status, "cannot make a folder in %s: %s", q->folder, strerror(-status));
  if (status != 0)
    return status;
  status = read_ways(q, m, part, true, err);
  if (status == 0)
    status = write_all(m, part, err);
  if (status == 0)
    status = compile(q, part, err);
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
