/* mpi_reads.c - what MPI_File reads of the file that is watched: see file_reads.h. */
#include <mpi.h>
#include <stdbool.h>

#include "file_reads.h"

/* What MPI itself reads of its files to answer is not noted: that may be more, or another rank's. */
#define UNNOTED(call)                                                                              \
    ({                                                                                             \
        file_reads_pause();                                                                        \
        int called_ = call;                                                                        \
        file_reads_resume();                                                                       \
        called_;                                                                                   \
    })

/* All files that are opened while one is watched are taken for it. Where one rank may not open it, none can:
 * a failure of some alone is not what MPI_File_open knows. */
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
    const struct file_rules *rules = file_reads_rules();
    int refused = rules && rules->refused;
    PMPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MAX, comm);
    if (!refused)
        return UNNOTED(PMPI_File_open(comm, name, mode, info, file));
    *file = MPI_FILE_NULL;
    return MPI_ERR_ACCESS;
}

static MPI_Offset bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (MPI_Offset)count * size;
}

/* Bytes that have come, or with no status those that were asked for as far as the file has them. */
static void note(MPI_File file, const void *to, MPI_Offset at, MPI_Offset asked,
                 const MPI_Status *status)
{
    MPI_Offset begin = 0, size = 0;
    int got = 0;
    PMPI_File_get_byte_offset(file, at, &begin);
    PMPI_File_get_size(file, &size);
    if (status) {
        PMPI_Get_count(status, MPI_BYTE, &got);
        asked = got == MPI_UNDEFINED ? asked : got;
    }
    MPI_Offset end = begin + asked < size ? begin + asked : size;
    if (begin < end)
        file_reads_note(to, (uint64_t)begin, (uint64_t)end);
}

static bool skips(void)
{
    const struct file_rules *rules = file_reads_rules();
    file_reads_before();
    return rules && rules->skips;
}

static MPI_Offset position(MPI_File file)
{
    MPI_Offset at = 0;
    PMPI_File_get_position(file, &at);
    return at;
}

/* A read at an offset: nothing is brought where contents are skipped, and all say so together. */
#define READ_AT(name)                                                                              \
    int MPI_##name(MPI_File file, MPI_Offset at, void *to, int count, MPI_Datatype type,           \
                   MPI_Status *status)                                                             \
    {                                                                                              \
        MPI_Status own;                                                                            \
        bool skipped = skips();                                                                    \
        int result = UNNOTED(PMPI_##name(file, at, to, skipped ? 0 : count, type, &own));          \
        if (result == MPI_SUCCESS)                                                                 \
            answer(file, to, at, count, type, skipped, &own);                                      \
        if (status != MPI_STATUS_IGNORE)                                                           \
            *status = own;                                                                         \
        return result;                                                                             \
    }
/* The same from where the file stands. */
#define READ(name)                                                                                 \
    int MPI_##name(MPI_File file, void *to, int count, MPI_Datatype type, MPI_Status *status)      \
    {                                                                                              \
        MPI_Status own;                                                                            \
        MPI_Offset at = position(file);                                                            \
        bool skipped = skips();                                                                    \
        int result = UNNOTED(PMPI_##name(file, to, skipped ? 0 : count, type, &own));              \
        if (result == MPI_SUCCESS)                                                                 \
            answer(file, to, at, count, type, skipped, &own);                                      \
        if (skipped)                                                                               \
            PMPI_File_seek(file, count, MPI_SEEK_CUR);                                             \
        if (status != MPI_STATUS_IGNORE)                                                           \
            *status = own;                                                                         \
        return result;                                                                             \
    }

/* Notes what was read; in place of what was skipped the status gets what would have come. */
static void answer(MPI_File file, const void *to, MPI_Offset at, int count, MPI_Datatype type,
                   bool skipped, MPI_Status *status)
{
    MPI_Offset asked = bytes_of(count, type), begin = 0, size = 0;
    note(file, to, at, asked, skipped ? NULL : status);
    if (!skipped)
        return;
    PMPI_File_get_byte_offset(file, at, &begin);
    PMPI_File_get_size(file, &size);
    MPI_Offset there = begin < size ? size - begin : 0;
    PMPI_Status_set_elements(status, MPI_BYTE, (int)(asked < there ? asked : there));
}

READ_AT(File_read_at)
READ_AT(File_read_at_all)
READ(File_read)
READ(File_read_all)

int MPI_File_iread_at(MPI_File file, MPI_Offset at, void *to, int count, MPI_Datatype type,
                      MPI_Request *request)
{
    bool skipped = skips();
    note(file, to, at, bytes_of(count, type), NULL);
    return UNNOTED(PMPI_File_iread_at(file, at, to, skipped ? 0 : count, type, request));
}

int MPI_File_iread(MPI_File file, void *to, int count, MPI_Datatype type, MPI_Request *request)
{
    MPI_Offset at = position(file);
    bool skipped = skips();
    note(file, to, at, bytes_of(count, type), NULL);
    int result = UNNOTED(PMPI_File_iread(file, to, skipped ? 0 : count, type, request));
    if (skipped)
        PMPI_File_seek(file, count, MPI_SEEK_CUR);
    return result;
}
