/* shapes.cu - one launch of each kernel of shapes.h, of one warp, for a card's tool to count.
 *
 *     shapes OUT.csv
 *
 * OUT.csv gets a line for each launch: what tests/sim/shapes.cu expects of it. Under Nsight Compute the
 * requests of loads and stores of the same launches lie beside it: common/bench/fidelity.py shapes. */
#include "requests.h"
#include "shapes.h"

int main(int argc, char **argv)
{
    int host[64], *in, *out, launch = 0;
    FILE *rows = fopen(argc > 1 ? argv[1] : "shapes.csv", "w");
    if (!rows) {
        perror(argc > 1 ? argv[1] : "shapes.csv");
        return 1;
    }
    for (int i = 0; i < 64; i++)
        host[i] = i % 32;
    CHECK(cudaMalloc((void **)&in, sizeof host));
    CHECK(cudaMalloc((void **)&out, 256 * sizeof(int)));
    CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    fprintf(rows, "launch,kernel,shape,stores,loads\n");
    for (const struct shape &shape : shapes) {
        shape.run<<<1, LANES>>>(out, in);
        CHECK(cudaDeviceSynchronize());
        fprintf(rows, "%d,%s,%s,%u,%u\n", ++launch, shape.kernel, shape.name, shape.stores,
                shape.loads);
    }
    return fclose(rows) != 0;
}
