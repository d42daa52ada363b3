/* A headless Chromium, spoken to over its debugging pipe. */
#ifndef TANDEM_TEST_SYNTH_BROWSER_H
#define TANDEM_TEST_SYNTH_BROWSER_H

#include <jansson.h>

struct browser;

/* NULL: it does not start. */
struct browser *browser_open(void);
void browser_close(struct browser *b);

/* Calls a method of the debugging protocol in the page; parameters are taken over (NULL: none).
 * Returns its result, the caller's; NULL for an error, which is printed on stderr. */
json_t *browser_call(struct browser *b, const char *method, json_t *parameters);
/* Loads a file and waits until it is there. */
int browser_load(struct browser *b, const char *path);
/* Value of a JavaScript expression in the page. */
json_t *browser_eval(struct browser *b, const char *expression);
/* Since loading: what the console said (exceptions and what the page's policy refused among it),
 * and addresses asked for, the page's own among them. */
const json_t *browser_messages(const struct browser *b);
const json_t *browser_requests(const struct browser *b);

#endif
