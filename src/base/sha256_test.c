#include "base/sha256.h"
#include "test.h"

#include <stdio.h>

static const char *hex_of(const char *text, size_t times)
{
    static char hex[65];
    uint8_t sum[32];
    dpl__sha256 s = dpl__sha256_begin();
    for (size_t i = 0; i < times; i++)
        dpl__sha256_add(&s, text, strlen(text));
    dpl__sha256_end(&s, sum);
    for (int i = 0; i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", sum[i]);
    return hex;
}

/* The examples of the standard. */
DPL_TEST(sha256, known_texts_have_their_sums)
{
    CHECK_STR(dpl__cstr(hex_of("", 1)),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_STR(dpl__cstr(hex_of("abc", 1)),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_STR(dpl__cstr(hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1)),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK_STR(dpl__cstr(hex_of("a", 1000000)),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

DPL_TEST(sha256, a_source_of_a_policy_is_base64_in_quotes)
{
    char source[DPL__SOURCE_SIZE];
    static const char *const pieces[] = {"a", "", "bc"};
    dpl__policy_source(source, pieces, DPL_LEN(pieces));
    CHECK_STR(dpl__cstr(source), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
    CHECK_EQ(strlen(source) + 1, 54);
}
