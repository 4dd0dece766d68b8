/*
 * elfutils: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_dw

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "lazy/sharedlib.h"

static struct sharedlib lazy_library = {.soname = SONAME_dw};

LAZY(Dwarf_Attribute *, dwarf_attr, (Dwarf_Die * a, unsigned int b, Dwarf_Attribute *c), (a, b, c))
LAZY(Dwarf_Attribute *, dwarf_attr_integrate, (Dwarf_Die * a, unsigned int b, Dwarf_Attribute *c),
    (a, b, c))
LAZY(Dwarf *, dwarf_begin, (int a, Dwarf_Cmd b), (a, b))
LAZY(Dwarf *, dwarf_begin_elf, (Elf * a, Dwarf_Cmd b, Elf_Scn *c), (a, b, c))
LAZY(int, dwarf_cfi_addrframe, (Dwarf_CFI * a, Dwarf_Addr b, Dwarf_Frame **c), (a, b, c))
LAZY(int, dwarf_cfi_end, (Dwarf_CFI * a), (a))
LAZY(int, dwarf_child, (Dwarf_Die * a, Dwarf_Die *b), (a, b))
LAZY(Dwarf *, dwarf_cu_getdwarf, (Dwarf_CU * a), (a))
LAZY(Dwarf_Die *, dwarf_cu_die,
    (Dwarf_CU * a, Dwarf_Die *b, Dwarf_Half *c, Dwarf_Off *d, uint8_t *e, uint8_t *f, uint64_t *g,
	Dwarf_Off *h),
    (a, b, c, d, e, f, g, h))
LAZY(int, dwarf_cu_info,
    (Dwarf_CU * a, Dwarf_Half *b, uint8_t *c, Dwarf_Die *d, Dwarf_Die *e, uint64_t *f, uint8_t *g,
	uint8_t *h),
    (a, b, c, d, e, f, g, h))
LAZY(Dwarf_Die *, dwarf_diecu, (Dwarf_Die * a, Dwarf_Die *b, uint8_t *c, uint8_t *d), (a, b, c, d))
LAZY(Dwarf_Off, dwarf_dieoffset, (Dwarf_Die * a), (a))
LAZY(int, dwarf_end, (Dwarf * a), (a))
LAZY(const char *, dwarf_filesrc, (Dwarf_Files * a, size_t b, Dwarf_Word *c, Dwarf_Word *d),
    (a, b, c, d))
LAZY(Dwarf_Die *, dwarf_formref_die, (Dwarf_Attribute * a, Dwarf_Die *b), (a, b))
LAZY(const char *, dwarf_formstring, (Dwarf_Attribute * a), (a))
LAZY(int, dwarf_formudata, (Dwarf_Attribute * a, Dwarf_Word *b), (a, b))
LAZY(int, dwarf_frame_cfa, (Dwarf_Frame * a, Dwarf_Op **b, size_t *c), (a, b, c))
LAZY(int, dwarf_frame_info, (Dwarf_Frame * a, Dwarf_Addr *b, Dwarf_Addr *c, bool *d), (a, b, c, d))
LAZY(int, dwarf_frame_register, (Dwarf_Frame * a, int b, Dwarf_Op c[3], Dwarf_Op **d, size_t *e),
    (a, b, c, d, e))
LAZY(int, dwarf_get_units,
    (Dwarf * a, Dwarf_CU *b, Dwarf_CU **c, Dwarf_Half *d, uint8_t *e, Dwarf_Die *f, Dwarf_Die *g),
    (a, b, c, d, e, f, g))
LAZY(Dwarf *, dwarf_getalt, (Dwarf * a), (a))
LAZY(int, dwarf_getarangeinfo, (Dwarf_Arange * a, Dwarf_Addr *b, Dwarf_Word *c, Dwarf_Off *d),
    (a, b, c, d))
LAZY(int, dwarf_getaranges, (Dwarf * a, Dwarf_Aranges **b, size_t *c), (a, b, c))
LAZY(Dwarf_CFI *, dwarf_getcfi, (Dwarf * a), (a))
LAZY(Dwarf_CFI *, dwarf_getcfi_elf, (Elf * a), (a))
LAZY(Elf *, dwarf_getelf, (Dwarf * a), (a))
LAZY(Dwarf_Line *, dwarf_getsrc_die, (Dwarf_Die * a, Dwarf_Addr b), (a, b))
LAZY(int, dwarf_getsrcfiles, (Dwarf_Die * a, Dwarf_Files **b, size_t *c), (a, b, c))
LAZY(int, dwarf_hasattr, (Dwarf_Die * a, unsigned int b), (a, b))
LAZY(int, dwarf_lineno, (Dwarf_Line * a, int *b), (a, b))
LAZY(const char *, dwarf_linesrc, (Dwarf_Line * a, Dwarf_Word *b, Dwarf_Word *c), (a, b, c))
LAZY(int, dwarf_lowpc, (Dwarf_Die * a, Dwarf_Addr *b), (a, b))
LAZY(int, dwarf_next_cfi,
    (const unsigned char *a, Elf_Data *b, bool c, Dwarf_Off d, Dwarf_Off *e, Dwarf_CFI_Entry *f),
    (a, b, c, d, e, f))
LAZY(Dwarf_Die *, dwarf_offdie, (Dwarf * a, Dwarf_Off b, Dwarf_Die *c), (a, b, c))
LAZY(Dwarf_Arange *, dwarf_onearange, (Dwarf_Aranges * a, size_t b), (a, b))
LAZY(int, dwarf_next_unit,
    (Dwarf * a, Dwarf_Off b, Dwarf_Off *c, size_t *d, Dwarf_Half *e, Dwarf_Off *f, uint8_t *g,
	uint8_t *h, uint64_t *i, Dwarf_Off *j),
    (a, b, c, d, e, f, g, h, i, j))
LAZY(int, dwarf_offabbrev, (Dwarf * a, Dwarf_Off b, size_t *c, Dwarf_Abbrev *d), (a, b, c, d))
LAZY(ptrdiff_t, dwarf_ranges,
    (Dwarf_Die * a, ptrdiff_t b, Dwarf_Addr *c, Dwarf_Addr *d, Dwarf_Addr *e), (a, b, c, d, e))
LAZY(void, dwarf_setalt, (Dwarf * a, Dwarf *b), (a, b))
LAZY(int, dwarf_siblingof, (Dwarf_Die * a, Dwarf_Die *b), (a, b))
LAZY(int, dwarf_srclang, (Dwarf_Die * a), (a))
LAZY(int, dwarf_tag, (Dwarf_Die * a), (a))
LAZY(ssize_t, dwelf_dwarf_gnu_debugaltlink, (Dwarf * a, const char **b, const void **c), (a, b, c))
LAZY(ssize_t, dwelf_elf_gnu_build_id, (Elf * a, const void **b), (a, b))
LAZY(Dwfl *, dwfl_begin, (const Dwfl_Callbacks *a), (a))
LAZY(void, dwfl_end, (Dwfl * a), (a))
LAZY(int, dwfl_module_build_id, (Dwfl_Module * a, const unsigned char **b, GElf_Addr *c), (a, b, c))
LAZY(Dwarf *, dwfl_module_getdwarf, (Dwfl_Module * a, Dwarf_Addr *b), (a, b))
LAZY(Elf *, dwfl_module_getelf, (Dwfl_Module * a, GElf_Addr *b), (a, b))
LAZY(const char *, dwfl_module_getsym_info,
    (Dwfl_Module * a, int b, GElf_Sym *c, GElf_Addr *d, GElf_Word *e, Elf **f, Dwarf_Addr *g),
    (a, b, c, d, e, f, g))
LAZY(int, dwfl_module_getsymtab, (Dwfl_Module * a), (a))
LAZY(const char *, dwfl_module_info,
    (Dwfl_Module * a, void ***b, Dwarf_Addr *c, Dwarf_Addr *d, Dwarf_Addr *e, Dwarf_Addr *f,
	const char **g, const char **h),
    (a, b, c, d, e, f, g, h))
LAZY(int, dwfl_offline_section_address,
    (Dwfl_Module * a, void **b, const char *c, Dwarf_Addr d, const char *e, GElf_Word f,
	const GElf_Shdr *g, Dwarf_Addr *h),
    (a, b, c, d, e, f, g, h))
LAZY(int, dwfl_report_end,
    (Dwfl * a, int (*b)(Dwfl_Module *, void *, const char *, Dwarf_Addr, void *), void *c),
    (a, b, c))
LAZY(Dwfl_Module *, dwfl_report_module, (Dwfl * a, const char *b, Dwarf_Addr c, Dwarf_Addr d),
    (a, b, c, d))
LAZY(int, dwfl_standard_find_debuginfo,
    (Dwfl_Module * a, void **b, const char *c, Dwarf_Addr d, const char *e, const char *f,
	GElf_Word g, char **h),
    (a, b, c, d, e, f, g, h))
LAZY(Elf *, elf_begin, (int a, Elf_Cmd b, Elf *c), (a, b, c))
LAZY(int, elf_cntl, (Elf * a, Elf_Cmd b), (a, b))
LAZY(int, elf_compress, (Elf_Scn * a, int b, unsigned int c), (a, b, c))
LAZY(int, elf_end, (Elf * a), (a))
LAZY(Elf_Data *, elf_getdata, (Elf_Scn * a, Elf_Data *b), (a, b))
LAZY(Elf_Data *, elf_getdata_rawchunk, (Elf * a, int64_t b, size_t c, Elf_Type d), (a, b, c, d))
LAZY(char *, elf_getident, (Elf * a, size_t *b), (a, b))
LAZY(int, elf_getphdrnum, (Elf * a, size_t *b), (a, b))
LAZY(Elf_Scn *, elf_getscn, (Elf * a, size_t b), (a, b))
LAZY(int, elf_getshdrnum, (Elf * a, size_t *b), (a, b))
LAZY(int, elf_getshdrstrndx, (Elf * a, size_t *b), (a, b))
LAZY(Elf_Kind, elf_kind, (Elf * a), (a))
LAZY(Elf *, elf_memory, (char *a, size_t b), (a, b))
LAZY(Elf_Scn *, elf_nextscn, (Elf * a, Elf_Scn *b), (a, b))
LAZY(Elf_Data *, elf_rawdata, (Elf_Scn * a, Elf_Data *b), (a, b))
LAZY(char *, elf_rawfile, (Elf * a, size_t *b), (a, b))
LAZY(char *, elf_strptr, (Elf * a, size_t b, size_t c), (a, b, c))
LAZY(unsigned int, elf_version, (unsigned int a), (a))
LAZY(size_t, gelf_fsize, (Elf * a, Elf_Type b, size_t c, unsigned int d), (a, b, c, d))
LAZY(GElf_Chdr *, gelf_getchdr, (Elf_Scn * a, GElf_Chdr *b), (a, b))
LAZY(GElf_Ehdr *, gelf_getehdr, (Elf * a, GElf_Ehdr *b), (a, b))
LAZY(GElf_Phdr *, gelf_getphdr, (Elf * a, int b, GElf_Phdr *c), (a, b, c))
LAZY(GElf_Rela *, gelf_getrela, (Elf_Data * a, int b, GElf_Rela *c), (a, b, c))
LAZY(int, gelf_getclass, (Elf * a), (a))
LAZY(GElf_Shdr *, gelf_getshdr, (Elf_Scn * a, GElf_Shdr *b), (a, b))
LAZY(GElf_Sym *, gelf_getsym, (Elf_Data * a, int b, GElf_Sym *c), (a, b, c))
LAZY(int, gelf_update_shdr, (Elf_Scn * a, GElf_Shdr *b), (a, b))

#endif
