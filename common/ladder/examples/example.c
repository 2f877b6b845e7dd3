#include <ladder.h>
#include <stdio.h>

int main(void)
{
    uint32_t keys[] = {3, 1, 3, 3}, counts[5] = {0};
    ladder_status status = ladder_reduce_by_index_now(LADDER_COUNT, keys, NULL, 4, counts, 5);
    printf("%s %u\n", ladder_status_text(status), counts[3]);
    return status != LADDER_OK;
}
