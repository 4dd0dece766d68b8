/*
 * expat: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_expat

#include <expat.h>

#include "lazy/sharedlib.h"

/* XML_GetCurrentByteIndex: the replacement of expat 2.7 is the same on 64-bit machines. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static struct sharedlib lazy_library = {.soname = SONAME_expat};

LAZY(const XML_LChar *, XML_ErrorString, (enum XML_Error a), (a))
LAZY(XML_Index, XML_GetCurrentByteIndex, (XML_Parser a), (a))
LAZY(enum XML_Error, XML_GetErrorCode, (XML_Parser a), (a))
LAZY(enum XML_Status, XML_Parse, (XML_Parser a, const char *b, int c, int d), (a, b, c, d))
LAZY(XML_Parser, XML_ParserCreate, (const XML_Char *a), (a))
LAZY(void, XML_ParserFree, (XML_Parser a), (a))
LAZY(XML_Bool, XML_ParserReset, (XML_Parser a, const XML_Char *b), (a, b))
LAZY(void, XML_SetCharacterDataHandler, (XML_Parser a, XML_CharacterDataHandler b), (a, b))
LAZY(void, XML_SetElementHandler,
    (XML_Parser a, XML_StartElementHandler b, XML_EndElementHandler c), (a, b, c))
LAZY(void, XML_SetEntityDeclHandler, (XML_Parser a, XML_EntityDeclHandler b), (a, b))
LAZY(void, XML_SetUserData, (XML_Parser a, void *b), (a, b))
LAZY(void, XML_SetXmlDeclHandler, (XML_Parser a, XML_XmlDeclHandler b), (a, b))
LAZY(enum XML_Status, XML_StopParser, (XML_Parser a, XML_Bool b), (a, b))

#endif
