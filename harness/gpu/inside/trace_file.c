/* The file of a timeline.  It is a list in JSON with one event a line.  Readers of the format
 * accept a list without its end, and a compressed file is written as members of gzip, each of which
 * is complete: after each block of events the file is one that viewers open. */
#include "harness/gpu/inside/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/error.h"
#include "csim/util/gzip.h"

enum { BLOCK = 1 << 17 /* bytes of events that are written together */ };

static bool begin_block(struct trace_file *f) {
  f->block = open_memstream(&f->text, &f->size);
  return f->block != NULL;
}

int trace_file_open(struct trace_file *f, const char *path, struct tandem_error *err) {
  const size_t n = strlen(path);
  *f = (struct trace_file){.compressed = n > 3 && strcmp(path + n - 3, ".gz") == 0};
  TRY(output_claim(&f->claim, path, err));
  if (begin_block(f))
    return 0;
  output_release(&f->claim);
  return tandem_fail(err, -ENOMEM, "out of memory for a timeline");
}

/* Writes the block and begins the next one. */
static bool write_block(struct trace_file *f) {
  if (fclose(f->block) != 0) {
    f->block = NULL;
    return false;
  }
  f->block = NULL;
  if (f->out == NULL)
    f->out = fopen(f->claim.path, "we");
  bool good = f->out != NULL;
  if (good && f->compressed)
    good = gzip_write(f->out, f->text, f->size) == 0;
  else if (good)
    good = fwrite(f->text, 1, f->size, f->out) == f->size;
  good = good && fflush(f->out) == 0;
  const int error = errno;
  free(f->text);
  f->text = NULL;
  good = begin_block(f) && good;
  errno = error;
  return good;
}

int trace_file_flush(struct trace_file *f, bool all, struct tandem_error *err) {
  if (f->block == NULL)
    return tandem_fail(err, -EIO, "cannot write %s", f->claim.path);
  if (!all && ftello(f->block) < BLOCK)
    return 0;
  errno = EIO;
  if (write_block(f))
    return 0;
  return tandem_fail(err, -EIO, "cannot write %s: %s", f->claim.path, strerror(errno));
}

int trace_file_finish(struct trace_file *f, struct tandem_error *err) {
  if (f->block != NULL)
    fputs(f->out == NULL && ftello(f->block) == 0 ? "[\n]\n" : "\n]\n", f->block);
  TRY(trace_file_flush(f, true, err));
  const int error = fclose(f->out) != 0 ? errno : 0;
  f->out = NULL;
  return error == 0
             ? 0
             : tandem_fail(err, -error, "cannot write %s: %s", f->claim.path, strerror(error));
}

void trace_file_close(struct trace_file *f) {
  if (f->block != NULL)
    fclose(f->block);
  if (f->out != NULL)
    fclose(f->out);
  free(f->text);
  output_release(&f->claim);
  *f = (struct trace_file){.out = NULL};
}

/* Prints a text of JSON. */
static void put_text(FILE *out, const char *text) {
  putc('"', out);
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else
      putc((unsigned char)*text < ' ' ? ' ' : *text, out);
  putc('"', out);
}

static void put_details(FILE *out, const struct trace_event *e) {
  switch (e->phase) {
  case 'C':
    fprintf(out, ",\"args\":{\"value\":%" PRIu64 "}", e->value);
    break;
  case 'M':
    fputs(",\"args\":{\"name\":", out);
    put_text(out, e->text);
    putc('}', out);
    break;
  case 's':
  case 'f':
    fprintf(out, ",\"cat\":\"arrow\",\"id\":%" PRIu64 "%s", e->id,
            e->phase == 'f' ? ",\"bp\":\"e\"" : "");
    break;
  case 'i':
    fputs(",\"s\":\"t\"", out);
    break;
  default:
    break;
  }
}

void trace_file_put(struct trace_file *f, const struct trace_event *e) {
  if (f->block == NULL)
    return;
  const bool first = f->out == NULL && ftello(f->block) == 0;
  fprintf(f->block, "%s{\"ph\":\"%c\",\"pid\":%u", first ? "[\n" : ",\n", e->phase, e->place.group);
  if (e->place.track != 0)
    fprintf(f->block, ",\"tid\":%u", e->place.track);
  if (e->phase != 'M')
    fprintf(f->block, ",\"ts\":%" PRIu64, e->cycle);
  if (e->name != NULL) {
    fputs(",\"name\":", f->block);
    put_text(f->block, e->name);
  }
  put_details(f->block, e);
  putc('}', f->block);
}
