/* passes.h - the step from CUDA C++ to C++: one walk over the tokens, which keeps
 * track of scopes and hands each construct to the pass that knows it. */
#ifndef PASSES_H
#define PASSES_H

#include "text/edits.h"
#include "text/tokens.h"

enum scope_kind {
    SCOPE_NAMESPACE,
    SCOPE_CLASS,
    SCOPE_FUNCTION,
    SCOPE_BLOCK,
    SCOPE_INITIALIZER /* braces that hold values or enumerators */
};

struct scope {
    enum scope_kind kind;
    size_t open;  /* the brace */
    size_t start; /* the first token of the declaration that it belongs to */
    bool device;  /* in a __global__ or __device__ function */
    bool host;    /* which is __host__, too */
    bool mixed;   /* in a lambda or a member for the device, within a function of the host */
};

/* What is known of a name, from its declaration on. */
enum name_flags {
    NAME_ARRAY = 1,         /* a __shared__ or __device__ array */
    NAME_SCALAR = 2,        /* a __shared__ or __device__ variable that is none */
    NAME_GLOBAL_SHARED = 4, /* a __shared__ variable at namespace scope */
    NAME_EXTERN = 8,        /* a device variable that `extern` declared */
    /* Functions, and other names, for refusals.c: */
    NAME_OF_SYSTEM = 16,  /* a function that a system header declares */
    NAME_FOR_DEVICE = 32, /* a function for the device, a member, or in doubt */
    NAME_HOST_FUNCTION = 64,
    NAME_CONSTEXPR_FUNCTION = 128,
    NAME_HOST_VARIABLE = 256,    /* at namespace scope */
    NAME_HOST_TABLE = 512,       /* there, a constant array */
    NAME_DEVICE_FUNCTION = 1024, /* there, for the device alone */
    NAME_IN_CLASS = 2048,
    NAME_KERNEL = 4096,  /* at namespace scope */
    NAME_CONSTANT = 8192 /* a __constant__ variable */
};

/* A __shared__ variable at namespace scope. Functions that mention it get a
 * reference of that name from `accessor`. */
struct global_shared {
    uint32_t name;
    char *accessor;
};

/* A __shared__ variable of a function: a lambda in it that mentions the name gets a reference of its own. */
struct local_shared {
    uint32_t name, function; /* by number */
    char *accessor;
};

struct rewriting {
    const struct source *source;
    struct edits *edits;
    bool separate;        /* -rdc=true: device variables are shared between files */
    unsigned int number;  /* for names of our own */
    size_t start;         /* the first token of the statement or declaration at hand */
    size_t handled;       /* the start of the last __device__ declaration seen to */
    struct scope *scopes; /* the whole text is the first */
    size_t depth, scope_capacity;
    uint16_t *flags;          /* by name */
    uint32_t *local_in;       /* by name: the number of the function that has it as its own */
    uint32_t function_number; /* of those for the device */
    bool relaxed;             /* --expt-relaxed-constexpr: kernels may call constexpr functions */
    bool by_value;            /* a function that stays one may be given a structure by value */
    struct global_shared *globals;
    size_t global_count;
    struct local_shared *locals; /* of functions */
    size_t local_count;
};

/* Rewrites the whole text. Ends the program with a message for the user when it
 * finds something that it cannot do. */
void rewrite(struct rewriting *rewriting);

/* The innermost scope. */
static inline const struct scope *current_scope(const struct rewriting *rewriting)
{
    return &rewriting->scopes[rewriting->depth];
}

/* `::a::b::`, the namespace that the walk is in. */
void add_namespace(const struct rewriting *rewriting, struct text *text);

/* Blanks a token. */
static inline void remove_token(struct rewriting *rewriting, size_t i)
{
    edit_instead(rewriting->edits, i, "");
}

/* functions.c: where the parts of a function's declaration are. All 0 when the
 * declaration that starts at `start` is none. */
struct function {
    size_t name;          /* the last word of its name */
    size_t qualified;     /* the first */
    size_t open;          /* the parenthesis before the parameters */
    size_t body;          /* the brace, or 0 for a declaration */
    size_t template_open; /* the last `template <`, or 0 */
};
struct function find_function(const struct source *source, size_t start);

