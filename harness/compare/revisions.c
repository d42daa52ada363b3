/* Revisions: their names, the hash of their contents, and copies of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "harness/compare/git.h"
#include "harness/compare/kept.h"

/* The parts of the sources that the program is built of, the last one that of the programs of tests
 * alone.  RTL is not among them: models are made of it. */
static const char *const built_of[] = {"CMakeLists.txt", "cmake", "csim", "gpus",
                                       "harness",        "synth", "tests"};
enum { TEXTS = sizeof built_of / sizeof built_of[0] };

struct finding {
  const struct compare_places *at;
  struct compare_side *side;
  struct git git; /* in the folder of the sources */
  char index[COMPARE_PATH], objects[COMPARE_PATH];
};

/* Adds new files to the index.  A repository in the folder, whose name ends with a slash, is none
 * of the sources. */
static int add_new(struct git *own, struct tandem_error *err) {
  static const char *const list[] = {"ls-files", "--others", "--exclude-standard", NULL};
  char path[COMPARE_PATH], option[COMPARE_PATH], *names = NULL, *rest;
  TRY(git_run(own, list, &names, err));
  snprintf(path, sizeof path, "%.4000s/new", own->scratch);
  snprintf(option, sizeof option, "--pathspec-from-file=%.4000s", path);
  FILE *out = fopen(path, "we");
  size_t n = 0;
  for (char *line = strtok_r(names, "\n", &rest); out != NULL && line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    const size_t length = strlen(line) - (line[strlen(line) - 1] == '"');
    if (line[length - 1] != '/')
      n += fprintf(out, "%s\n", line) > 0;
  }
  free(names);
  if (out == NULL || fclose(out) != 0)
    return tandem_fail(err, -errno, "cannot write %s: %s", path, strerror(errno));
  const char *const add[] = {"--literal-pathspecs", "add", option, NULL};
  return n != 0 ? git_run(own, add, NULL, err) : 0;
}

/* The contents of the files as they are, with new ones and without those that git ignores.  New
 * objects are in a folder for a while. */
static int tree_of_files(struct finding *f, char **tree, struct tandem_error *err) {
  static const char *const head[] = {"read-tree", "HEAD", NULL},
                           *const update[] = {"add", "--update", ".", NULL},
                           *const write[] = {"write-tree", NULL};
  struct git own = f->git;
  own.index = f->index;
  TRY(git_run(&own, head, NULL, err));
  TRY(git_run(&own, update, NULL, err));
  TRY(add_new(&own, err));
  return git_run(&own, write, tree, err);
}

/* The contents of the sources' folder in a commit or a tree. */
static int tree_below(struct finding *f, const char *of, struct tandem_error *err) {
  char place[COMPARE_PATH], *text = NULL;
  snprintf(place, sizeof place, "%s:./", of);
  const char *const words[] = {"rev-parse", "--verify", "--end-of-options", place, NULL};
  TRY(git_run(&f->git, words, &text, err));
  snprintf(f->side->tree, sizeof f->side->tree, "%s", text);
  free(text);
  return 0;
}

static int find_files(struct finding *f, struct tandem_error *err) {
  struct compare_side *s = f->side;
  char *whole = NULL;
  TRY(tree_of_files(f, &whole, err));
  const int status = tree_below(f, whole, err);
  free(whole);
  experiment_revision_of(f->at->root, &s->revision);
  snprintf(s->name, sizeof s->name, "the tree (%.8s)", s->tree);
  return status;
}

static int find_commit(struct finding *f, const char *name, struct tandem_error *err) {
  struct compare_side *s = f->side;
  struct tandem_error why;
  char wanted[COMPARE_PATH], *commit = NULL;
  snprintf(wanted, sizeof wanted, "%s^{commit}", name);
  const char *const words[] = {"rev-parse", "--verify", "--end-of-options", wanted, NULL};
  if (git_run(&f->git, words, &commit, &why) != 0)
    return tandem_fail(err, -ENOENT, "there is no revision \"%s\" in %s (%s)", name, f->at->root,
                       why.text);
  experiment_revision_of(f->at->root, &s->revision);
  snprintf(s->revision.text, sizeof s->revision.text, "%s", commit);
  s->revision.clean = true;
  snprintf(s->name, sizeof s->name, "%.200s (%.8s)", name, commit);
  const int status = tree_below(f, commit, err);
  free(commit);
  return status;
}

