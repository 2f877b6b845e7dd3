/* shapes.h - kernels whose control flow has an unusual shape, and what a card counts of each.
 *
 * Lanes go apart in all of them, and what they store afterwards is one request where they have met
 * again. `stores` and `loads` are requests of one warp; 0 loads means that none are compared. */
#ifndef SHAPES_H
#define SHAPES_H

#define LANE threadIdx.x

/* Rounds that touch no memory, a different number in each lane. */
template <int BASE> __global__ void compute_then_store(int *out, const int *in)
{
    unsigned int mixed = LANE;
    const int rounds = BASE + (int)LANE;
    for (int i = 0; i < rounds; i++)
        mixed = mixed * 1664525u + 1013904223u;
    out[LANE] = (int)mixed + in[0];
}

/* Two loops that begin at one place. */
__global__ void loops_with_one_head(int *out, const int *in)
{
    int i = 0, k = 0, sum = 0;
    const int rounds = 1 + (int)LANE % 5;
    do {
        do {
            sum += in[(i++ + LANE) % 32];
        } while (i % rounds);
        out[k++ * 32 + LANE] = sum;
    } while (k < 3);
}

__global__ void endless_around_while(int *out, const int *in)
{
    int k = 0, sum = 0;
    for (;;) {
        while (sum % (int)(2 + LANE % 3) != 0)
            sum += in[1];
        out[k * 32 + LANE] = sum++;
        if (++k == 4)
            break;
    }
}

__global__ void three_heads(int *out, const int *in)
{
    int a = 0, b = 0, c = 0;
    do {
        do {
            do {
                a += in[LANE] >= 0;
            } while (a % (int)(1 + LANE % 3));
            b++;
        } while (b % (int)(1 + LANE % 2));
        out[c * 32 + LANE] = a + b;
    } while (++c < 2);
}

__global__ void two_continues(int *out, const int *in)
{
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        if ((i + LANE) % 3 == 0)
            continue;
        if ((i + LANE) % 5 == 0) {
            sum += 2;
            continue;
        }
        sum += in[i];
    }
    out[LANE] = sum;
}

__global__ void two_continues_of_while(int *out, const int *in)
{
    int sum = 0, i = 0;
    while (i < 8) {
        i++;
        if ((i + LANE) % 3 == 0)
            continue;
        sum += in[i];
        if ((i + LANE) % 5 == 0)
            continue;
        sum++;
    }
    out[LANE] = sum;
}

__global__ void inner_breaks(int *out, const int *in)
{
    int sum = 0;
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < 32; i++) {
            if (in[i] == (int)(LANE + r) % 32)
                break;
            sum++;
        }
        out[r * 32 + LANE] = sum;
    }
}

__global__ void collatz(int *out, const int *in)
{
    unsigned int n = LANE + 1, steps = 0;
    while (n != 1) {
        if (n & 1)
            n = 3 * n + 1;
        else
            n /= 2;
        steps++;
    }
    out[LANE] = (int)steps + in[0];
}

__global__ void jumps_back(int *out, const int *in)
{
    int i = 0, sum = 0;
again:
    sum += in[i % 32];
    if (++i < (int)(2 + LANE % 4))
        goto again;
    out[LANE] = sum;
    if (sum < 0)
        goto again;
    out[32 + LANE] = i;
}

__device__ static int deepen(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i & 1 ? deepen(n - 2) : 1;
    return sum;
}

__global__ void loops_in_calls(int *out, const int *in)
{
    out[LANE] = deepen((int)LANE % 6) + in[0];
}

/* One load: what the condition has read is known behind it. */
__device__ static int class_of(int value)
{
    return value >= 3 && value < 29 ? value / 4 : -1;
}

__global__ void condition_reads_first(int *out, const int *in)
{
    if (LANE < 40 && class_of(in[LANE]) >= 0)
        out[class_of(in[LANE])] = 1;
}

__global__ void either_condition(int *out, const int *in)
{
    if (class_of(in[LANE]) == 2 || class_of(in[LANE]) == 5)
        out[class_of(in[LANE])] = 1;
}

__global__ void condition_of_a_loop(int *out, const int *in)
{
    int last = -1;
    for (int i = 0; i < 4 && class_of(in[i + LANE]) != 2; i++)
        last += class_of(in[i + LANE]);
    out[LANE] = last;
}

/* Duff's device: lanes jump into the loop at four places, and stay apart until they have left it. */
__global__ void jumps_into_a_loop(int *out, const int *in)
{
    const int n = 1 + (int)LANE % 9;
    int sum = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            sum += in[n % 32];
        case 3:
            sum += in[1];
        case 2:
            sum += in[2];
        case 1:
            sum += in[3];
        } while (--rounds > 0);
    }
    out[LANE] = sum;
}

struct shape {
    const char *kernel, *name;
    void (*run)(int *out, const int *in); /* 256 and 64 elements; in[i] is i % 32 */
    unsigned int stores, loads;
};

#define SHAPE(kernel, stores, loads)                                                               \
    {                                                                                              \
#kernel, #kernel, kernel, stores, loads                                                    \
    }
#define COMPUTE(rounds)                                                                            \
    {                                                                                              \
        "compute_then_store", "compute_" #rounds, compute_then_store<rounds>, 1, 1                 \
    }

static const struct shape shapes[] = {
    COMPUTE(10),
    COMPUTE(20000),
    COMPUTE(70000),
    SHAPE(loops_with_one_head, 3, 0),
    SHAPE(endless_around_while, 4, 0),
    SHAPE(three_heads, 2, 0),
    SHAPE(two_continues, 1, 8),
    SHAPE(two_continues_of_while, 1, 8),
    SHAPE(inner_breaks, 3, 0),
    SHAPE(collatz, 1, 1),
    SHAPE(jumps_back, 2, 0),
    SHAPE(loops_in_calls, 1, 1),
    SHAPE(condition_reads_first, 1, 1),
    SHAPE(either_condition, 1, 1),
    SHAPE(condition_of_a_loop, 1, 4),
    SHAPE(jumps_into_a_loop, 1, 30),
};

#endif
