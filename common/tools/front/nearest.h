/* nearest.h - which word was meant by one that is misspelt. */
#ifndef NEAREST_H
#define NEAREST_H

/* Of `words`, which end with NULL, the one that differs from `word` by the fewest letters: one
 * more, one less, another, two that changed places; capitals are no difference. NULL when none
 * is near. */
const char *nearest(const char *word, const char *const *words);

#endif
