/* libraries.c - headers of NVIDIA's libraries that programs include and seldom use; and Thrust. */
#include "tool.h"

#include <criterion/criterion.h>

TestSuite(libraries, .init = open_folder, .fini = close_folder);

/* A header that stops a program which only names its types. */
Test(libraries, are_included_and_not_called)
{
    static const char *const calls[][2] = {
        {"cublasCreate(&handle)", "cublasCreate: cuBLAS is not simulated"},
        {"cub::DeviceReduce::Sum(0, 0)", "cub::DeviceReduce: CUB is not simulated"},
        {"cufftPlan1d(0, 1, CUFFT_C2C, 1)", "cufftPlan1d: cuFFT is not simulated"},
        {"cusparseCreate(0)", "cusparseCreate: cuSPARSE is not simulated"},
        {"cusolverDnCreate(0)", "cusolverDnCreate: cuSOLVER is not simulated"},
        {"cublasLtCreate(0)", "cublasLtCreate: cuBLAS is not simulated"},
        {"cuInit(0)", "cuInit: the driver API is not simulated"}};
    write_file(
        folder, "named.cu",
        "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <driver_functions.h>\n"
        "#include <cuda_device_runtime_api.h>\n#include <device_types.h>\n"
        "#include <common_functions.h>\n#include <cublas_v2.h>\n#include <cublasLt.h>\n"
        "#include <cufft.h>\n#include <cusparse.h>\n#include <cusolverDn.h>\n"
        "#include <cub/cub.cuh>\n#include <cstdio>\nusing namespace cub;\n"
        "static void cublasCheck(cublasStatus_t status, int line) {\n"
        "if (status != CUBLAS_STATUS_SUCCESS) printf(\"%d\\n\", line); }\n"
        "cublasHandle_t handle; cublasLtHandle_t lt; cufftComplex c; cusparseHandle_t s;\n"
        "static cublasComputeType_t compute = CUBLAS_COMPUTE_32F;\n"
        "int main() { cublasCheck(CUBLAS_STATUS_SUCCESS, (int)compute); CALL; puts(\"ok\"); }\n");
    EXPECT_OUTPUT("ok\n", "$SIMCC -DCALL= named.cu -o named && ./named");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct outcome *seen = run_in(folder, "$SIMCC '-DCALL=%s' -c named.cu", calls[i][0]);
        EXPECT_STATUS(seen, 1);
        EXPECT_MESSAGE(seen, calls[i][1]);
    }
}

/* Labels for a profiler; and what of the C++ library a kernel may use by the name of cuda::std. */
Test(libraries, have_labels_that_do_nothing_and_constants_of_cuda_std)
{
    write_file(folder, "labels.cu",
               "#include <nvToolsExt.h>\n#include <nvtx3/nvToolsExt.h>\n#include <cstdio>\n"
               "int main() { nvtxEventAttributes_t e = {0}; e.version = NVTX_VERSION;\n"
               "e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE; e.message.ascii = \"a\"; nvtxMark(\"b\");\n"
               "nvtxRangePush(\"c\"); nvtxRangePushEx(&e); nvtxRangePop(); "
               "nvtxRangeEnd(nvtxRangeStart(\"d\"));\n"
               "puts(\"ok\"); }\n");
    EXPECT_OUTPUT("ok\n", "$SIMCC labels.cu -o labels && ./labels");
    write_file(
        folder, "std.cu",
        "#include <cuda/std/limits>\n#include <cuda/std/type_traits>\n#include <cuda/std/utility>\n"
        "#include <cuda/std/cstdint>\n#include <cuda/std/cmath>\n#include <cuda/atomic>\n#include "
        "<cstdio>\n"
        "template <class T, cuda::std::enable_if_t<cuda::std::is_integral_v<T>, int> = 0>\n"
        "__global__ void k(T *p) { cuda::std::int32_t most = cuda::std::numeric_limits<T>::max();\n"
        "cuda::std::swap(p[0], p[1]); p[2] = most; p[3] = (T)cuda::std::sqrt(16.0f);\n"
        "cuda::atomic_ref<T, cuda::thread_scope_device>(p[1]).fetch_add(1, "
        "cuda::std::memory_order_relaxed); }\n"
        "int main() { int *q, g[4] = {1, 2}; cudaMalloc(&q, sizeof g);\n"
        "cudaMemcpy(q, g, sizeof g, cudaMemcpyHostToDevice); k<<<1, 1>>>(q);\n"
        "cudaMemcpy(g, q, sizeof g, cudaMemcpyDeviceToHost); printf(\"%d %d %x %d\\n\", g[0], "
        "g[1], g[2], g[3]); }\n");
    EXPECT_OUTPUT("2 2 7fffffff 4\n", "$SIMCC std.cu -o std && ./std");
}

/* Algorithms that touch memory of the device, without being told of it as mistakes of the host; in the order of the
 * default stream. */
