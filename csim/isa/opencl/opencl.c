/* OpenCL C to programs, and loading by a file's ending.
 *
 * clang 14 compiles for nvptx--nvidiacl with libclc linked in, once to PTX and, side by side, once
 * to LLVM IR without optimisation: only there does it say which address space an argument points
 * to.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/core/program.h"
#include "csim/isa/opencl/opencl.h"
#include "csim/isa/opencl/prelude.h"
#include "csim/isa/opencl/text.h"

extern char **environ;

enum { MAX_ARGS = 128, DIAGNOSTICS = 800 };

/* Files of one compilation, in a folder of their own. */
struct work {
  char dir[256];
  char prelude[280], spu[280], ptx[280], ir[280], log[2][280];
};

/* ---- files ---- */

static char *read_text(const char *path, size_t most, int *status) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    *status = -errno;
    return NULL;
  }
  size_t n = 0, cap = 1 << 16;
  char *text = malloc(cap + 1);
  while (text && n < most) {
    size_t got = fread(text + n, 1, cap - n < most - n ? cap - n : most - n, f);
    if (got == 0)
      break;
    n += got;
    if (n == cap) {
      char *more = realloc(text, 2 * cap + 1);
      if (!more)
        free(text);
      text = more;
      cap *= 2;
    }
  }
  *status = !text ? -ENOMEM : ferror(f) ? -EIO : 0;
  fclose(f);
  if (*status != 0) {
    free(text);
    return NULL;
  }
  text[n] = '\0';
  return text;
}

static void close_work(const struct work *w) {
  unlink(w->prelude);
  unlink(w->spu);
  unlink(w->ptx);
  unlink(w->ir);
  unlink(w->log[0]);
  unlink(w->log[1]);
  rmdir(w->dir);
}