/* Adds the names and contents of files of the side below a path, with this ending. */
static int hash_files(struct finding *f, const char *path, const char *ending, struct hash *h,
                      struct tandem_error *err) {
  const char *const words[] = {"ls-tree", "-r", "--full-tree", f->side->tree, "--", path, NULL};
  char *list = NULL, *rest;
  TRY(git_run(&f->git, words, &list, err));
  for (char *line = strtok_r(list, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    const size_t n = strlen(line), k = strlen(ending);
    if (n > k && strcmp(line + n - k, ending) == 0)
      hash_text(h, line);
  }
  free(list);
  return 0;
}

/* Hashes of all that programs are built of. */
static int hash_texts(struct finding *f, struct tandem_error *err) {
  struct hash h;
  hash_start(&h);
  TRY(hash_files(f, "rtl", ".def", &h, err)); /* tables that C reads, too */
  for (size_t i = 0; i < TEXTS; i++) {
    if (i + 1 == TEXTS)
      hash_end(&h, f->side->texts);
    TRY(hash_files(f, built_of[i], "", &h, err));
  }
  hash_end(&h, f->side->tests);
  return 0;
}

/* Fills a new folder with the contents of the side's tree. */
static int check_out(struct finding *f, char *folder, struct tandem_error *err) {
  static const char *const where[] = {"rev-parse", "--absolute-git-dir", NULL},
                           *const out[] = {"checkout-index", "--all", NULL};
  const char *const read[] = {"read-tree", f->side->tree, NULL};
  char *directory = NULL;
  TRY(git_run(&f->git, where, &directory, err));
  struct git copy = f->git;
  copy.folder = copy.tree = folder;
  copy.index = f->index;
  copy.directory = directory;
  int status = git_run(&copy, read, NULL, err);
  if (status == 0)
    status = git_run(&copy, out, NULL, err);
  free(directory);
  return status;
}

/* The copy of the side's sources, unless it is there. */
static int copy(struct finding *f, struct tandem_error *err) {
  struct compare_side *s = f->side;
  char *part;
  snprintf(s->root, sizeof s->root, "%.2000s/compare/trees/%s", f->at->build, s->tree);
  compare_kept_use(s->root);
  if (access(s->root, R_OK) == 0)
    return 0;
  int status = scratch_folder(s->root, &part);
  if (status != 0)
    return tandem_fail(err, status, "cannot make a folder beside %s: %s", s->root,
                       strerror(-status));
  if ((status = check_out(f, part, err)) != 0) {
    scratch_drop(part);
    return status;
  }
  status = scratch_become(part, s->root);
  return status == 0 || access(s->root, R_OK) == 0
             ? 0
             : tandem_fail(err, status, "cannot make %s: %s", s->root, strerror(-status));
}

/* New objects go to the folder for a while, not to the repository. */
static int own_objects(struct finding *f, char **others, struct tandem_error *err) {
  static const char *const where[] = {"rev-parse", "--path-format=absolute", "--git-path",
                                      "objects", NULL};
  char *path = NULL;
  TRY(git_run(&f->git, where, &path, err));
  *others = git_quoted(path);
  free(path);
  snprintf(f->objects, sizeof f->objects, "%.4000s/objects", f->git.scratch);
  TRY(files_folder(f->objects, err));
  f->git.objects = f->objects;
  f->git.others = *others;
  return *others != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}

static int find(struct finding *f, const char *name, struct tandem_error *err) {
  static const char *const inside[] = {"rev-parse", "--verify", "HEAD", NULL};
  struct tandem_error why;
  int status = git_run(&f->git, inside, NULL, &why);
  if (status == -ENOEXEC)
    return tandem_fail(err, status, "%s", why.text);
  if (status != 0)
    return tandem_fail(err, -ENOENT,
                       "%s has no revisions to compare: a clone of Tandem's git repository is "
                       "needed (%s)",
                       f->at->root, why.text);
  char *others = NULL;
  status = own_objects(f, &others, err);
  if (status == 0)
    status = name == NULL ? find_files(f, err) : find_commit(f, name, err);
  if (status == 0)
    status = hash_texts(f, err);
  if (status == 0)
    status = copy(f, err);
  free(others);
  return status;
}

int compare_find(const struct compare_places *at, const char *name, struct compare_side *s,
                 struct tandem_error *err) {
  struct finding f = {.at = at, .side = s};
  char trees[COMPARE_PATH], *scratch;
  *s = (struct compare_side){.failure = NULL};
  snprintf(trees, sizeof trees, "%.2000s/compare/trees", at->build);
  TRY(files_folder(trees, err));
  int status = scratch_folder(trees, &scratch);
  if (status != 0)
    return tandem_fail(err, status, "cannot make a folder beside %s: %s", trees, strerror(-status));
  snprintf(f.index, sizeof f.index, "%.4000s/index", scratch);
  f.git = (struct git){.folder = at->root, .scratch = scratch};
  status = find(&f, name, err);
  scratch_drop(scratch);
  return status;
}

void compare_side_free(struct compare_side *s) {
  free(s->failure);
  s->failure = NULL;
}
