#include "readers/guess.h"

#include "readers/wiki/dump_test.h"
#include "test.h"

#include <stdio.h>
#include <unicode/ucnv.h>

static const char russian[] =
    "Система управления пакетами следит за тем, чтобы программы, которые нужны друг другу, "
    "были установлены вместе. Если вы хотите удалить пакет, сначала посмотрите, что от него "
    "зависит.\n";
static const char czech[] =
    "Správce balíků dohlíží na to, aby programy, které se navzájem potřebují, byly "
    "nainstalovány společně. Chcete-li balík odstranit, nejprve zjistěte, co na něm závisí. "
    "Příkaz najdete v příručce, též v češtině. Když se něco nepodaří, systém vás upozorní a "
    "nabídne řešení. Některé balíčky můžete ponechat v původní verzi, dokud se nerozhodnete, "
    "že je chcete aktualizovat; příští spuštění pak začne znovu od začátku.\n";
static const char french[] =
    "Le gestionnaire de paquets veille à ce que les programmes nécessaires les uns aux autres "
    "soient installés ensemble. Avant de supprimer un paquet, vérifiez ce qui en dépend, où il "
    "a été placé et par quel procédé il était créé. Les réglages déjà modifiés à l'étape "
    "précédente sont conservés, même après une réinstallation complète du système.\n";
static const char japanese[] =
    "パッケージ管理システムは、互いに必要なプログラムが一緒にインストールされるようにします。"
    "パッケージを削除する前に、それに依存しているものを確認してください。\n";
static const char chinese[] = "软件包管理系统确保相互需要的程序安装在一起。"
                              "在删除软件包之前，请先查看依赖它的内容。\n";
static const char taiwanese[] = "套件管理系統確保互相需要的程式安裝在一起。"
                                "在刪除套件之前，請先查看依賴它的內容。\n";
static const char korean[] =
    "패키지 관리 시스템은 서로 필요한 프로그램이 함께 설치되도록 합니다. "
    "패키지를 삭제하기 전에 의존하는 것을 확인하십시오.\n";
static const char greek[] = "Το σύστημα διαχείρισης πακέτων φροντίζει ώστε τα προγράμματα που "
                            "χρειάζονται το ένα το άλλο να εγκαθίστανται μαζί. Άλλα πακέτα.\n";

static const struct text {
    const char *text, *encoding, *named;
} texts[] = {
    {russian, "windows-1251", "windows-1251"},
    {russian, "KOI8-R", "KOI8-R"},
    {russian, "ISO-8859-5", "ISO-8859-5"},
    {czech, "ISO-8859-2", "ISO-8859-2"},
    {czech, "windows-1250", "windows-1250"},
    {french, "ISO-8859-1", "windows-1252"},
    {japanese, "Shift_JIS", "windows-31j"},
    {japanese, "EUC-JP", "EUC-JP"},
    {japanese, "ISO-2022-JP", "ISO-2022-JP"},
    {chinese, "GB18030", "GB18030"},
    {taiwanese, "Big5", "Big5"},
    {korean, "EUC-KR", "windows-949"},
    {greek, "windows-1253", "windows-1253"},
    {greek, "ISO-8859-7", "ISO-8859-7"},
};

static size_t encode(char *out, size_t n, const char *text, const char *encoding)
{
    UErrorCode code = U_ZERO_ERROR;
    int32_t length =
        ucnv_convert(encoding, "UTF-8", out, (int32_t)n, text, (int32_t)strlen(text), &code);
    CHECK(U_SUCCESS(code));
    return (size_t)length;
}

DPL_TEST(guess, texts_of_many_languages_are_detected)
{
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        char bytes[2000];
        dpl__guess guess;
        dpl_str s = {bytes, encode(bytes, sizeof bytes, texts[i].text, texts[i].encoding)};
        CHECK_OK(dpl__charset_guess(&guess, ctx, s, &test_err));
        CHECK_STR(dpl__cstr(guess.charset.name), texts[i].named);
        CHECK(guess.is_sure);
    }
    test_ctx_done(ctx);
}

DPL_TEST(guess, a_few_bytes_are_not_enough)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char *const few[] = {
        "",
        "a",
        "\xE4",
        "sch\xF6n",
        "caf\xE9 \xE0 Paris",
        "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8A\x8B\x8C\x8D"};
    for (size_t i = 0; i < DPL_LEN(few); i++) {
        dpl__guess guess;
        CHECK_OK(dpl__charset_guess(&guess, ctx, dpl__cstr(few[i]), &test_err));
        CHECK(!guess.is_sure);
    }
    test_ctx_done(ctx);
}

DPL_TEST(guess, utf16_without_a_mark_is_detected_in_both_orders)
{
    static const char *const names[] = {"UTF-16BE", "UTF-16LE"};
    static const char *const all[] = {russian, czech, french, japanese, chinese, korean};
    for (size_t i = 0; i < DPL_LEN(all); i++)
        for (int order = 0; order < 2; order++) {
            char bytes[2000];
            bool is_little_endian;
            dpl_str s = {bytes, encode(bytes, sizeof bytes, all[i], names[order])};
            CHECK(dpl__is_utf16(s, &is_little_endian));
            CHECK_EQ(is_little_endian, order);
        }
    bool order;
    CHECK(!dpl__is_utf16(DPL_STR("plain text, all of it ASCII\n"), &order));
    CHECK(!dpl__is_utf16((dpl_str){"\0\1\2\3\4\5\6\7\0\0\0\0 \0 \0", 16}, &order));
    CHECK(!dpl__is_utf16((dpl_str){russian, sizeof russian - 1}, &order));
}