static int open_work(struct work *w, struct tandem_error *err) {
  const char *tmp = getenv("TMPDIR");
  snprintf(w->dir, sizeof w->dir, "%s/tandem-cl-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(w->dir))
    return tandem_fail(err, -errno, "%s: cannot make a temporary folder: %s", w->dir,
                       strerror(errno));
  snprintf(w->prelude, sizeof w->prelude, "%s/prelude.h", w->dir);
  snprintf(w->spu, sizeof w->spu, "%s/spu.h", w->dir);
  snprintf(w->ptx, sizeof w->ptx, "%s/k.ptx", w->dir);
  snprintf(w->ir, sizeof w->ir, "%s/k.ll", w->dir);
  snprintf(w->log[0], sizeof w->log[0], "%s/ptx.log", w->dir);
  snprintf(w->log[1], sizeof w->log[1], "%s/ir.log", w->dir);
  return 0;
}

static int write_texts(const char *path, const char *first, const char *second,
                       struct tandem_error *err) {
  FILE *f = fopen(path, "w");
  bool ok = f && fputs(first, f) >= 0 && fputs(second, f) >= 0;
  if (f && fclose(f) != 0)
    ok = false;
  if (ok)
    return 0;
  int status = errno ? -errno : -EIO;
  return tandem_fail(err, status, "%s: cannot be written: %s", path, strerror(-status));
}

static int write_prelude(const struct work *w, bool more, struct tandem_error *err) {
  return write_texts(w->prelude, opencl_prelude, more ? opencl_prelude_more : "", err);
}

/* ---- running clang ---- */

static const char *find_libclc(void) {
  static const char *const places[] = {"/usr/lib/clc/nvptx--nvidiacl.bc",
                                       "/usr/lib/llvm-14/lib/clc/nvptx--nvidiacl.bc",
                                       "/usr/lib/llvm-14/share/clc/nvptx--nvidiacl.bc",
                                       "/usr/share/clc/nvptx--nvidiacl.bc",
                                       "/usr/local/lib/clc/nvptx--nvidiacl.bc",
                                       "/usr/local/share/clc/nvptx--nvidiacl.bc"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (access(places[i], R_OK) == 0)
      return places[i];
  return NULL;
}

struct command {
  const char *argv[MAX_ARGS + 1];
  size_t n;
};

static void add(struct command *c, const char *arg) {
  if (c->n < MAX_ARGS)
    c->argv[c->n++] = arg;
}

/* clang inlines functions of about a thousand operations at most: nests of larger ones took it
 * minutes.  The translator inlines the calls that are left. */
enum clang_output { PTX, PTX_WITH_MORE, IR };

static void build_command(struct command *c, const char *path, const char *const *defines,
                          const char *libclc, const struct work *w, enum clang_output kind) {
  static const char extensions[] = "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,"
                                   "+cl_khr_int64_extended_atomics";
  static const char *const common[] = {"--target=nvptx--nvidiacl",
                                       "-fno-crash-diagnostics",
                                       "-x",
                                       "cl",
                                       "-cl-std=CL1.2",
                                       "-O2",
                                       "-S",
                                       "-fgnu89-inline",
                                       "-mllvm",
                                       "-inline-threshold=5000",
                                       "-Xclang",
                                       "-finclude-default-header",
                                       "-Xclang",
                                       extensions};
  add(c, ""); /* the program's name, filled in when it runs */
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    add(c, common[i]);
  if (kind == IR) {
    add(c, "-emit-llvm");
    add(c, "-cl-kernel-arg-info");
    add(c, "-gline-tables-only");
    add(c, "-Xclang");
    add(c, "-disable-llvm-passes");
  } else {
    add(c, "-Xclang");
    add(c, "-mlink-builtin-bitcode");
    add(c, "-Xclang");
    add(c, libclc);
  }
  for (size_t i = 0; defines && defines[i]; i++)
    add(c, defines[i]);
  add(c, "-I"); /* behind the folders of the user */
  add(c, w->dir);
  if (kind == PTX_WITH_MORE)
    add(c, "-cl-no-stdinc"); /* the header's declarations as text, which definitions can join */
  add(c, "-include");
  add(c, w->prelude);
  add(c, path);
  add(c, "-o");
  add(c, kind == IR ? w->ir : w->ptx);
}

/* Starts clang-14, or clang; its messages go to the log. */
static int start(struct command *c, const char *log, pid_t *pid) {
  static const char *const names[] = {"clang-14", "clang"};
  posix_spawn_file_actions_t files;
  int status = posix_spawn_file_actions_init(&files);
  if (status != 0)
    return status;
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    c->argv[0] = names[i];
    c->argv[c->n] = NULL;
    status = posix_spawnp(pid, names[i], &files, NULL, (char *const *)c->argv, environ);
    if (status != ENOENT)
      break;
  }
  posix_spawn_file_actions_destroy(&files);
  return status;
}

static bool succeeded(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int report(const char *path, const char *log, struct tandem_error *err) {
  int status;
  char *text = read_text(log, DIAGNOSTICS, &status);
  tandem_fail(err, -EINVAL, "%s: clang does not accept it:\n%s", path,
              text && *text ? text : "(no message)");
  free(text);
  return -EINVAL;
}

/* The PTX, and the IR in another process meanwhile unless it is there already. */
static int run_clang(const char *path, const char *const *defines, const struct work *w, bool again,
                     struct tandem_error *err) {
  const char *libclc = find_libclc();
  if (!libclc)
    return tandem_fail(err, -ENOENT,
                       "%s: nvptx--nvidiacl.bc is not found; install the package libclc-14", path);
  struct command ptx = {.n = 0}, ir = {.n = 0};
  build_command(&ptx, path, defines, libclc, w, again ? PTX_WITH_MORE : PTX);
  build_command(&ir, path, defines, libclc, w, IR);
  if (ptx.n == MAX_ARGS || ir.n == MAX_ARGS)
    return tandem_fail(err, -E2BIG, "%s: too many options for clang", path);
  pid_t pid[2];
  int status = start(&ptx, w->log[0], &pid[0]);
  if (status != 0)
    return tandem_fail(err, -status, "%s: cannot run clang-14 or clang: %s; install clang-14", path,
                       strerror(status));
  bool ok[2] = {false, again};
  if (!again && start(&ir, w->log[1], &pid[1]) == 0)
    ok[1] = succeeded(pid[1]);
  ok[0] = succeeded(pid[0]);
  if (!ok[0])
    return report(path, w->log[0], err);
  return ok[1] ? 0 : report(path, w->log[1], err);
}

/* ---- the public functions ---- */

/* clang's PTX, mended. */
static int read_ptx(const char *path, const struct work *w, char **ptx, struct tandem_error *err) {
  int status;
  char *text = read_text(w->ptx, SIZE_MAX, &status);
  if (text && !(*ptx = opencl_mend_rotations(text)))
    status = -ENOMEM;
  free(text);
  return status == 0 ? 0
                     : tandem_fail(err, status, "%s: clang's output cannot be read: %s", path,
                                   strerror(-status));
}

/* Functions that libclc lacks are many and seldom used: they join the prelude for a source that
 * needs them. */
static int compile(const char *path, const char *const *defines, char **ptx, char **ir,
                   struct tandem_error *err) {
  struct work w;
  int status = open_work(&w, err);
  if (status != 0)
    return status;
  status = write_prelude(&w, false, err);
  if (status == 0)
    status = write_texts(w.spu, opencl_spu_header, "", err);
  if (status == 0)
    status = run_clang(path, defines, &w, false, err);
  if (status == 0)
    status = read_ptx(path, &w, ptx, err);
  if (status == 0 && opencl_lacks_functions(*ptx)) {
    free(*ptx);
    *ptx = NULL;
    status = write_prelude(&w, true, err);
    if (status == 0)
      status = run_clang(path, defines, &w, true, err);
    if (status == 0)
      status = read_ptx(path, &w, ptx, err);
  }
  if (status == 0 && !(*ir = read_text(w.ir, SIZE_MAX, &status)))
    tandem_fail(err, status, "%s: clang's output cannot be read: %s", path, strerror(-status));
  if (status == 0)
    status = opencl_check_arguments(path, *ir, err);
  close_work(&w);
  return status;
}

int opencl_to_ptx(const char *path, const char *const *defines, char **ptx,
                  struct tandem_error *err) {
  char *ir = NULL;
  *ptx = NULL;
  int status = compile(path, defines, ptx, &ir, err);
  free(ir);
  if (status != 0) {
    free(*ptx);
    *ptx = NULL;
  }
  return status;
}

/* Lines, in messages and in the program, are those of the PTX: clang 14 cannot keep the source's
 * lines, its debug information for this target crashes on calls.  The name says so. */
static int translate(const char *path, const char *ptx, const struct ptx_options *opt,
                     struct isa_program **p, struct tandem_error *err) {
  size_t n = strlen(path) + sizeof ".ptx";
  char *name = malloc(n);
  if (!name)
    return tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  snprintf(name, n, "%s.ptx", path);
  int status = ptx_translate(ptx, name, opt, p, err);
  free(name);
  return status;
}

int opencl_compile(const char *path, const char *const *defines, const struct ptx_options *opt,
                   struct isa_program **p, struct tandem_error *err) {
  char *ptx = NULL, *ir = NULL;
  *p = NULL;
  int status = compile(path, defines, &ptx, &ir, err);
  if (status == 0) {
    status = translate(path, ptx, opt, p, err);
    if (status != 0 && err)
      opencl_explain(path, ptx, ir, err);
  }
  if (status == 0 && opencl_describe(*p, ir) != 0) {
    isa_program_free(*p);
    *p = NULL;
    status = tandem_fail(err, -ENOMEM, "%s: out of memory", path);
  }
  free(ptx);
  free(ir);
  return status;
}

static bool ends_in(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

int isa_program_load(const char *path, const char *const *defines, const struct ptx_options *opt,
                     struct isa_program **p, struct tandem_error *err) {
  *p = NULL;
  if (ends_in(path, ".cl"))
    return opencl_compile(path, defines, opt, p, err);
  if (ends_in(path, ".img"))
    return isa_image_read(path, p, err);
  bool ptx = ends_in(path, ".ptx");
  if (!ptx && !ends_in(path, ".s"))
    return tandem_fail(err, -EINVAL, "%s: the name must end in .cl, .ptx, .s or .img", path);
  int status;
  char *text = read_text(path, SIZE_MAX, &status);
  if (!text)
    return tandem_fail(err, status, "%s: %s", path, strerror(-status));
  status = ptx ? ptx_translate(text, path, opt, p, err) : isa_assemble(text, path, p, err);
  free(text);
  return status;
}
