/*
 * zydis: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_Zydis

#include <Zydis/Zydis.h>

#include "lazy/sharedlib.h"

static struct sharedlib lazy_library = {.soname = SONAME_Zydis};

LAZY(ZyanStatus, ZydisDecoderDecodeInstruction,
    (const ZydisDecoder *a, ZydisDecoderContext *b, const void *c, ZyanUSize d,
	ZydisDecodedInstruction *e),
    (a, b, c, d, e))
LAZY(ZyanStatus, ZydisDecoderDecodeOperands,
    (const ZydisDecoder *a, const ZydisDecoderContext *b, const ZydisDecodedInstruction *c,
	ZydisDecodedOperand *d, ZyanU8 e),
    (a, b, c, d, e))
LAZY(ZyanStatus, ZydisDecoderInit, (ZydisDecoder * a, ZydisMachineMode b, ZydisStackWidth c),
    (a, b, c))
LAZY(ZydisRegister, ZydisRegisterGetLargestEnclosing, (ZydisMachineMode a, ZydisRegister b), (a, b))

#endif
