/* Waveforms of a run, and the report of its failure.  It stands above the GPU, which calls none of
 * it. */
#ifndef TANDEM_GPU_REPORT_H
#define TANDEM_GPU_REPORT_H

#include "harness/gpu/core/gpu.h"

/* trace.c: whether the waveforms that a configuration asks for make sense.  0 or a negative errno.
 */
int trace_check(const struct tandem_config *c, struct tandem_error *err);
/* Claims the files of a GPU's waveforms, and has them opened in their first cycle and ended after
 * their last.  0 or a negative errno. */
int trace_claim(struct tandem *t, struct tandem_error *err);
/* Ends the waveforms that are open.  0 or a negative errno. */
int trace_end(struct tandem *t, struct tandem_error *err);

/* Writes the source line of a PC, "k.cl:12"; false, and "", if it is not known. */
bool report_source(const struct tandem *t, uint32_t pc, char *text, size_t size);
/* Describes t->end.failure in t->end.reason, the sentence that matters first, and in
 * t->end.failed. */
void report_reason(struct tandem *t);
/* view.c: writes a save file of GTKWave beside a waveform W.fst, W.gtkw: clocks, ports, and the
 * registers of the part whose state differs, each a signal of the waveform; a marker is at the
 * first difference.  False, and *path is "": it could not. */
bool view_write(const struct tandem *t, const char *fst, char *path, size_t size);
/* The unit to look at after a failure. */
const struct unit *report_unit(const struct tandem *t);
/* Writes t->end.report, with the history of the second run (NULL: none), the waveform's name ("":
 * none) and why there is none ("": none was wanted). */
void report_write(struct tandem *t, struct tandem *again, const char *waveform,
                  const char *no_waveform);

/* pin.c: brings a GPU whose RTL has followed back to the cycle of the failure. */
void repeat_failure(struct tandem *t);
/* Runs again, if that may show more, to find the failure's first cycle; writes the report.
 */
void pin_failure(struct tandem *t);

#endif
