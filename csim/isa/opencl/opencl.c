/* OpenCL C and CUDA C to programs, and loading by a file's ending.
 *
 * clang 14 compiles for nvptx--nvidiacl with our library and libclc linked in, once to PTX and,
 * side by side, once to LLVM IR without optimisation: only there does it say which address space an
 * argument points to.  CUDA C is compiled once, for sm_35, with nothing of ours.  A program that
 * clang may have written wrong is compiled again, to the LLVM IR that its PTX is made of, to be
 * mended from there.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/core/program.h"
#include "csim/isa/opencl/clang.h"
#include "csim/isa/opencl/diagnostics.h"
#include "csim/isa/opencl/initial.h"
#include "csim/isa/opencl/library.h"
#include "csim/isa/opencl/lines.h"
#include "csim/isa/opencl/mend.h"
#include "csim/isa/opencl/opencl.h"
#include "csim/isa/opencl/prelude.h"
#include "csim/isa/opencl/text.h"
#include "csim/isa/opencl/tools.h"
#include "csim/util/input.h"
#include "csim/util/process.h"
#include "csim/util/scratch.h"

/* Bytes of what clang writes. */
#define CLANG_MOST ((size_t)1 << 30)

enum { DIAGNOSTICS = 800, INPUTS_SECONDS = 60 };

