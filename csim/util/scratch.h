/* Files and folders that are there for a while.  Nobody can foresee their names, nothing that is
 * there already is opened or followed, and a process that a signal ends leaves none behind, nor
 * processes of its own, once scratch_on_signals was called.  A process that was killed outright
 * leaves no processes either, but its files; a later one that makes some in the same folder removes
 * them. */
#ifndef TANDEM_UTIL_SCRATCH_H
#define TANDEM_UTIL_SCRATCH_H

#include <sys/types.h>

/* A new file in the folder of the path `beside`, NULL: of TMPDIR, or /tmp: its descriptor, or a
 * negative errno.  *path gets its name, allocated; scratch_drop or scratch_become ends it. */
int scratch_file(const char *beside, char **path);
/* A new folder there, that others cannot enter: 0 or a negative errno. */
int scratch_folder(const char *beside, char **path);

/* Gives a file or folder its final name, in the place of a file of that name; frees the path.  0 or
 * a negative errno: it is dropped then. */
int scratch_become(char *path, const char *to);
/* Removes it with all in it, and frees the path; NULL allowed. */
void scratch_drop(char *path);

/* Removes a file, or a folder with all in it; whatever cannot be removed stays. */
void scratch_remove(const char *path);

/* A file of another name that a signal which ends the process removes: from now on, or no longer.
 */
void scratch_add(const char *path);
void scratch_gone(const char *path);

/* A process group that ends with this process: from now on, or no longer. */
void scratch_child(pid_t group);
void scratch_child_gone(pid_t group);

/* From now on a signal that ends the process ends its process groups and removes its files first; a
 * file that grows beyond the limit of the process is an error of its writer.  Called before there
 * are threads. */
void scratch_on_signals(void);

#endif
