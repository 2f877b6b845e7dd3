/* left_out.c - names of CUDA that the simulated GPU leaves out, and what to do instead. */
#include "passes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* How a name has to stand there to be CUDA's own. */
enum use { ANYWHERE, CALLED, WITH_ARGUMENTS };

static const char TEXTURES[] = "textures and surfaces are not simulated; read the array by a "
                               "plain pointer, and clamp the index yourself";
static const char ARRAYS[] = "CUDA arrays, which textures read, are not simulated; use cudaMalloc "
                             "or cudaMallocPitch";
static const char DRIVER[] = "the driver API is not simulated; use the runtime API: cudaMalloc, "
                             "kernel<<<grid, block>>>(arguments)";
static const char RANDOM[] = "the host part of cuRAND is not simulated; call curand_init and "
                             "curand_uniform of curand_kernel.h in a kernel";
static const char POISSON[] =
    "Poisson numbers are not simulated; use curand_uniform, curand_normal "
    "or curand_log_normal";
static const char NODES[] = "graphs are made by capturing alone here; use cudaStreamBeginCapture "
                            "and cudaStreamEndCapture";
static const char POOLS[] = "only the default memory pool is simulated; use cudaMallocAsync";
static const char NCCL[] = "of NCCL only ncclCommInitAll, ncclCommInitRank, groups, ncclReduce and "
                           "ncclAllReduce are simulated; use these";
static const char CLUSTERS[] =
    "of clusters only those of one block are simulated; use cooperative_groups::this_cluster()";
static const char FUNCTION[] = "the simulated GPU has no such function; write it in C++";
static const char PROCESSES[] = "several processes on one GPU are not simulated; use one";

/* A name that ends with * is the beginning of some. */
static const struct {
    const char *name, *why;
    enum use use;
} names[] = {{"texture", TEXTURES, WITH_ARGUMENTS},
             {"surface", TEXTURES, WITH_ARGUMENTS},
             {"cudaTextureObject_t", TEXTURES, ANYWHERE},
             {"cudaSurfaceObject_t", TEXTURES, ANYWHERE},
             {"textureReference", TEXTURES, ANYWHERE},
             {"cudaBindTexture*", TEXTURES, CALLED},
             {"cudaUnbindTexture", TEXTURES, CALLED},
             {"cudaCreateTextureObject", TEXTURES, CALLED},
             {"cudaCreateSurfaceObject", TEXTURES, CALLED},
             {"tex1Dfetch", TEXTURES, CALLED},
             {"tex1D", TEXTURES, CALLED},
             {"tex2D", TEXTURES, CALLED},
             {"tex3D", TEXTURES, CALLED},
             {"surf2Dread", TEXTURES, CALLED},
             {"surf2Dwrite", TEXTURES, CALLED},
             {"cudaArray", ARRAYS, ANYWHERE},
             {"cudaArray_t", ARRAYS, ANYWHERE},
             {"cudaChannelFormatDesc", ARRAYS, ANYWHERE},
             {"cudaCreateChannelDesc", ARRAYS, ANYWHERE},
             {"cudaMallocArray", ARRAYS, CALLED},
             {"cudaMalloc3DArray", ARRAYS, CALLED},
             {"cudaMemcpyToArray", ARRAYS, CALLED},
             {"cudaMemcpy2DToArray", ARRAYS, CALLED},
             {"cuInit", DRIVER, CALLED},
             {"cuDeviceGet*", DRIVER, CALLED},
             {"cuCtxCreate*", DRIVER, CALLED},
             {"cuModuleLoad*", DRIVER, CALLED},
             {"cuModuleGetFunction", DRIVER, CALLED},
             {"cuMemAlloc*", DRIVER, CALLED},
             {"cuMemcpy*", DRIVER, CALLED},
             {"cuLaunchKernel*", DRIVER, CALLED},
             {"curandCreateGenerator*", RANDOM, CALLED},
             {"curandGenerate*", RANDOM, CALLED},
             {"cudaGraphAdd*", NODES, CALLED},
             {"cudaKernelNodeParams", NODES, ANYWHERE},
             {"cudaMemsetParams", NODES, ANYWHERE},
             {"cudaMemPoolProps", POOLS, ANYWHERE},
             {"cudaMemPoolCreate", POOLS, CALLED},
             {"cudaMallocFromPoolAsync", POOLS, CALLED},
             {"cudaDeviceSetMemPool", POOLS, CALLED},
             {"ncclCommSplit", NCCL, CALLED},
             {"ncclBroadcast", NCCL, CALLED},
             {"ncclBcast", NCCL, CALLED},
             {"ncclAllGather", NCCL, CALLED},
             {"ncclReduceScatter", NCCL, CALLED},
             {"ncclSend", NCCL, CALLED},
             {"ncclRecv", NCCL, CALLED},
             {"ncclMemAlloc", NCCL, CALLED},
             {"__cluster_*", CLUSTERS, CALLED},
             {"__threadfence_cluster", CLUSTERS, CALLED},
             {"__vibmax_s16x2", FUNCTION, CALLED},
             {"__vibmax_u16x2", FUNCTION, CALLED},
             {"__vibmin_s16x2", FUNCTION, CALLED},
             {"__vibmin_u16x2", FUNCTION, CALLED},
             {"__fmaf_ieee_*", FUNCTION, CALLED},
             {"__fadd2_*", FUNCTION, CALLED},
             {"__fmul2_*", FUNCTION, CALLED},
             {"__ffma2_*", FUNCTION, CALLED},
             {"__nv_bswap*", FUNCTION, CALLED},
             {"__cvta_generic_to_constant", FUNCTION, CALLED},
             {"__cvta_generic_to_local", FUNCTION, CALLED},
             {"__cvta_generic_to_grid_constant", FUNCTION, CALLED},
             {"__isConstant", FUNCTION, CALLED},
             {"__isGridConstant", FUNCTION, CALLED},
             {"__isClusterShared", FUNCTION, CALLED},
             {"__isCtaShared", FUNCTION, CALLED},
             {"__barrier_sync_count", FUNCTION, CALLED},
             {"__uni_sync", FUNCTION, CALLED},
             {"cudaMemPoolExport*", PROCESSES, CALLED},
             {"cudaMemPoolImport*", PROCESSES, CALLED},
             {"cudaIpcMemHandle_t", PROCESSES, ANYWHERE},
             {"curand_poisson*", POISSON, CALLED},
             {"cudaIpcGetMemHandle", PROCESSES, CALLED},
             {"cudaIpcOpenMemHandle", PROCESSES, CALLED}};

