/* The shadow of the communication buffers: the value that each word must have.
 *
 * It follows from the events at the buffers of any engine alone, and not from the engine's rules
 * for handing a buffer over.  Tiles of a link are numbered from 0 in a kernel.  After p answered
 * posts the producer writes tile p; after c answered posts the consumer reads tile c - 1.  Tile t
 * lies in buffer t mod 2.  In global mode both sides count swaps instead of answers.
 */
#ifndef TANDEM_MEM_CB_H
#define TANDEM_MEM_CB_H

#include "csim/mem/cb_port.h"

enum cb_pairing { CB_RENDEZVOUS, CB_DECOUPLED, CB_GLOBAL };

/* The two ends of a link, as a set. */
enum cb_end { CB_PRODUCER = 1, CB_CONSUMER = 2 };

enum cb_verdict {
  CB_GOOD,
  CB_ORDER,       /* posts and answers in a wrong order, or an access while a post is open */
  CB_STALE,       /* a read finds another tile than the reader's */
  CB_OVERWRITTEN, /* a write hits the tile that the reader still has */
  CB_LOST,        /* a tile that its reader never got is overwritten, or left at the end */
  CB_VALUE        /* a word of the right tile has a value that was not written */
};

/* The unit that accesses a link. */
struct cb_user {
  const char *unit; /* its name for messages */
  uint32_t pass;
  bool exempt; /* a virtual interface unit in global mode: it may read tiles of any age */
};

struct cb_shadow;

/* Creates the shadow of `links` links with buffers of `words` words.  NULL with *err if there is no
 * memory. */
struct cb_shadow *cb_shadow_create(unsigned links, uint32_t words, struct tandem_error *err);
void cb_shadow_destroy(struct cb_shadow *s);

/* Sets the link's name for messages, as "H(1, 2)"; cut to 23 characters. */
void cb_shadow_name(struct cb_shadow *s, unsigned link, const char *name);

/* Begins a kernel: no tile was written. */
void cb_shadow_begin(struct cb_shadow *s, enum cb_pairing pairing);

/* The functions below return CB_GOOD, or the kind of error with a message in *err. */

/* Notes the ends that post in a cycle; not in global mode. */
enum cb_verdict cb_shadow_post(struct cb_shadow *s, unsigned link, unsigned ends,
                               struct tandem_error *err);

/* Notes the ends whose post is answered in a cycle; not in global mode. */
enum cb_verdict cb_shadow_done(struct cb_shadow *s, unsigned link, unsigned ends,
                               struct tandem_error *err);

/* Notes the exchange of all links, in global mode. */
void cb_shadow_swap(struct cb_shadow *s);

/* Notes a pass of the producer. */
enum cb_verdict cb_shadow_write(struct cb_shadow *s, unsigned link, const struct cb_user *user,
                                const struct cb_pass *pass, struct tandem_error *err);

/* Notes a pass of the consumer. */
enum cb_verdict cb_shadow_read(struct cb_shadow *s, unsigned link, const struct cb_user *user,
                               const struct cb_pass *pass, struct tandem_error *err);

/* Checks the data of the consumer's oldest pass without data. */
enum cb_verdict cb_shadow_data(struct cb_shadow *s, unsigned link, const uint32_t data[CB_BANKS],
                               struct tandem_error *err);

/* Returns the number of tiles that the consumer of the link has got. */
uint32_t cb_shadow_tiles(const struct cb_shadow *s, unsigned link);

/* Checks at the end of a kernel that each posted tile was taken; not in global mode. */
enum cb_verdict cb_shadow_end(const struct cb_shadow *s, struct tandem_error *err);

#endif
