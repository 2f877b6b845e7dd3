/* symbol.c - the variables of the program, from its own symbol table.
 *
 * libbacktrace could be asked, too. But it searches by halves, and then a symbol without a
 * size, as the linker puts at the end of .data, may hide the variable that begins there. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report.h"

typedef ElfW(Ehdr) file_header;
typedef ElfW(Shdr) section_header;
typedef ElfW(Sym) symbol;

/* The program, or the shared library, that holds an address. */
struct module {
    uintptr_t address;
    uintptr_t offset; /* how far from its own addresses it was loaded */
    const char *path; /* NULL: none holds it */
};

static int look_into(struct dl_phdr_info *info, size_t size, void *data)
{
    struct module *module = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            module->address - info->dlpi_addr - info->dlpi_phdr[i].p_vaddr <
                info->dlpi_phdr[i].p_memsz) {
            module->offset = info->dlpi_addr;
            module->path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
            return 1;
        }
    return 0;
}

/* The bytes of a file; NULL when it cannot be read. The last one is kept. */
static const unsigned char *read_file(const char *path)
{
    static const unsigned char *file;
    static char kept[512];
    struct stat status;
    if (file && strcmp(path, kept) == 0)
        return file;
    file = NULL;
    snprintf(kept, sizeof kept, "%s", path);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    if (fstat(descriptor, &status) == 0) {
        void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        file = memory == MAP_FAILED ? NULL : memory;
    }
    close(descriptor);
    return file;
}

/* The variable that holds `address`, as the file has it; NULL when none does. Its name is
 * left in *name. */
static const symbol *find_in_file(const unsigned char *file, uintptr_t address, const char **name)
{
    const file_header *head = (const void *)file;
    const section_header *section = (const void *)(file + head->e_shoff);
    for (size_t s = 0; s < head->e_shnum; s++) {
        if (section[s].sh_type != SHT_SYMTAB)
            continue;
        const symbol *found = (const void *)(file + section[s].sh_offset);
        const symbol *end = found + section[s].sh_size / sizeof *found;
        for (; found < end; found++)
            if ((found->st_info & 15) == STT_OBJECT && address - found->st_value < found->st_size) {
                size_t names = section[section[s].sh_link].sh_offset;
                *name = (const char *)file + names + found->st_name;
                return found;
            }
    }
    return NULL;
}

/* The name of the variable that holds `address`, or NULL; where it begins, and its size. */
static const char *find(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    struct module module = {.address = address};
    const char *name = NULL;
    dl_iterate_phdr(look_into, &module);
    const unsigned char *file = module.path ? read_file(module.path) : NULL;
    const symbol *found = file ? find_in_file(file, address - module.offset, &name) : NULL;
    *base = found ? found->st_value + module.offset : 0;
    *bytes = found ? found->st_size : 0;
    return name;
}

bool sim_find_symbol(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    return find(address, base, bytes) != NULL;
}

char *sim_symbol_name(uintptr_t address, char *name, size_t size)
{
    uintptr_t base;
    size_t bytes;
    const char *found = find(address, &base, &bytes);
    if (found)
        sim_readable_name(found, name, size);
    else
        snprintf(name, size, "a __device__ variable");
    return name;
}