static bool matches(const struct token *token, const char *name)
{
    size_t length = strlen(name);
    bool begins = name[length - 1] == '*';
    length -= begins;
    return (begins ? token->length >= length : token->length == length) &&
           !memcmp(token->text, name, length);
}

static bool stands_there(const struct rewriting *rewriting, size_t i, enum use use)
{
    const struct source *source = rewriting->source;
    enum scope_kind kind = current_scope(rewriting)->kind;
    bool is_inside = kind == SCOPE_FUNCTION || kind == SCOPE_BLOCK;
    if (use == WITH_ARGUMENTS)
        return is_sign(source, i + 1, '<');
    return use == ANYWHERE ||
           (is_inside && (is_sign(source, i + 1, '(') || is_sign(source, i + 1, '<')));
}

/* cudaFree and its kind, as NVIDIA writes names; and cuBLAS's, NCCL's and the driver's. */
static bool is_name_of_cuda(const struct token *token)
{
    static const char *const begins[] = {"cuda",     "cu",       "nccl",      "nvtx",
                                         "curand",   "cublas",   "cublasLt",  "cufft",
                                         "cusparse", "cusolver", "cusolverDn"};
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
        size_t length = strlen(begins[k]);
        if (token->length > length + 2 && !memcmp(token->text, begins[k], length) &&
            isupper((unsigned char)token->text[length]) &&
            islower((unsigned char)token->text[length + 1]))
            return true;
    }
    return false;
}

/* Whether a header of CUDA has the name, or the program has one of its own: it stands behind a type. */
static bool is_declared(const struct source *source, uint32_t name)
{
    for (size_t i = 1; i + 1 < source->count; i++) {
        const struct token *token = token_at(source, i);
        if (token->kind != TOKEN_NAME || token->id != name)
            continue;
        bool behind_name =
            token_at(source, i - 1)->kind == TOKEN_NAME && !is_word(source, i - 1, WORD_RETURN);
        if (token->system || behind_name || is_sign(source, i - 1, '*') ||
            is_sign(source, i - 1, '&') || is_sign(source, i - 1, '>'))
            return true;
    }
    return false;
}