static dpl_status guess_it(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__guess guess;
    return dpl__charset_guess(&guess, ctx, dpl__cstr(user), err);
}

DPL_TEST(guess, every_allocation_may_fail)
{
    static char text[] = "d\xE9j\xE0 vu";
    test_allocation_failures(guess_it, text);
}

/* ---- files ---------------------------------------------------------------------------- */

static dump read_encoded(const char *name, const char *before, const char *encoding,
                         const dpl_reader_options *options)
{
    char bytes[4000];
    size_t n = strlen(before);
    memcpy(bytes, before, n);
    n += encode(bytes + n, sizeof bytes - n, russian, encoding);
    return dump_bytes(name, bytes, n, options);
}

static uint64_t n_converted(const dump *d, const char *encoding)
{
    unsigned i = 0;
    while (strcmp(dpl__encoding_name(i), encoding) != 0)
        i++;
    return d->counts.n_converted[i];
}

DPL_TEST(encoding, files_of_every_format_are_converted)
{
    static const char *const starts[][2] = {
        {"a.tsv", "0\tASCII\n1\t"}, {"a.csv", "id;text\n0;ASCII\n1;"}, {"a.txt", ""}};
    static const char *const encodings[] = {"windows-1251", "KOI8-R", "ISO-8859-5"};
    char expected[1000];
    for (size_t i = 0; i < DPL_LEN(encodings); i++) {
        dump d = read_encoded("a.tsv", "0\tASCII\n1\t", encodings[i], NULL);
        snprintf(expected, sizeof expected, "0||ASCII|\n1||%.*s|\n", (int)sizeof russian - 2,
                 russian);
        CHECK_STR(dpl__cstr(d.text), expected);
        for (size_t k = 0; k < DPL_LEN(starts); k++) {
            d = read_encoded(starts[k][0], starts[k][1], encodings[i], NULL);
            CHECK(strstr(d.text, "Система управления пакетами") != NULL);
            CHECK_EQ(n_converted(&d, encodings[i]), 1);
        }
    }
}

DPL_TEST(encoding, utf16_without_a_mark_is_converted)
{
    dump d = read_encoded("a.txt", "", "UTF-16LE", NULL);
    CHECK(strstr(d.text, "Система управления пакетами") != NULL);
    CHECK_EQ(n_converted(&d, "UTF-16"), 1);
}

DPL_TEST(encoding, the_size_of_chunks_does_not_matter)
{
    char path[400];
    dump d = read_encoded("chunks.tsv", "0\tASCII\n1\t", "KOI8-R", NULL);
    CHECK_EQ(n_converted(&d, "KOI8-R"), 1);
    snprintf(path, sizeof path, "%s/chunks.tsv", test_dir());
    d = dump_with_all_chunks(path, NULL);
    CHECK(strstr(d.text, "Система управления пакетами") != NULL);
    check_read_allocations(path, NULL);
}

DPL_TEST(encoding, an_option_sets_it_for_what_is_not_utf8)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .encoding = "koi8-r");
    CHECK_DUMP("a.tsv", "1\t\xCD\xC9\xD2\n", &o, "1||\xD0\xBC\xD0\xB8\xD1\x80|\n");
    CHECK(strstr(DUMP_TEXT("a.txt", "\xCD\xC9\xD2\n", &o).text, "|\xD0\xBC\xD0\xB8\xD1\x80"));
    CHECK_DUMP("a.tsv", "1\t\xC3\xA4\n", &o, "1||\xC3\xA4|\n");
    o.encoding = "utf-8";
    dump d = read_encoded("a.tsv", "1\t", "windows-1251", &o);
    CHECK_STR(dpl__cstr(d.err.code), "bad-utf8");
    o.encoding = "utf-16be";
    d = read_encoded("a.txt", "", "UTF-16BE", &o);
    CHECK(strstr(d.text, "Система") != NULL);
    o.encoding = "no such";
    d = read_encoded("a.tsv", "1\t", "windows-1251", &o);
    CHECK_STR(dpl__cstr(d.text), "! unknown encoding 'no such'\n");
}

DPL_TEST(encoding, what_is_not_sure_is_named)
{
    dump d = DUMP_TEXT("a.tsv", "1\td\xE9j\xE0 vu, tr\xE8s bient\xF4t\n", NULL);
    CHECK_STR(dpl__cstr(d.err.code), "bad-encoding");
    CHECK(strstr(d.text, "invalid UTF-8 (byte 0xE9 at column 4), it may be windows-1252"));
    d = DUMP_TEXT("a.txt", "d\xE9j\xE0 vu, tr\xE8s bient\xF4t\n", NULL);
    CHECK(strstr(d.text, "it may be windows-1252"));
}

DPL_TEST(encoding, bytes_without_meaning_meet_the_policy)
{
    static const char text[] = "1\t\x93\xFA\x96\x7B\x81\n2\tb\n";
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .encoding = "shift_jis");
    dump d = dump_bytes("a.tsv", text, sizeof text - 1, &o);
    CHECK(strstr(d.text, "invalid Shift_JIS"));
    o.on_error = DPL_ON_ERROR_SKIP;
    d = dump_bytes("a.tsv", text, sizeof text - 1, &o);
    CHECK_STR(dpl__cstr(d.text), "2||b|\n");
}
