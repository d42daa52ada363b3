/* The tracks of an SPU in a timeline (struct feature_tracks). */
#ifndef TANDEM_GPU_SPU_TRACKS_H
#define TANDEM_GPU_SPU_TRACKS_H

#include "harness/gpu/feature.h"

void *spu_tracks_open(struct tandem *t, struct timeline *l);
void spu_tracks_look(struct tandem *t, struct timeline *l, void *own);

#endif
