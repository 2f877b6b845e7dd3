/* heap.cu - malloc, free, new and delete in kernels, and what is not for the host. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>

#include "capture.h"
#include "sim.h"

struct node {
    int value;
    node *next;
};

__global__ static void build_lists(int *sums)
{
    node *first = NULL;
    for (int i = 1; i <= 3; i++) {
        node *n = (node *)malloc(sizeof *n);
        n->value = i * (int)threadIdx.x;
        n->next = first;
        first = n;
    }
    int *sum = new int(0);
    while (first) {
        node *next = first->next;
        *sum += first->value;
        free(first);
        first = next;
    }
    sums[threadIdx.x] = *sum;
    delete sum;
}

Test(heap, serves_kernels)
{
    int *sums, host[64];
    cudaMalloc(&sums, sizeof host);
    build_lists<<<1, 64>>>(sums);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        cr_expect_eq(host[i], 6 * i);
    cr_expect_eq(sim_error_count(), 0);
}

/* The pointer is kept where the compiler cannot follow it. */
__global__ static void free_twice(void *volatile *kept)
{
    *kept = malloc(8);
    free(*kept);
    free(*kept);
}

Test(heap, reports_a_second_free)
{
    struct capture capture;
    void *volatile *kept;
    cudaMalloc((void **)&kept, sizeof *kept);
    capture_start(&capture);
    free_twice<<<1, 1>>>(kept);
    cudaDeviceSynchronize();
    EXPECT_PRINTED(capture_end(&capture), "Invalid free in a kernel");
}

__global__ static void write_before(int *out)
{
    __shared__ int s[5];
    s[(int)threadIdx.x - 1] = 1;
    out[0] = s[0];
}

Test(heap, an_index_below_zero_of_a_shared_array_is_named)
{
    struct capture capture;
    int *out;
    cudaMalloc(&out, 4);
    capture_start(&capture);
    write_before<<<1, 4>>>(out);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT_PRINTED(capture_end(&capture), "s[-1], and s has 5 elements");
}

__host__ __device__ static int count_up(int *counter)
{
    return atomicAdd(counter, 1);
}

Test(heap, an_atomic_on_the_host_ends_with_a_message, .exit_code = 86)
{
    int counter = 0;
    count_up(&counter);
}

/* A tree whose destructor deletes what hangs below it. */
struct branch {
    branch *left = nullptr, *right = nullptr;
    int value = 0;
    __device__ ~branch()
    {
        delete left;
        delete right;
    }
};

__device__ static void insert(branch **at, int value)
{
    while (*at)
        at = value < (*at)->value ? &(*at)->left : &(*at)->right;
    *at = new branch;
    (*at)->value = value;
}

__global__ static void grow_and_fell(int *count)
{
    branch *root = nullptr;
    for (int i = 0; i < 20; i++)
        insert(&root, i * 7 % 20);
    atomicAdd(count, root->left == nullptr);
    root->value = 5;
    delete root;
}

Test(heap, deletes_an_object_whose_destructor_deletes)
{
    int *count;
    sim_set_checks("all");
    cudaMalloc(&count, sizeof *count);
    cudaMemset(count, 0, sizeof *count);
    grow_and_fell<<<2, 64>>>(count);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(sim_error_count(), 0u);
    cudaFree(count);
}
