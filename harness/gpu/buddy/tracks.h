/* The tracks of clusters in a timeline (struct feature_tracks). */
#ifndef TANDEM_GPU_BUDDY_TRACKS_H
#define TANDEM_GPU_BUDDY_TRACKS_H

#include "harness/gpu/buddy/buddy.h"

void *buddy_tracks_open(struct tandem *t, struct timeline *l);
void buddy_tracks_look(struct tandem *t, struct timeline *l, void *own);

#endif
