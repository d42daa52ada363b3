/* Schemes of cross-SM resource sharing, and each SM's role in them, by its place in a cluster.
 *
 * Source: A. Dhar and D. Chen, Efficient GPGPU Computing with Cross-Core Resource Sharing and Core
 * Reconfiguration, sections IV and V; that the middle SM of a trio lends is our decision: only it
 * has two neighbours.  The functions depend on their arguments alone. */
#ifndef TANDEM_GPU_FLEX_SCHEME_H
#define TANDEM_GPU_FLEX_SCHEME_H

#include <stdbool.h>
#include <stdint.h>

/* The numbers of the first five are the modes of the hardware. */
enum flex_scheme {
  FLEX_BASE,      /* each SM for itself */
  FLEX_OCC,       /* pairs: contexts, registers and memory are lent */
  FLEX_BAL,       /* trios: half of these to either side */
  FLEX_BIGSM,     /* pairs: registers, lanes and memory; warps of 64 threads */
  FLEX_BIGSM_OCC, /* the same, and contexts */
  FLEX_AUTO,      /* chosen for each launch */
  FLEX_SCHEMES = FLEX_AUTO
};

/* Returns the word of the configuration for a scheme, "auto" included. */
const char *flex_name(enum flex_scheme scheme);

enum {
  FLEX_MEMBERS = 6 /* of a cluster, at most */,
  FLEX_BANKS = 2 /* of an SM, each can be lent */
};

/* A neighbour, seen from a member. */
enum flex_side { FLEX_OWN, FLEX_LEFT, FLEX_RIGHT };

/* The role of a member. */
struct flex_role {
  bool active;                      /* has warps */
  enum flex_side from;              /* whom it borrows from, FLEX_OWN: nobody */
  enum flex_side owner[FLEX_BANKS]; /* who uses its banks of contexts, registers and memory */
};
struct flex_role flex_role(enum flex_scheme scheme, unsigned member);

/* Returns the member that this one borrows from, -1: none. */
int flex_lender(enum flex_scheme scheme, unsigned member);

/* Returns the set of active members of a cluster of `members`, 2 or 6. */
unsigned flex_active(enum flex_scheme scheme, unsigned members);

/* Returns true if a warp of the scheme has 64 threads. */
static inline bool flex_wide(enum flex_scheme scheme) {
  return scheme == FLEX_BIGSM || scheme == FLEX_BIGSM_OCC;
}

/* Domains of power, in the order of the port `power` of flex_control. */
enum flex_domain {
  FLEX_FE,   /* fetch to issue */
  FLEX_CTX,  /* instruction buffers and SIMT stacks */
  FLEX_RF,   /* registers and collectors */
  FLEX_SIMD, /* SP and SFU */
  FLEX_MEM,  /* shared memory and L1D */
  FLEX_LSU,  /* load-store unit and network port */
  FLEX_MISC, /* texture and constant caches, the rest */
  FLEX_DOMAINS
};

/* Returns the set of a member's domains that have power.  own_memory: Occ and Bal do not borrow
 * shared memory and L1D. */
unsigned flex_power(enum flex_scheme scheme, bool own_memory, unsigned member);

#endif
