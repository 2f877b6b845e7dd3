/* nodes.h - machines, played on one: so many ranks are a node. */
#ifndef NODES_H
#define NODES_H

/* From here on MPI, the system and the environment tell this rank that it shares its node with `per_node` ranks in
 * all; 0: with all. Call it after MPI_Init. */
void nodes_begin(unsigned int rank, unsigned int ranks, unsigned int per_node);

#endif