static bool ends_in(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

/* ---- files ---- */

static void name_files(struct clang_work *w) {
  /* A name that no folder of the user has: clang looks for it there first, and takes no path with
   * quotation marks. */
  snprintf(w->include, sizeof w->include, "%s.h", strrchr(w->dir, '/') + 1);
  snprintf(w->prelude, sizeof w->prelude, "%s/%s", w->dir, w->include);
  snprintf(w->spu, sizeof w->spu, "%s/spu.h", w->dir);
  snprintf(w->library, sizeof w->library, "%s/library.bc", w->dir);
  snprintf(w->ptx, sizeof w->ptx, "%s/k.ptx", w->dir);
  snprintf(w->ir, sizeof w->ir, "%s/k.ll", w->dir);
  snprintf(w->optimised, sizeof w->optimised, "%s/o.ll", w->dir);
  snprintf(w->headers, sizeof w->headers, "%s/k.d", w->dir);
  snprintf(w->log[0], sizeof w->log[0], "%s/ptx.log", w->dir);
  snprintf(w->log[1], sizeof w->log[1], "%s/ir.log", w->dir);
}

static int open_work(struct clang_work *w, struct tandem_error *err) {
  w->dir = NULL;
  int status = scratch_folder(NULL, &w->dir);
  if (status == 0 && strlen(w->dir) > CLANG_PATH - sizeof "/ptx.log" - 64) {
    scratch_drop(w->dir);
    w->dir = NULL;
    status = -ENAMETOOLONG;
  }
  if (status != 0)
    return tandem_fail(err, status, "cannot make a temporary folder: %s; TMPDIR names another",
                       strerror(-status));
  name_files(w);
  return 0;
}

static int write_file(const char *path, const char *bytes, size_t n, struct tandem_error *err) {
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(bytes, 1, n, f) == n;
  if (f && fclose(f) != 0)
    ok = false;
  if (ok)
    return 0;
  int status = errno ? -errno : -EIO;
  return tandem_fail(err, status, "%s: cannot be written: %s", path, strerror(-status));
}

static int write_header(const char *path, const char *first, const char *second,
                        struct tandem_error *err) {
  char *text;
  if (asprintf(&text, "%s%s", first, second) < 0)
    return tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  int status = write_file(path, text, strlen(text), err);
  free(text);
  return status;
}

/* Writes the files that clang reads beside the source: headers, and the library of functions. */
static int write_ours(const struct clang_work *w, struct tandem_error *err) {
  int status = write_file(w->prelude, opencl_prelude, strlen(opencl_prelude), err);
  if (status == 0)
    status = write_header(w->spu, opencl_spu_header, opencl_spu_interface, err);
  if (status == 0)
    status = write_file(w->library, opencl_library, opencl_library_bytes(), err);
  return status;
}

/* ---- running clang ---- */

/* Starts clang-14, or clang; its messages go to the log.  0 or an errno. */
static int start(struct clang_command *c, const char *log, pid_t *pid) {
  int status = ENOENT;
  c->argv[c->n] = NULL;
  for (const char *const *name = opencl_clang; status == ENOENT && *name != NULL; name++) {
    c->argv[0] = *name;
    status = process_start(&(struct process){.argv = c->argv, .log = log}, pid);
  }
  return status;
}

static int cannot_start(const char *path, int error, struct tandem_error *err) {
  return tandem_fail(err, -error, "%s: cannot run clang-14 or clang: %s%s", path, strerror(error),
                     error == ENOENT ? "; install clang-14" : "");
}

/* The cause of clang's end, which has no result: status as waitpid has it. */
static int report(const char *path, const char *log, const char *hidden, int status,
                  struct tandem_error *err) {
  char *text, ended[PROCESS_CAUSE];
  size_t n;
  (void)input_read(log, INPUT_TEXT_MOST, &text, &n, NULL);
  const bool failed = text != NULL && opencl_cut_failure(text);
  if (text != NULL)
    opencl_hide_diagnostics(text, hidden);
  if (failed)
    tandem_fail(err, -EINVAL, "%s: clang itself fails; try another option of -O0 to -O3:\n%.*s",
                path, DIAGNOSTICS, text);
  else if (WIFEXITED(status) && text != NULL && *text != '\0' &&
           process_lacked(status, text) == NULL)
    tandem_fail(err, -EINVAL, "%s: clang does not accept it:\n%.*s", path, DIAGNOSTICS, text);
  else
    tandem_fail(err, -EINVAL, "%s: clang has not compiled it: clang %s%s%.*s", path,
                process_cause(status, text, ended, sizeof ended),
                text != NULL && *text ? ":\n" : "", DIAGNOSTICS, text != NULL ? text : "");
  free(text);
  return -EINVAL;
}

static int too_many(const char *path, struct tandem_error *err) {
  return tandem_fail(err, -E2BIG, "%s: too many options for clang", path);
}

/* Runs clang once, with the first log. */
static int run_once(const char *path, const char *const *defines, const struct clang_work *w,
                    enum clang_output kind, struct tandem_error *err) {
  struct clang_command c = {.n = 0};
  pid_t pid;
  int end;
  clang_command_build(&c, defines, opencl_libclc(), w, kind);
  if (c.n == CLANG_ARGUMENTS)
    return too_many(path, err);
  const int status = start(&c, w->log[0], &pid);
  if (status != 0)
    return cannot_start(path, status, err);
  (void)process_end(pid, true, &end);
  return end == 0 ? 0 : report(path, w->log[0], w->dir, end, err);
}

/* The PTX, and the IR in another process meanwhile. */
static int run_clang(const char *path, const char *const *defines, const struct clang_work *w,
                     struct tandem_error *err) {
  const char *libclc = opencl_libclc();
  if (!libclc)
    return tandem_fail(err, -ENOENT,
                       "%s: nvptx--nvidiacl.bc is not found; install the package libclc-14", path);
  struct clang_command ptx = {.n = 0}, ir = {.n = 0};
  clang_command_build(&ptx, defines, libclc, w, CLANG_PTX);
  clang_command_build(&ir, defines, libclc, w, CLANG_IR);
  if (ptx.n == CLANG_ARGUMENTS || ir.n == CLANG_ARGUMENTS)
    return too_many(path, err);
  pid_t pid[2];
  int status = start(&ptx, w->log[0], &pid[0]);
  if (status != 0)
    return cannot_start(path, status, err);
  int end[2] = {-1, -1};
  const int second = start(&ir, w->log[1], &pid[1]);
  if (second == 0)
    (void)process_end(pid[1], true, &end[1]);
  (void)process_end(pid[0], true, &end[0]);
  for (unsigned i = 0; i < (second == 0 ? 2U : 1U); i++)
    if (end[i] != 0)
      return report(path, w->log[i], w->dir, end[i], err);
  return second == 0 ? 0 : cannot_start(path, second, err);
}

/* ---- the public functions ---- */

static int unreadable(const char *path, int status, struct tandem_error *err) {
  return tandem_fail(err, status, "%s: clang's output cannot be read: %s", path, strerror(-status));
}

/* Output of clang for a source. */
struct made {
  char *ptx, *ir;
  struct opencl_lines lines; /* of the PTX */
};

static void free_made(struct made *m) {
  free(m->ptx);
  free(m->ir);
  opencl_lines_free(&m->lines);
  *m = (struct made){0};
}

static int read_output(const char *path, const char *file, char **text, struct tandem_error *err) {
  size_t n;
  const int status = input_read(file, CLANG_MOST, text, &n, NULL);
  return status == 0 ? 0 : unreadable(path, status, err);
}

/* Compiles the IR once more, mended (mend.h). */
static int compile_ir(const char *path, const char *const *defines, const struct clang_work *w,
                      const char *ir, char **ptx, struct tandem_error *err) {
  int status = write_file(w->optimised, ir, strlen(ir), err);
  if (status == 0)
    status = run_once(path, defines, w, CLANG_PTX_OF_IR, err);
  free(*ptx);
  *ptx = NULL;
  return status != 0 ? status : read_output(path, w->ptx, ptx, err);
}

/* The optimised IR, in the place of another. */
static int optimise(const char *path, const char *const *defines, const struct clang_work *w,
                    enum clang_output kind, char **ir, struct tandem_error *err) {
  const int status = run_once(path, defines, w, kind, err);
  free(*ir);
  *ir = NULL;
  return status != 0 ? status : read_output(path, w->optimised, ir, err);
}

/* Mends what the IR tells right and the PTX wrong. */
static int mend_from_ir(const char *path, const char *const *defines, const struct clang_work *w,
                        const struct made *m, char **ptx, struct tandem_error *err) {
  const bool gaps = w->cuda ? strstr(*ptx, "] = {") != NULL : opencl_has_gaps(m->ir);
  if (!gaps && !opencl_may_convert_bits(*ptx) && !opencl_may_forget_space(*ptx) &&
      !opencl_may_split_bytes(*ptx))
    return 0;
  char *ir = NULL;
  int status = optimise(path, defines, w, CLANG_OPTIMISED, &ir, err);
  const bool split = status == 0 && opencl_splits_bytes(ir);
  if (split)
    status = optimise(path, defines, w, CLANG_UNSPLIT, &ir, err);
  char *mended = status == 0 ? opencl_mend_ir(ir) : NULL;
  if (status == 0 && mended == NULL)
    status = tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  if (status == 0 && (split || strcmp(mended, ir) != 0))
    status = compile_ir(path, defines, w, mended, ptx, err);
  if (status == 0)
    status = opencl_fill_gaps(path, ir, ptx, err);
  free(mended);
  free(ir);
  return status;
}

/* clang's PTX, mended and without its line tables. */
static int read_ptx(const char *path, const char *const *defines, const struct clang_work *w,
                    struct made *m, struct tandem_error *err) {
  char *text = NULL, *mended = NULL;
  int status = read_output(path, w->ptx, &text, err);
  if (status == 0)
    status = mend_from_ir(path, defines, w, m, &text, err);
  if (status == 0 && (!(mended = opencl_mend_ptx(text)) ||
                      !(m->ptx = opencl_take_lines(mended, w->source, path, w->dir, &m->lines))))
    status = unreadable(path, -ENOMEM, err);
  free(mended);
  free(text);
  return status;
}

/* Calls `each` with the files of clang's rule for make, less those of the folder of work. */
static int read_rule(const struct clang_work *w, void (*each)(void *user, const char *path),
                     void *user, struct tandem_error *err) {
  char *rule, *path = NULL;
  if (access(w->headers, R_OK) != 0)
    return 0; /* a trusted option has it written elsewhere */
  int status = input_text(w->headers, &rule, err);
  if (status == 0 && (path = malloc(strlen(rule) + 1)) == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  const char *from = status == 0 ? strstr(rule, ": ") : NULL; /* behind a name of ours */
  while (from != NULL && *from != '\0') {
    size_t n = 0;
    for (from++; *from == ' ' || *from == '\n' || strncmp(from, "\\\n", 2) == 0; from++)
      continue;
    for (; *from != '\0' && *from != ' ' && *from != '\n'; from++) {
      from +=
          (*from == '\\' && (from[1] == ' ' || from[1] == '#')) || (*from == '$' && from[1] == '$');
      path[n++] = *from;
    }
    path[n] = '\0';
    if (n > 0 && strncmp(path, w->dir, strlen(w->dir)) != 0)
      each(user, path);
  }
  free(path);
  free(rule);
  return status;
}

/* The source and its headers are inputs of this program. */
struct noted {
  int status;
  struct tandem_error *err;
};

static void note(void *user, const char *path) {
  struct noted *n = user;
  if (n->status == 0)
    n->status = input_note(path, n->err);
}

static int note_headers(const struct clang_work *w, struct tandem_error *err) {
  struct noted n = {0, err};
  const int status = read_rule(w, note, &n, err);
  return status != 0 ? status : n.status;
}

/* Refuses the language that clang has and its target's library has not. */
static int check_options(const char *path, const char *const *options, struct tandem_error *err) {
  for (size_t i = 0; options != NULL && options[i] != NULL; i++)
    if (strncasecmp(options[i], "-cl-std=clc++", 13) == 0)
      return tandem_fail(err, -EINVAL,
                         "%s: %s: C++ for OpenCL is not supported; use CL1.0 to CL3.0", path,
                         options[i]);
  return 0;
}

/* The folder of work for a source, with the files that clang reads beside it.  After an error, too,
 * the caller closes it. */
static int begin(struct clang_work *w, const char *path, const char *const *options,
                 struct tandem_error *err) {
  *w = (struct clang_work){.cuda = ends_in(path, ".cu")};
  struct stat st;
  const bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
  const int why = folder ? EISDIR : access(path, R_OK) != 0 ? errno : 0;
  int status = why != 0 ? tandem_fail(err, -why, "cannot read %s: %s", path, strerror(why))
                        : check_options(path, options, err);
  if (status == 0)
    status = open_work(w, err);
  if (status == 0 &&
      asprintf(&w->source, "%s%s", *path == '-' || *path == '@' ? "./" : "", path) < 0) {
    w->source = NULL;
    status = tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  }
  return status != 0 ? status : write_ours(w, err);
}

static void close_work(struct clang_work *w) {
  free(w->source);
  scratch_drop(w->dir);
}

static int compile(const char *path, const char *const *defines, struct made *m,
                   struct tandem_error *err) {
  struct clang_work w;
  int status = begin(&w, path, defines, err);
  if (status == 0)
    status =
        w.cuda ? run_once(path, defines, &w, CLANG_PTX, err) : run_clang(path, defines, &w, err);
  if (status == 0)
    status = note_headers(&w, err);
  if (status == 0 && !w.cuda && (status = read_output(path, w.ir, &m->ir, err)) == 0)
    status = opencl_check_arguments(path, m->ir, err);
  if (status == 0)
    status = read_ptx(path, defines, &w, m, err);
  close_work(&w);
  return status;
}

int opencl_inputs(const char *path, const char *const *defines,
                  void (*each)(void *user, const char *path), void *user,
                  struct tandem_error *err) {
  struct clang_work w;
  struct clang_command c = {.n = 0};
  pid_t pid;
  int status = begin(&w, path, defines, err);
  if (status == 0) {
    clang_command_build(&c, defines, NULL, &w, CLANG_INPUTS);
    status = start(&c, w.log[0], &pid);
    if (status != 0)
      status = cannot_start(path, status, err);
    else if (process_end_within(pid, INPUTS_SECONDS, &status) != 1 || WIFSIGNALED(status))
      status = tandem_fail(err, -EIO,
                           "%s: clang was ended while it read the headers, or took more than %d s "
                           "for them; none may be a pipe",
                           path, INPUTS_SECONDS);
    else if (status != 0)
      status = report(path, w.log[0], w.dir, status, err);
  }
  if (status == 0)
    status = read_rule(&w, each, user, err);
  close_work(&w);
  return status;
}

int opencl_to_ptx(const char *path, const char *const *defines, char **ptx,
                  struct tandem_error *err) {
  struct made m = {0};
  int status = compile(path, defines, &m, err);
  *ptx = NULL;
  if (status == 0) {
    *ptx = m.ptx;
    m.ptx = NULL;
  }
  free_made(&m);
  return status;
}

/* Writes the PTX to the folder that the options name. */
static int keep(const char *path, const struct made *m, const char *folder,
                struct tandem_error *err) {
  const char *slash = strrchr(path, '/');
  char *name;
  if (asprintf(&name, "%s/%s.ptx", folder, slash != NULL ? slash + 1 : path) < 0)
    return tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  FILE *f = fopen(name, "w");
  int status = f != NULL ? opencl_write_ptx(m->ptx, &m->lines, f) : -errno;
  if (f != NULL && fclose(f) != 0 && status == 0)
    status = -errno;
  if (status != 0)
    tandem_fail(err, status, "%s: the PTX cannot be written: %s", name, strerror(-status));
  free(name);
  return status;
}

/* Lines, in messages and in the program, become those of the source. */
static int translate(const char *path, const struct made *m, const struct ptx_options *opt,
                     struct isa_program **p, struct tandem_error *err) {
  char *name;
  if (asprintf(&name, "%s.ptx", path) < 0)
    return tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  int status = ptx_translate(m->ptx, name, opt, p, err);
  if (status != 0 && err != NULL) {
    opencl_place_message(&m->lines, name, path, err);
    if (m->ir != NULL)
      opencl_explain(path, m->ptx, m->ir, err);
  }
  free(name);
  if (status == 0 && (opencl_place_lines(*p, &m->lines) != 0 ||
                      (m->ir != NULL && opencl_describe(*p, m->ir) != 0))) {
    isa_program_free(*p);
    *p = NULL;
    status = tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  }
  return status;
}

int opencl_compile(const char *path, const char *const *defines, const struct ptx_options *opt,
                   struct isa_program **p, struct tandem_error *err) {
  struct made m = {0};
  *p = NULL;
  int status = compile(path, defines, &m, err);
  if (status == 0 && opt != NULL && opt->keep != NULL)
    status = keep(path, &m, opt->keep, err);
  if (status == 0)
    status = translate(path, &m, opt, p, err);
  free_made(&m);
  return status;
}

int isa_program_load(const char *path, const char *const *defines, const struct ptx_options *opt,
                     struct isa_program **p, struct tandem_error *err) {
  *p = NULL;
  if (ends_in(path, ".cl") || ends_in(path, ".cu"))
    return opencl_compile(path, defines, opt, p, err);
  if (ends_in(path, ".img"))
    return isa_image_read(path, p, err);
  bool ptx = ends_in(path, ".ptx");
  if (!ptx && !ends_in(path, ".s"))
    return tandem_fail(err, -EINVAL, "%s: the name must end in .cl, .cu, .ptx, .s or .img", path);
  char *text;
  int status = input_text(path, &text, err);
  if (status != 0)
    return status;
  status = ptx ? ptx_translate(text, path, opt, p, err) : isa_assemble(text, path, p, err);
  free(text);
  if (status == 0 && (*p)->nkernels == 0) {
    isa_program_free(*p);
    *p = NULL;
    status = tandem_fail(err, -EINVAL, "%s: there is no kernel (.kernel) in this file", path);
  }
  return status;
}
