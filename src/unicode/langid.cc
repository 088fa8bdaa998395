/*
 * langid.cc - CLD2 and ICU's Locale behind C names.
 *
 * Debian's libcld2 holds the code and the tables of 80-odd languages, libcld2_full only the
 * tables of 160. Linked in the order full, plain, the loader gives the code the full ones. We
 * refer to kQuad_obj for that as well: a linker that drops libraries nobody needs keeps it.
 */
#include "unicode/langid.h"

#include <cstdio> /* compact_lang_det.h needs FILE */
#include <cstring>

#include <cld2/internal/cld2tablesummary.h>
#include <cld2/internal/lang_script.h>
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#include <unicode/locid.h>

namespace CLD2
{
extern const CLD2TableSummary kQuad_obj;
}

bool dpl__langid_guess(dpl__langid *out, const char *text, size_t n)
try {
    const CLD2::CLDHints no_hints = {nullptr, nullptr, CLD2::UNKNOWN_ENCODING,
                                     CLD2::UNKNOWN_LANGUAGE};
    CLD2::Language top[3];
    int percent[3], n_letters = 0;
    double score[3];
    bool is_reliable = false;
    CLD2::Language language =
        CLD2::ExtDetectLanguageSummary(text, static_cast<int>(n), true, &no_hints, 0, top,
                                       percent, score, nullptr, &n_letters, &is_reliable);
    if (language == CLD2::UNKNOWN_LANGUAGE || language == CLD2::TG_UNKNOWN_LANGUAGE)
        return false;
    *out = {static_cast<int>(language), percent[0], is_reliable};
    return true;
} catch (...) {
    return false;
}

int dpl__langid_count(void)
{
    return CLD2::NUM_LANGUAGES;
}

const char *dpl__langid_code(int language)
{
    return CLD2::LanguageCode(static_cast<CLD2::Language>(language));
}

/* Some scripts name their language, CJK has tables of its own, the rest are listed with the
 * tables as "en-Latn az-Arab ...". */
bool dpl__langid_knows(int language)
{
    CLD2::Language l = static_cast<CLD2::Language>(language);
    if (l == CLD2::CHINESE || l == CLD2::CHINESE_T || l == CLD2::JAPANESE || l == CLD2::KOREAN)
        return true;
    for (int s = 0; s < CLD2::NUM_ULSCRIPTS; s++) {
        CLD2::ULScript script = static_cast<CLD2::ULScript>(s);
        if (CLD2::ULScriptRecognitionType(script) == CLD2::RTypeOne &&
            CLD2::DefaultLanguage(script) == l)
            return true;
    }
    const char *code = dpl__langid_code(language);
    size_t n = std::strlen(code);
    for (const char *p = CLD2::kQuad_obj.kRecognizedLangScripts; n && *p;) {
        if (std::strncmp(p, code, n) == 0 && p[n] == '-')
            return true;
        p += std::strcspn(p, " ");
        p += std::strspn(p, " ");
    }
    return false;
}

const char *dpl__langid_version(void)
{
    return CLD2::DetectLanguageVersion();
}

bool dpl__langid_alias(char out[12], const char *tag)
{
    icu::Locale locale = icu::Locale::createCanonical(tag);
    const char *language = locale.getLanguage();
    size_t n = std::strlen(language);
    if (locale.isBogus() || n == 0 || n > 11)
        return false;
    std::memcpy(out, language, n + 1);
    return true;
}
