/* The machine of SMs alone. */
#ifndef TANDEM_GPU_SMS_H
#define TANDEM_GPU_SMS_H

#include "harness/gpu/core/machine.h"

/* Parameters of the RTL of front ends: `others`, with what the configuration changes in all of
 * them. The default has nothing of it, so that a model is the same whoever asks. */
enum { SMS_PARAMETERS = 80 };
void sms_parameters(const struct tandem_config *c, const char *others, char text[SMS_PARAMETERS]);

/* Its functions, for machines whose cells are an SM each. */
int sms_open(struct tandem *t, struct tandem_error *err);
uint64_t sms_back_end(struct tandem *t, struct gpu_sm *s);
bool sms_idle(struct tandem *t, struct cell *c, bool quiet);
bool sms_waiting(const struct gpu_sm *s);
void sms_begin(struct tandem *t);
unsigned sms_cell_sms(const struct tandem_config *c);
bool sms_quiet(struct tandem *t, struct cell *c, bool raised, bool asked);
void sms_ready(struct tandem *t, struct cell *c);
uint64_t sms_leads(const struct tandem *t);

#endif
