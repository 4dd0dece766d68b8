/*
 * protobufc: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_protobuf_c

#include <protobuf-c/protobuf-c.h>

#include "lazy/library.h"

static struct library lazy_library = {.soname = SONAME_protobuf_c};

LAZY(void, protobuf_c_message_free_unpacked, (ProtobufCMessage * a, ProtobufCAllocator *b), (a, b))
LAZY(size_t, protobuf_c_message_get_packed_size, (const ProtobufCMessage *a), (a))
LAZY(size_t, protobuf_c_message_pack, (const ProtobufCMessage *a, uint8_t *b), (a, b))
LAZY(size_t, protobuf_c_message_pack_to_buffer, (const ProtobufCMessage *a, ProtobufCBuffer *b),
    (a, b))
LAZY(ProtobufCMessage *, protobuf_c_message_unpack,
    (const ProtobufCMessageDescriptor *a, ProtobufCAllocator *b, size_t c, const uint8_t *d),
    (a, b, c, d))

/* The default of strings in generated code; the library compares none with its own. */
const char protobuf_c_empty_string[] = "";

#endif
