/* The shadow of the communication buffers: what each word must be, kept from the events alone that
 * any engine's buffers show, by none of their rules about when a buffer is handed over.
 *
 * Tiles of a link are numbered from 0 in a kernel.  The producer writes tile p, p being the posts
 * that were answered; the consumer reads the tile before the number of its own answered posts.
 * Tile t lies in buffer t mod 2.  In global mode both sides count swaps instead of answers.
 */
#ifndef TANDEM_MEM_CB_H
#define TANDEM_MEM_CB_H

#include "csim/mem/cb_port.h"

enum cb_pairing { CB_RENDEZVOUS, CB_DECOUPLED, CB_GLOBAL };

/* The two ends of a link, as a set. */
enum cb_end { CB_PRODUCER = 1, CB_CONSUMER = 2 };

enum cb_verdict {
  CB_GOOD,
  CB_ORDER,       /* posts and answers that cannot follow each other, or an access between them */
  CB_STALE,       /* a read finds another tile than its reader is at */
  CB_OVERWRITTEN, /* a write hits the tile that the reader still has */
  CB_LOST,        /* a tile that its reader never got is overwritten, or left at the end */
  CB_VALUE        /* a word is of the right tile and not what was written */
};

/* Who accesses a link. */
struct cb_user {
  const char *unit; /* for the text of an error */
  uint32_t pass;
  bool exempt; /* a virtual interface unit in global mode: it may read tiles of any age */
};

struct cb_shadow;

/* NULL: err tells.  Words of a buffer as in sm_mem_cb, by four. */
struct cb_shadow *cb_shadow_create(unsigned links, uint32_t words, struct tandem_error *err);
void cb_shadow_destroy(struct cb_shadow *s);
/* The link's name in texts, as "H(1, 2)"; cut to 23 characters. */
void cb_shadow_name(struct cb_shadow *s, unsigned link, const char *name);

/* A kernel starts: no tile was written. */
void cb_shadow_begin(struct cb_shadow *s, enum cb_pairing pairing);

/* The functions below return CB_GOOD, or what is wrong, with a text in *err. */

/* Ends that post in a cycle; ends whose post is answered in a cycle (modes other than global); the
 * exchange of all links (global mode). */
enum cb_verdict cb_shadow_post(struct cb_shadow *s, unsigned link, unsigned ends,
                               struct tandem_error *err);
enum cb_verdict cb_shadow_done(struct cb_shadow *s, unsigned link, unsigned ends,
                               struct tandem_error *err);
void cb_shadow_swap(struct cb_shadow *s);

/* A pass of the producer; a pass of the consumer in its own cycle, and its data when they come (the
 * oldest pass of the link whose data have not). */
enum cb_verdict cb_shadow_write(struct cb_shadow *s, unsigned link, const struct cb_user *user,
                                const struct cb_pass *pass, struct tandem_error *err);
enum cb_verdict cb_shadow_read(struct cb_shadow *s, unsigned link, const struct cb_user *user,
                               const struct cb_pass *pass, struct tandem_error *err);
enum cb_verdict cb_shadow_data(struct cb_shadow *s, unsigned link, const uint32_t data[CB_BANKS],
                               struct tandem_error *err);

/* Tiles that the consumer of the link has got. */
uint32_t cb_shadow_tiles(const struct cb_shadow *s, unsigned link);
/* The kernel has ended: every tile that was posted has been got (modes other than global). */
enum cb_verdict cb_shadow_end(const struct cb_shadow *s, struct tandem_error *err);

#endif
