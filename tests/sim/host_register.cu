/* host_register.cu - memory of the host that kernels may use after cudaHostRegister. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "capture.h"
#include "sim.h"

enum { COUNT = 1000 };

__global__ static void double_all(int *numbers, int count)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        numbers[i] *= 2;
}

static int *numbers_of_host(void)
{
    int *numbers = (int *)malloc(COUNT * sizeof *numbers);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    return numbers;
}

static void expect_error(cudaError_t seen, cudaError_t expected)
{
    cr_expect_eq(seen, expected, "%s", cudaGetErrorName(seen));
    cudaGetLastError();
}

Test(host_register, lets_a_kernel_use_it)
{
    int *numbers = numbers_of_host(), *mapped = NULL;
    unsigned int flags = 0;
    cudaPointerAttributes attributes;
    cr_assert_eq(cudaHostRegister(numbers, COUNT * sizeof *numbers, cudaHostRegisterMapped),
                 cudaSuccess);
    cr_expect_eq(cudaHostGetDevicePointer(&mapped, numbers, 0), cudaSuccess);
    cr_expect_eq(cudaHostGetFlags(&flags, numbers), cudaSuccess);
    cr_expect_eq(cudaPointerGetAttributes(&attributes, numbers + 3), cudaSuccess);
    cr_expect_eq(attributes.type, cudaMemoryTypeHost);
    double_all<<<8, 128>>>(mapped, COUNT);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < COUNT; i++)
        cr_assert_eq(numbers[i], 2 * i);
    cr_expect_eq(cudaHostUnregister(numbers), cudaSuccess);
    free(numbers);
}

Test(host_register, finds_an_access_behind_its_end)
{
    int *numbers = numbers_of_host();
    struct capture capture;
    cr_assert_eq(cudaHostRegister(numbers, (COUNT - 1) * sizeof *numbers, 0), cudaSuccess);
    capture_start(&capture);
    double_all<<<8, 128>>>(numbers, COUNT);
    EXPECT_PRINTED(capture_end(&capture), "Invalid __global__ read of size 4 bytes");
    cr_expect_eq(cudaDeviceReset(), cudaSuccess);
    cr_expect_eq(cudaHostRegister(numbers, 4, 0), cudaSuccess, "the reset unregisters");
    sim_reset_errors();
}

Test(host_register, is_closed_again_afterwards)
{
    int *numbers = numbers_of_host();
    struct capture capture;
    cr_assert_eq(cudaHostRegister(numbers, COUNT * sizeof *numbers, 0), cudaSuccess);
    cr_assert_eq(cudaHostUnregister(numbers), cudaSuccess);
    capture_start(&capture);
    double_all<<<1, 32>>>(numbers, COUNT);
    EXPECT_PRINTED(capture_end(&capture), "is host memory: a kernel cannot use it");
    sim_reset_errors();
}

Test(host_register, finds_device_memory_that_was_allocated_later)
{
    int *numbers = numbers_of_host(), *device = NULL, on_stack[8] = {0};
    cr_assert_eq(cudaHostRegister(numbers, COUNT * sizeof *numbers, 0), cudaSuccess);
    cr_assert_eq(cudaHostRegister(on_stack, sizeof on_stack, 0), cudaSuccess);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(cudaMalloc(&device, COUNT * sizeof *device), cudaSuccess);
        cr_assert_eq(cudaMemcpy(device, numbers, COUNT * sizeof *device, cudaMemcpyHostToDevice),
                     cudaSuccess);
        double_all<<<8, 128>>>(device, COUNT);
        double_all<<<1, 8>>>(on_stack, 8);
        cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
        cr_expect_eq(cudaFree(device), cudaSuccess);
    }
}

Test(host_register, refuses_what_cannot_be_registered)
{
    int *numbers = numbers_of_host(), *pinned = NULL;
    struct capture capture;
    cr_assert_eq(cudaMallocHost(&pinned, 64), cudaSuccess);
    cr_assert_eq(cudaHostRegister(numbers, 64, 0), cudaSuccess);
    capture_start(&capture);
    expect_error(cudaHostRegister(numbers + 15, 64, 0), cudaErrorHostMemoryAlreadyRegistered);
    expect_error(cudaHostRegister(pinned, 64, 0), cudaErrorHostMemoryAlreadyRegistered);
    expect_error(cudaHostRegister(NULL, 64, 0), cudaErrorInvalidValue);
    expect_error(cudaHostRegister(numbers, 0, 0), cudaErrorInvalidValue);
    expect_error(cudaHostUnregister(numbers + 1), cudaErrorHostMemoryNotRegistered);
    expect_error(cudaHostUnregister(pinned), cudaErrorHostMemoryNotRegistered);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "a part of it was registered at");
    EXPECT_PRINTED(text, "a part of it was allocated by CUDA at");
    EXPECT_PRINTED(text, "the pointer is NULL");
    sim_reset_errors();
}