/* A call, or the type of a variable. Behind a comma a variable may be declared, with its value. */
static bool is_unknown(const struct rewriting *rewriting, size_t i)
{
    const struct source *source = rewriting->source;
    bool begins =
        is_sign(source, i - 1, ';') || is_sign(source, i - 1, '{') || is_sign(source, i - 1, '}');
    bool is_call = stands_there(rewriting, i, CALLED) && !is_sign(source, i - 1, ',');
    return (is_call || (begins && is_other_name(source, i + 1))) &&
           is_name_of_cuda(token_at(source, i)) && !is_declared(source, token_at(source, i)->id);
}

/* `thrust::sort` where no Thrust is installed, `cub::BlockReduce`. */
static void refuse_empty_namespace(const struct rewriting *rewriting, size_t i)
{
    static const struct {
        const char *name, *marker, *why;
    } libraries[] = {
        {"thrust", "sim_thrust_is_empty",
         "Thrust is not installed; install libthrust-dev and libcub-dev, or write the algorithm as "
         "a "
         "kernel"},
        {"cub", "sim_cub_is_empty",
         "CUB is not simulated; write the reduction, the scan or the sort as a kernel"}};
    const struct source *source = rewriting->source;
    if (!is_sign(source, i + 1, SIGN2(':', ':')) || is_word(source, i - 1, WORD_NAMESPACE))
        return;
    for (size_t k = 0; k < sizeof libraries / sizeof *libraries; k++) {
        if (!matches(token_at(source, i), libraries[k].name))
            continue;
        for (size_t j = 1; j + 1 < source->count; j++)
            if (matches(token_at(source, j), libraries[k].marker))
                fail_at(source, i, "%s::%.*s: %s", libraries[k].name,
                        (int)token_at(source, i + 2)->length, token_at(source, i + 2)->text,
                        libraries[k].why);
    }
}

/* Of what library an unknown name of CUDA's is, and what to do instead. */
static const char *why_unknown(const struct token *token)
{
    static const struct {
        const char *name, *why;
    } libraries[] = {
        {"cublas*",
         "cuBLAS is not simulated; write the product as a kernel, or compute it on the host"},
        {"cufft*",
         "cuFFT is not simulated; write the transform as a kernel, or use FFTW on the host"},
        {"cusparse*", "cuSPARSE is not simulated; write the sparse product as a kernel"},
        {"cusolver*", "cuSOLVER is not simulated; use LAPACK on the host"}};
    for (size_t k = 0; k < sizeof libraries / sizeof *libraries; k++)
        if (matches(token, libraries[k].name))
            return libraries[k].why;
    return "the simulated GPU has nothing of that name; docs/programs.md says what it has";
}

/* `cg::tiled_partition<64>`: the error of the header would be at the header's line. */
static void refuse_wide_tile(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i), *size = token_at(source, i + 2);
    if ((matches(token, "tiled_partition") || matches(token, "thread_block_tile")) &&
        is_sign(source, i + 1, '<') && size->kind == TOKEN_NUMBER &&
        strtol(size->text, NULL, 0) > 32)
        fail_at(
            source, i,
            "%.*s<%.*s>: tiles of several warps are not simulated; take 32 threads or fewer, or "
            "the whole block",
            (int)token->length, token->text, (int)size->length, size->text);
}

void refuse_left_out(const struct rewriting *rewriting, size_t i)
{
    enum { DECLARED = NAME_FOR_DEVICE | NAME_HOST_FUNCTION };
    const struct source *source = rewriting->source;
    const struct token *token = token_at(source, i);
    if (!token->system)
        refuse_wide_tile(source, i);
    if (token->system || rewriting->flags[token->id] & DECLARED || is_sign(source, i - 1, '.') ||
        is_sign(source, i - 1, SIGN2('-', '>')) || is_sign(source, i - 1, SIGN2(':', ':')))
        return;
    refuse_empty_namespace(rewriting, i);
    if (token->length < 5 || !strchr("tscn_", token->text[0]))
        return;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (matches(token, names[k].name) && stands_there(rewriting, i, names[k].use))
            fail_at(source, i, "%.*s: %s", (int)token->length, token->text, names[k].why);
    if (is_unknown(rewriting, i))
        fail_at(source, i, "%.*s: %s", (int)token->length, token->text, why_unknown(token));
}