Test(libraries, thrust_works_on_memory_of_the_device)
{
    if (access("/usr/include/thrust/sort.h", R_OK) != 0) /* libthrust-dev is not installed */
        return;
    write_file(
        folder, "t.cu",
        "#include <thrust/device_vector.h>\n"
        "#include <thrust/device_ptr.h>\n"
        "#include <thrust/execution_policy.h>\n"
        "#include <thrust/sort.h>\n"
        "#include <thrust/reduce.h>\n"
        "#include <thrust/transform.h>\n"
        "#include <thrust/scan.h>\n"
        "#include <thrust/sequence.h>\n"
        "#include <thrust/fill.h>\n"
        "#include <thrust/copy.h>\n"
        "#include <thrust/unique.h>\n"
        "#include <thrust/count.h>\n"
        "#include <thrust/inner_product.h>\n"
        "#include <thrust/transform_reduce.h>\n"
        "#include <thrust/extrema.h>\n"
        "#include <thrust/iterator/counting_iterator.h>\n"
        "#include <thrust/iterator/zip_iterator.h>\n"
        "#include <thrust/iterator/constant_iterator.h>\n"
        "#include <thrust/for_each.h>\n"
        "#include <thrust/gather.h>\n"
        "#include <thrust/binary_search.h>\n"
        "#include <thrust/host_vector.h>\n"
        "#include <cstdio>\n"
        "struct square { __host__ __device__ float operator()(float x) const { return x * x; } };\n"
        "struct saxpy { float a; __device__ float operator()(float x, float y) const { return a * "
        "x + y; } };\n"
        "__global__ void add(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if "
        "(i < n) p[i] += 1; }\n"
        "int main() {\n"
        "  const int n = 1000; int *raw; cudaMalloc(&raw, n * sizeof(int));\n"
        "  thrust::device_ptr<int> p(raw); thrust::sequence(p, p + n); "
        "thrust::sort(thrust::device, p, p + n, thrust::greater<int>());\n"
        "  int h[3]; cudaMemcpy(h, raw, 12, cudaMemcpyDeviceToHost); printf(\"%d %d %d\\n\", h[0], "
        "h[1], h[2]);\n"
        "  thrust::device_vector<float> x(n, 1.0f), y(n); thrust::fill(y.begin(), y.end(), 2.0f);\n"
        "  add<<<4, 256>>>(thrust::raw_pointer_cast(x.data()), n);\n"
        "  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{3});\n"
        "  add<<<4, 256>>>(thrust::raw_pointer_cast(&y[0]), n);\n"
        "  printf(\"%g %g\\n\", thrust::transform_reduce(y.begin(), y.end(), square(), 0.0f, "
        "thrust::plus<float>()), (float)y[5]);\n"
        "  thrust::device_vector<int> k(n), v(n); "
        "thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), "
        "k.begin(), [] __device__ (int i) { return i % 7; });\n"
        "  thrust::sequence(v.begin(), v.end()); thrust::stable_sort_by_key(k.begin(), k.end(), "
        "v.begin());\n"
        "  thrust::device_vector<int> ok(7), oc(7); auto e = thrust::reduce_by_key(k.begin(), "
        "k.end(), thrust::constant_iterator<int>(1), ok.begin(), oc.begin());\n"
        "  for (int i = 0; i < 7; i++) printf(\"%d:%d \", (int)ok[i], (int)oc[i]); "
        "printf(\"%d\\n\", (int)(e.first - ok.begin()));\n"
        "  thrust::inclusive_scan(v.begin(), v.end(), v.begin()); printf(\"%d %d\\n\", (int)v[n - "
        "1], (int)thrust::count(k.begin(), k.end(), 3));\n"
        "  thrust::for_each(thrust::device, raw, raw + n, [=] __device__ (int &x) { x = x * 2 + "
        "raw[0] * 0; }); \n"
        "  int m = *thrust::max_element(p, p + n); printf(\"%d %d\\n\", m, "
        "thrust::reduce(thrust::device, raw, raw + n));\n"
        "  thrust::host_vector<int> hv = v; printf(\"%d\\n\", hv[10]);\n"
        "}\n");
    EXPECT_OUTPUT("999 998 997\n81000 9\n0:143 1:143 2:143 3:143 4:143 5:143 6:142 7\n499500 "
                  "143\n1998 999000\n"
                  "385\n",
                  "$SIMCC --extended-lambda t.cu -o t && ./t");
}

/* Where it is not Thrust that touches it, memory of the device is closed as before. */
Test(libraries, thrust_opens_no_memory_to_others)
{
    if (access("/usr/include/thrust/sort.h", R_OK) != 0) /* libthrust-dev is not installed */
        return;
    write_file(folder, "t.cu",
               "#include <thrust/device_vector.h>\n#include <thrust/reduce.h>\n#include <cstdio>\n"
               "int main() { thrust::device_vector<int> d(10, 3);\n"
               "printf(\"%d\\n\", thrust::reduce(d.begin(), d.end()));\n"
               "int *raw = thrust::raw_pointer_cast(d.data());\n"
               "printf(\"%d\\n\", raw[2]); }\n");
    struct outcome *seen = run_in(folder, "$SIMCC t.cu -o t && ./t");
    EXPECT_STATUS(seen, 86);
    EXPECT_MESSAGE(seen, "Host code reads device memory");
    EXPECT_MESSAGE(seen, "t.cu:7");
}