/* One parameter of a function or template. */
struct parameter {
    size_t name; /* or 0 when it has none */
    size_t end;  /* the token after its declarator: , ) = [ > */
    bool pack;
};
/* Reads the parameter that begins at `i` in a list that ends at `close`. Returns
 * the index after its comma, or `close`. */
size_t read_parameter(const struct source *source, size_t i, size_t close,
                      struct parameter *parameter);

/* What the brace at `open` encloses, outside of functions, in the declaration that begins at
 * `start`. */
enum scope_kind outer_kind(const struct source *source, size_t start, size_t open);

/* sides.c: writes one text for host and device, of what the preprocessor made of the file
 * without __CUDA_ARCH__ and with it. Returns false when the file cannot be written. */
bool merge_sides(const struct source *host_text, const struct source *device_text, FILE *file);

/* sources.c: writes a function that hands the text of the user's files to the simulator when the
 * program begins. Returns false when the file cannot be written. */
bool write_sources(const struct source *source, FILE *file);

/* kernels.c: `__global__` at `i`, in the declaration at hand. */
void rewrite_kernel(struct rewriting *rewriting, size_t i);

/* loops.c: `do`, `for` or `while` at `i`. */
void rewrite_loop(struct rewriting *rewriting, size_t i);
/* The same file: `switch` at `i`. */
void rewrite_switch(struct rewriting *rewriting, size_t i);

/* launches.c: `<<<` at `i`. */
void rewrite_launch(struct rewriting *rewriting, size_t i);
static inline bool is_launch(const struct source *source, size_t i)
{
    return is_sign(source, i, '<') && is_sign(source, i + 1, '<') && is_sign(source, i + 2, '<') &&
           !is_word(source, i - 1, WORD_OPERATOR);
}

/* shared_variables.c: `__shared__` at `i`; and a function's body, which may mention such
 * variables of namespace scope. */
void rewrite_shared(struct rewriting *rewriting, size_t i);
void refer_to_shared(struct rewriting *rewriting, const struct scope *function);
/* The brace at `open` begins a block of a function of the device: it may be a lambda's, which may mention variables of
 * the function. For nvcc they are static, and no lambda captures them. */
void refer_in_lambda(struct rewriting *rewriting, size_t open);

/* variables.c: `__device__`, `__constant__` or `__managed__` at `i`. */
void rewrite_device(struct rewriting *rewriting, size_t i);
/* `static` at `i`, which begins a statement of a function of the device. */
void rewrite_static(struct rewriting *rewriting, size_t i);

/* refusals.c: a declaration that ends at the semicolon `end`; a function whose body begins; and
 * a name in a body, which ends the program when nvcc refuses it there. */
void note_function(struct rewriting *rewriting, size_t start, size_t end);
void note_declaration(struct rewriting *rewriting, size_t end);
void enter_function(struct rewriting *rewriting, const struct scope *function);
void refuse_host_name(struct rewriting *rewriting, size_t i);
/* The same file: `throw`, `try`, `dynamic_cast` or `typeid` at `i`, which no device code has. */
void refuse_word(const struct rewriting *rewriting, size_t i);

/* by_value.c: a function's declaration from `start` to before `end`; and the parenthesis at `i`, with which a pointer to a
 * function may begin. They find out what `by_value` says. */
void note_arguments(struct rewriting *rewriting, size_t start, size_t end);
void note_pointer(struct rewriting *rewriting, size_t i);

/* braces.c: ends the program where a brace has no partner. */
void refuse_open_braces(const struct source *source);

/* old_names.c: the name at `i` may be a call that CUDA has given up: what has taken its place stands there, with a
 * warning. Returns whether it is one. Ends the program where nothing can. */
bool rewrite_old_name(struct rewriting *rewriting, size_t i);

/* assembly.c: `asm` at `i`, in a function of the device. Ends the program but for the registers that tell which lane
 * it is. */
void rewrite_assembly(struct rewriting *rewriting, size_t i);

/* left_out.c: ends the program when the name at `i` is one of CUDA's that is not simulated. */
void refuse_left_out(const struct rewriting *rewriting, size_t i);

/* uniform.c: marks the atomics in a kernel's body whose address is the same in
 * all lanes of a warp. */
void mark_uniform(struct rewriting *rewriting, const struct scope *function);

#endif
