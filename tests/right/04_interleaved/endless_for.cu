/* Estilo: un bucle sin condición y con break; español; 224 hilos por bloque, que no es una potencia
 * de dos. (Style: an endless for with a break, Spanish, 224 threads a block.) */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

static const int HILOS = 224, BLOQUES = 77;

__global__ void cuenta(const unsigned char *texto, size_t n, unsigned int *clases)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t paso = gridDim.x * (size_t)blockDim.x;
    for (;;) {
        if (i >= n) break;
        const int clase = bin_of(texto[i]);
        clase < 0 ? 0u : atomicAdd(clases + clase, 1u);
        i += paso;
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) {
        fprintf(stderr, "demasiado largo: %zu\n", length);
        exit(1);
    }
    cuenta<<<BLOQUES, HILOS>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
