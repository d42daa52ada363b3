/* The tracks of clusters that share resources in a timeline (struct feature_tracks). */
#ifndef TANDEM_GPU_FLEX_TRACKS_H
#define TANDEM_GPU_FLEX_TRACKS_H

#include "harness/gpu/flex/flex.h"

void *flex_tracks_open(struct tandem *t, struct timeline *l);
void flex_tracks_look(struct tandem *t, struct timeline *l, void *own);

#endif
