/* uniform.h - what is known of the local variables of a function: see uniform.c. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "passes.h"

/* A parameter or local variable. */
struct variable {
    uint32_t name;
    size_t from, to; /* the tokens where the name means this variable */
    size_t block;    /* the bracket in which it is declared: of a block, of a for */
    bool parameter, varies;
    size_t previous; /* of the same name: its index plus 1, or 0 */
};

/* An assignment: the value is in tokens `first` to `last`, none for ++. It holds
 * from token `from` to token `to`. */
struct assignment {
    size_t variable;
    size_t first, last, from, to;
};

struct body {
    const struct rewriting *rewriting;
    const struct source *source;
    size_t open, close;
    size_t *latest; /* by name: the variable declared last, as `previous` */
    struct variable *variables;
    size_t variable_count, variable_capacity;
    struct assignment *assignments;
    size_t count, capacity;
};

/* The variable that the name at `i` means, or NULL when it is no local one. */
struct variable *find_variable(const struct body *body, size_t i);

bool is_assignment(const struct source *source, size_t i);
/* `++` or `--` */
bool is_step(const struct source *source, size_t i);
/* Whether the name at `i` stands behind a point or an arrow. */
bool is_member(const struct source *source, size_t i);
/* Whether token `i` may end an operand, so that a * after it multiplies. */
bool ends_operand(const struct source *source, size_t i);

/* Whether an expression has the same value in all lanes and loads nothing. */
bool is_uniform_value(const struct body *body, size_t first, size_t last);
/* Whether the address in tokens `first` to `last` is uniform: `array + value`,
 * `&array[value]`, `&variable`, `&structure.array[value]`. */
bool is_uniform_address(const struct body *body, size_t first, size_t last);

#endif
