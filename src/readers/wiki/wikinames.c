/*
 * wikinames.c - look-ups of namespace names, language codes, redirect words and tags.
 *
 * Names are compared after simple case folding, as MediaWiki does. Only links with a colon in
 * their target get here, so a list of names is one string that is searched from its start;
 * languages, of which an old article may list a hundred, are found by bisection.
 */
#include "readers/wiki/wikinames.h"

#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/map.h"
#include "unicode/unicode.h"

#include <pthread.h>
#include <unicode/uchar.h>

/* Names in lower case, with underscores for blanks inside them and blanks around each. */
static const char file_names[] =
    " file image datei bild fichier archivo imagen immagine ficheiro imagem arquivo "
    "imaxe файл изображение зображення выява картинка датотека слика datoteka slika "
    "податотека plik grafika soubor súbor bestand afbeelding fil bilde billede "
    "tiedosto kuva pilt fail fails attēls vaizdas fájl kép fișier fişier imagine "
    "fitxer imatge fitxategi irudi fichièr restr skeudenn delwedd íomhá faidhle "
    "dealbh mynd lêer beeld ofbyld dosya resim şəkil fayl сурет tasvir рәсем ӳкерчĕк "
    "պատկեր ფაილი სურათი αρχείο εικόνα קובץ תמונה ملف صورة پرونده تصویر فائل चित्र "
    "चित्रम् फ़ाइल চিত্র ফাইল படிமம் దస్త్రం బొమ్మ ಚಿತ್ರ പ്രമാണം ചിത്രം ගොනුව ไฟล์ ภาพ ຮູບ ឯកសារ "
    "រូបភាព ဖိုင် tập_tin hình berkas gambar imej talaksan payl picha faili dosiero "
    "fasciculus imago ragiv ファイル 画像 文件 檔案 档案 图像 圖像 파일 그림 skeda "
    "figura stampa dataja wobraz paypay ચિત્ર ਤਸਵੀਰ ଫାଇଲ зураг сүрөт акс טעקע בילד "
    "پەڕگە وێنە دوتنه fiùra immàggini imàgine imachen ficheru imaxen imådje ";

static const char category_names[] =
    " category kategorie catégorie categoría categoria категория категорія катэгорыя "
    "категорија kategorija kategoria luokka kategória categorie kategori flokkur "
    "bólkur kategooria rummad categori catagóir roinn-seòrsa kateqoriya санат turkum "
    "төркем категори կատեգորիա კატეგორია κατηγορία קטגוריה تصنيف رده زمرہ श्रेणी वर्ग "
    "वर्गः বিষয়শ্রেণী பகுப்பு వర్గం ವರ್ಗ വർഗ്ഗം "
    "ප්‍රවර්ගය "
    "หมวดหมู่ "
    "ໝວດ "
    "ចំណាត់ថ្នាក់ក្រុម "
    "ကဏ္ဍ "
    "thể_loại kaurian kategorya kategoriya jamii kategorio klad カテゴリ 分类 分類 "
    "분류 kategoreja kategory kategoryjo kaarangay શ્રેણી ਸ਼੍ਰੇਣੀ ангилал гурӯҳ "
    "קאטעגאריע پۆل وېشنيزه categoreye ";

static const char redirect_words[] =
    " redirect weiterleitung redirection redirección redireccion rinvia rinvio "
    "перенаправление перенапр перенаправлення перанакіраванне пренасочване виж "
    "преусмери preusmeri preusmjeri пренасочување patrz przekieruj tam "
    "doorverwijzing redirecionamento redireccionamento omdirigering omdiriger "
    "omstilling viderekoble ohjaus uudelleenohjaus suuna átirányítás redirectează "
    "redireccio redirecció birzuzendu přesměruj presmeruj tilvísun athchúrsaíodh "
    "ail-cyfeirio ailgyfeirio yönlendirme yönlendir istiqamətləndirmə айдау юнәлтү "
    "վերահղում გადამისამართება ανακατευθυνση הפניה تحويل تغییر_مسیر تغییرمسیر "
    "رجوع_مکرر पुनर्प्रेषित अनुप्रेषित পুনর্নির্দেশ வழிமாற்று దారిమార్పు ತಿರುಗಿಸಿ "
    "തിരിച്ചുവിടുക เปลี่ยนทาง đổi alih lencong alidirekto リダイレクト 転送 重定向 "
    "넘겨주기 ridirejt purslēgt ";

/* Templates of pages that list the meanings of a name, by their names in many languages. */
static const char disambiguation_names[] =
    " disambiguation disambig dab disamb hndis geodis disambiguation_page begriffsklärung "
    "homonymie homonymes homonymie_de_patronyme desambiguación desambiguacion desambig "
    "disambigua desambiguação desambig-ini dp doorverwijspagina dpintro ujednoznacznienie "
    "disambigr неоднозначность многозначность однофамільці неоднозначність disambigg "
    "неадназначнасць пояснение вишезначна_одредница вишезначна-одредница razdvojba "
    "višeznačna_odrednica förgrening grensida gren flertydig peker pekerside "
    "täsmennyssivu rozcestník rozlišovacia_stránka egyért egyért-redir dezambiguizare "
    "dezambig desambiguació argipen aðgreining idirdhealú gwahaniaethu anlam_ayrımı "
    "dəqiqləşdirmə айрық բազմիմաստ მრავალმნიშვნელოვანი αποσαφήνιση פירושונים توضيح "
    "ابهام‌زدایی ضد_ابہام बहुविकल्पी_शब्द "
    "দ্ব্যর্থতা_নিরসন "
    "பக்கவழி_நெறிப்படுத்தல் "
    "แก้กำกวม "
    "định_hướng trang_định_hướng disambiguasi nyahkekaburan apartigilo discretiva "
    "aimai 曖昧さ回避 消歧义 消歧義 消歧義頁 동음이의 täpsustus täpsustuslehekülg "
    "nozīmju_atdalīšana "
    "nuorodinis pojasni dyambig daudznozīmīga_vārda_lapa ";

/* Parts of names of infoboxes: " Infobox city", "Ficha de persona", "Город инфо". */
static const char *const infobox_parts[] = {
    "infobox",      "infobok",     "infotaula",     "infokast",    "infokutija",
    "infopolje",    "infobloc",    "infocaset",     "informkesto", "infobosca",
    "taxobox",      "speciesbox",  "subspeciesbox", "geobox",      "chembox",
    "drugbox",      "starbox",     " ficha_",       " info/",      " карточка",
    " картка",      "инфокути",    "инфо_",         "_инфо",       " картачка",
    "bilgi_kutusu", "faktaboks",   "faktamall",     "faktarute",   "tietolaatikko",
    "基礎情報",     "信息框",      "정보",          "πληροφορι",   "צונית",
    "_معلومات",     "_اطلاعات",    "ज्ञानसन्दूक",      "তথ্যছক",       "தகவல்சட்டம்",
    "กล่องข้อมูล",     "thông_tin",   "kotak_info",    "gwybodlen",   "ინფოდაფა",
    "տեղեկաքարտ",   "info_kutija", " datos_",       " scheda_",    "информкутија",
};

/* The first word of a title of a list. */
static const char list_words[] =
    " list lists liste listes lista listas elenco lijst список списък списак "
    "сьпіс спіс popis zoznam seznam listi luettelo loend saraksts sąrašas daftar "
    "senarai listă llista zerrenda listo ";

/* Templates whose text a reader sees: their names, and what is shown. */
static const struct content_template {
    const char *names;
    dpl__wiki_content content;
} content_templates[] = {
    {" nowrap nobr nobreak j nwr small smaller smaller2 big large larger midsize em "
     "strong abbr tooltip visible_anchor vanchor anchored small_caps smallcaps sc "
     "smallcaps_all quote blockquote cquote quotation bq rquote pull_quote quote_box "
     "zitat citation_bloc citation cita cita_destacada citaat citat цитата начало_цитаты "
     "цитата_в_блоке ill interlanguage_link link-interwiki lien ill-wd2 iw не_переведено "
     "не_переведено_5 нп нп5 translink wikt-lang wikt mvar overline underline pre2 kbd "
     "code mono var math_text wd vert 仮リンク linktext angbr angle_bracket vr ipalink "
     "ipa_link ipaslink ipablink flag flagcountry flagu circa ca. c. unicode polytonic "
     "hebrew greek arabic cuneiform sup sub track_gauge railgauge center nobold "
     "plainlist flatlist longitem font noitalic sic not_a_typo typo nihongo nihongo2 nihongo3 "
     "nq bquote poemquote \" ens frs des ess "
     "its rus las grs pls jas zhs ars hes trs nls pts svs uks css hus fis ros bgs srs "
     "hrs els ",
     DPL__CONTENT_FIRST},
    {" lang langx lang-x langue idioma язык script font_color color colour fontcolor zh-lang "
     "мова rtl-lang ltr-lang rtl-para legend legend0 legend2 legend-line background_color ",
     DPL__CONTENT_SECOND},
    {" transl transliteration translit resize columns-list column_list ", DPL__CONTENT_LAST},
    {" convert cvt unit unité maß val num formatnum число nombre_avec_unité bibleref "
     "bibleverse "
     "oldstyledate ship ",
     DPL__CONTENT_MEASURE},
    {" chem chem2 gaps ", DPL__CONTENT_JOINED},
    {" frac sfrac fraction ", DPL__CONTENT_FRACTION},
    {" birth_date birth_date_and_age death_date death_date_and_age start_date end_date "
     "start_date_and_age film_date dts dob birth-date death-date bda ",
     DPL__CONTENT_DATE},
    {" hlist ubl ordered_list unbulleted_list collapsible_list bulleted_list "
     "comma_separated_entries "
     "plain_list cslist ",
     DPL__CONTENT_LIST},
    {" hms uss ss rms mv hmas hmcs rv usns usat ms hmnzs ", DPL__CONTENT_NAMED},
};

/* Templates that stand for a few characters, or have them in front of their first parameter: no
 * longer than their shortest use. */
static const struct fixed_template {
    const char *name, *text;
    bool has_parameter;
} fixed_templates[] = {
    {"snd", " – ", false},      {"snds", " – ", false},   {"spaced_ndash", " – ", false},
    {"spnd", " – ", false},     {"ndash", "–", false},    {"endash", "–", false},
    {"mdash", "—", false},      {"mdashb", "—", false},   {"spaced_mdash", " — ", false},
    {"nbsp", " ", false},       {"space", " ", false},    {"spaces", " ", false},
    {"nnbsp", " ", false},      {"thinsp", " ", false},   {"thin_space", " ", false},
    {"hair_space", " ", false}, {"zwsp", "", false},      {"'", "'", false},
    {"'s", "'s", false},        {"'\"", "'\"", false},    {"\"'", "\"'", false},
    {"'_\"", "'\"", false},     {"\"_'", "\"'", false},   {"-\"", "\"", false},
    {"-'", "'", false},         {"=", "=", false},        {"!", "|", false},
    {"dot", " · ", false},      {"·", " · ", false},      {"•", " • ", false},
    {"middot", "·", false},     {"eqm", " ⇌ ", false},    {"pi", "π", false},
    {"times", "×", false},      {"minus", "−", false},    {"shy", "", false},
    {"degree", "°", false},     {"ellipsis", "…", false}, {"e", "×10", true},
    {"as_of", "As of ", true},  {"us$", "US$", true},
};

/* "Talk", "User", ...; most also exist with "_talk" behind the name. */
static const char namespaces[] =
    " talk user wikipedia project file image mediawiki template help portal category "
    "book draft timedtext module gadget mos topic special media ";

/* Sorted, bytewise. */
/* clang-format off */
static const char *const languages[] = {
    "aa", "ab", "ace", "ady", "af", "ak", "als", "alt", "am", "ami", "an", "ang", "ann",
    "anp", "ar", "arc", "ary", "arz", "as", "ast", "atj", "av", "avk", "awa", "ay", "az",
    "azb", "ba", "ban", "bar", "bat-smg", "bbc", "bcl", "be", "be-tarask", "be-x-old", "bew",
    "bg", "bh", "bi", "bjn", "blk", "bm", "bn", "bo", "bpy", "br", "bs", "btm", "bug", "bxr",
    "ca", "cbk-zam", "cdo", "ce", "ceb", "ch", "cho", "chr", "chy", "ckb", "co", "cr", "crh",
    "cs", "csb", "cu", "cv", "cy", "cz", "da", "dag", "de", "dga", "din", "diq", "dk", "dsb",
    "dtp", "dty", "dv", "dz", "ee", "el", "eml", "en", "eo", "es", "et", "eu", "ext", "fa",
    "fat", "ff", "fi", "fiu-vro", "fj", "fo", "fon", "fr", "frp", "frr", "fur", "fy", "ga",
    "gag", "gan", "gcr", "gd", "gl", "glk", "gn", "gom", "gor", "got", "gpe", "gsw", "gu",
    "guc", "gur", "guw", "gv", "ha", "hak", "haw", "he", "hi", "hif", "ho", "hr", "hsb", "ht",
    "hu", "hy", "hyw", "hz", "ia", "iba", "id", "ie", "ig", "igl", "ii", "ik", "ilo", "inh",
    "io", "is", "it", "iu", "ja", "jam", "jbo", "jp", "jv", "ka", "kaa", "kab", "kbd", "kbp",
    "kcg", "kg", "kge", "ki", "kj", "kk", "kl", "km", "kn", "knc", "ko", "koi", "kr", "krc",
    "ks", "ksh", "ku", "kus", "kv", "kw", "ky", "la", "lad", "lb", "lbe", "lez", "lfn", "lg",
    "li", "lij", "lld", "lmo", "ln", "lo", "lrc", "lt", "ltg", "lv", "lzh", "mad", "mai",
    "map-bms", "mdf", "mg", "mh", "mhr", "mi", "min", "mk", "ml", "mn", "mni", "mnw", "mo",
    "mos", "mr", "mrj", "ms", "mt", "mus", "mwl", "my", "myv", "mzn", "na", "nah", "nan",
    "nap", "nb", "nds", "nds-nl", "ne", "new", "ng", "nia", "nl", "nn", "no", "nov", "nqo",
    "nr", "nrm", "nso", "nup", "nv", "ny", "oc", "olo", "om", "or", "os", "pa", "pag", "pam",
    "pap", "pcd", "pcm", "pdc", "pdt", "pfl", "pi", "pih", "pl", "pms", "pnb", "pnt", "ps",
    "pt", "pwn", "qu", "rki", "rm", "rmy", "rn", "ro", "roa-rup", "roa-tara", "rsk", "ru",
    "rue", "rup", "rw", "sa", "sah", "sat", "sc", "scn", "sco", "sd", "se", "sg", "sgs", "sh",
    "shi", "shn", "shy", "si", "simple", "sk", "skr", "sl", "sm", "smn", "sn", "so", "sq",
    "sr", "srn", "ss", "st", "stq", "su", "sv", "sw", "syl", "szl", "szy", "ta", "tay", "tcy",
    "tdd", "te", "tet", "tg", "th", "ti", "tig", "tk", "tl", "tly", "tn", "to", "tpi", "tr",
    "trv", "ts", "tt", "tum", "tw", "ty", "tyv", "udm", "ug", "uk", "ur", "uz", "ve", "vec",
    "vep", "vi", "vls", "vo", "vro", "wa", "war", "wo", "wuu", "xal", "xh", "xmf", "yi", "yo",
    "yue", "za", "zea", "zgh", "zh", "zh-classical", "zh-cn", "zh-min-nan", "zh-tw", "zh-yue",
    "zu",
};
/* clang-format on */
_Static_assert(DPL_LEN(languages) == DPL__WIKI_LANGUAGES, "the header says how many");

static const struct tag_class {
    dpl__wiki_tag tag;
    const char *names;
} tag_classes[] = {
    {DPL__TAG_DROP,
     " ref math gallery references source syntaxhighlight timeline score imagemap "
     "includeonly hiero chem ce graph mapframe maplink templatestyles templatedata "
     "inputbox categorytree dynamicpagelist indicator style script "},
    {DPL__TAG_BLOCK,
     " br div p center blockquote li ul ol dl dt dd hr h1 h2 h3 h4 h5 h6 tr td th "
     "tbody thead caption "},
    {DPL__TAG_INLINE,
     " small sub sup span i b u s code tt big font abbr bdi bdo cite data del dfn "
     "em ins kbd mark nobr q rb rp rt rtc ruby samp strike strong time var wbr "
     "section translate tvar languages noinclude onlyinclude "},
    {DPL__TAG_NOWIKI, " nowiki "},
    {DPL__TAG_PRE, " pre "},
    {DPL__TAG_POEM, " poem "},
    {DPL__TAG_TABLE, " table "},
};

enum { LONGEST = 64 }; /* bytes of a name we know, with room to spare */

/* A name as the lists have it: lower case, underscores inside, one blank at each end. */
typedef struct folded {
    char text[LONGEST + 8];
    size_t n;
} folded;

/* False when it is empty or too long to be one of ours. */
static bool fold_name(folded *out, dpl_str name)
{
    size_t n = 1;
    out->text[0] = ' ';
    for (size_t i = 0; i < name.n;) {
        uint32_t c;
        i += dpl__utf8_decode((const uint8_t *)name.data + i, &c);
        if (c == 0) /* ends no list */
            return false;
        if (c == ' ' || c == '_') {
            if (n > 1 && out->text[n - 1] != '_')
                out->text[n++] = '_';
        } else {
            c = c >= 0x80              ? (uint32_t)u_foldCase((UChar32)c, U_FOLD_CASE_DEFAULT)
                : c >= 'A' && c <= 'Z' ? c + 32
                                       : c;
            n += dpl__utf8_encode(out->text + n, c);
        }
        if (n > LONGEST)
            return false;
    }
    if (n > 1 && out->text[n - 1] == '_')
        n--;
    memcpy(out->text + n, " ", 2);
    out->n = n + 1;
    return n > 1;
}

static bool is_in(const char *list, const folded *name)
{
    return strstr(list, name->text) != NULL;
}

static bool find_language(const folded *name, size_t *lang)
{
    dpl_str code = {name->text + 1, name->n - 2};
    size_t at;
    DPL__LOWER_BOUND(at, DPL_LEN(languages), dpl__str_cmp(dpl__cstr(languages[at]), code) < 0);
    if (at == DPL_LEN(languages) || !dpl__str_eq(dpl__cstr(languages[at]), code))
        return false;
    *lang = at;
    return true;
}

dpl__wiki_prefix dpl__wiki_prefix_of(dpl_str name, const dpl__wiki_site *site, size_t *lang)
{
    folded f;
    if (!fold_name(&f, name))
        return DPL__WIKI_PLAIN;
    if (find_language(&f, lang))
        return DPL__WIKI_LANGUAGE;
    if (is_in(category_names, &f) || (site && is_in(site->categories, &f)))
        return DPL__WIKI_CATEGORY;
    return is_in(file_names, &f) || (site && is_in(site->files, &f)) ? DPL__WIKI_FILE
                                                                     : DPL__WIKI_PLAIN;
}

/* ---- the dump's own names -------------------------------------------------------------- */

static void add_name(char *list, size_t room, const folded *name)
{
    size_t n = strlen(list);
    if (n + name->n + 1 < room)
        memcpy(list + n, name->text + (n > 0), name->n - (n > 0) + 1);
}

/* The head of a dump is not checked with its pages. */
static bool is_utf8(dpl_str s)
{
    for (size_t n; s.n; s = (dpl_str){s.data + n, s.n - n}) {
        n = dpl__utf8_first(s);
        if (n == 0)
            return false;
    }
    return true;
}

/* <namespace key="6" case="first-letter">Datei</namespace> */
static void add_namespace(dpl__wiki_site *site, dpl_str element)
{
    static const char mark[] = "key=\"";
    const char *end = element.data + element.n, *p = element.data;
    int key = 0, sign = 1;
    while (p + sizeof mark <= end && memcmp(p, mark, sizeof mark - 1) != 0)
        p++;
    p += sizeof mark - 1;
    if (p < end && *p == '-')
        sign = -1, p++;
    for (; p < end && *p >= '0' && *p <= '9' && key < 100000; p++)
        key = 10 * key + (*p - '0');
    const char *text = p < end ? memchr(p, '>', (size_t)(end - p)) : NULL;
    folded f;
    if (!text || sign * key == 0 ||
        !fold_name(&f, (dpl_str){text + 1, (size_t)(end - text) - 1}))
        return;
    add_name(site->namespaces, sizeof site->namespaces, &f);
    if (sign * key == 6)
        add_name(site->files, sizeof site->files, &f);
    if (sign * key == 14)
        add_name(site->categories, sizeof site->categories, &f);
}

void dpl__wiki_site_read(dpl__wiki_site *site, dpl_str siteinfo)
{
    static const char begin[] = "<namespace ", close[] = "</namespace>";
    *site = (dpl__wiki_site){{0}, {0}, {0}};
    if (siteinfo.n == 0)
        return;
    const char *p = siteinfo.data, *end = p + siteinfo.n;
    for (; p + sizeof begin <= end; p++) {
        if (memcmp(p, begin, sizeof begin - 1) != 0)
            continue;
        const char *stop = p;
        while (stop + sizeof close - 1 <= end && memcmp(stop, close, sizeof close - 1) != 0)
            stop++;
        if (stop + sizeof close - 1 > end)
            return;
        dpl_str element = {p, (size_t)(stop - p)};
        if (is_utf8(element))
            add_namespace(site, element);
        p = stop;
    }
}

const char *dpl__wiki_language(size_t lang)
{
    assert(lang < DPL_LEN(languages));
    return languages[lang];
}

bool dpl__wiki_is_redirect(dpl_str wikitext)
{
    wikitext = dpl__trim(wikitext);
    if (wikitext.n == 0 || wikitext.data[0] != '#')
        return false;
    const char *p = wikitext.data, *end = p + wikitext.n;
    const char *link = memchr(p, '[', dpl__min((size_t)(end - p), 2 * LONGEST));
    if (!link || link + 1 == end || link[1] != '[')
        return false;
    dpl_str word = dpl__trim((dpl_str){p + 1, (size_t)(link - p) - 1});
    if (word.n && word.data[word.n - 1] == ':')
        word = dpl__trim((dpl_str){word.data, word.n - 1});
    folded f;
    return fold_name(&f, word) && is_in(redirect_words, &f);
}

dpl_str dpl__wiki_redirect_target(dpl_str wikitext)
{
    if (wikitext.n == 0)
        return (dpl_str){NULL, 0};
    const char *p = wikitext.data, *end = p + wikitext.n;
    while (p + 1 < end && !(p[0] == '[' && p[1] == '['))
        p++;
    if (p + 1 >= end)
        return (dpl_str){NULL, 0};
    dpl_str target = {p + 2, 0};
    while (target.data + target.n < end && !strchr("]|#\n", target.data[target.n]))
        target.n++;
    return dpl__trim(target);
}

bool dpl__wiki_is_article_title(dpl_str title, const dpl__wiki_site *site)
{
    const char *colon = title.n ? memchr(title.data, ':', title.n) : NULL;
    folded f;
    if (!colon || !fold_name(&f, (dpl_str){title.data, (size_t)(colon - title.data)}))
        return true;
    if (site && is_in(site->namespaces, &f))
        return false;
    static const char talk[] = "_talk ";
    size_t n_talk = sizeof talk - 1;
    if (f.n > n_talk + 1 && memcmp(f.text + f.n - n_talk, talk, n_talk) == 0)
        memcpy(f.text + f.n - n_talk, " ", 2);
    return !is_in(namespaces, &f);
}

bool dpl__wiki_is_infobox(dpl_str template_name)
{
    folded f;
    if (!fold_name(&f, template_name))
        return false;
    for (size_t i = 0; i < DPL_LEN(infobox_parts); i++)
        if (strstr(f.text, infobox_parts[i]))
            return true;
    return false;
}

bool dpl__wiki_is_list_title(dpl_str title)
{
    size_t n = 0;
    while (n < title.n && title.data[n] != ' ' && title.data[n] != '_')
        n++;
    folded f;
    return n < title.n && fold_name(&f, (dpl_str){title.data, n}) && is_in(list_words, &f);
}

/* ---- templates ------------------------------------------------------------------------ */

enum { N_SLOTS = 1024 }; /* more than twice as many as there are names */

typedef struct slot {
    dpl_str name; /* its data is NULL: free */
    dpl__wiki_template is;
} slot;

static inline bool is_named(const void *user, const slot *s)
{
    (void)user;
    return s->name.data != NULL;
}

static inline bool has_name(const void *user, const slot *s, dpl_str name)
{
    (void)user;
    return dpl__str_eq(s->name, name);
}

DPL_SLOTS(template_slots, slot, dpl_str, is_named, has_name);

/* Names of templates by their hash: every template of a page is looked up. */
static slot slots[N_SLOTS];
static const template_slots templates = {.slots = slots, .n_slots = N_SLOTS};
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

static slot *find_slot(dpl_str name)
{
    return template_slots_find(&templates, dpl__hash(name.data, name.n, 0), name);
}

static slot *add_slot(const char *name, size_t n)
{
    slot *s = find_slot((dpl_str){name, n});
    s->name = (dpl_str){name, n};
    return s;
}

static void fill_slots(void)
{
    for (size_t i = 0; i < DPL_LEN(content_templates); i++)
        for (const char *p = content_templates[i].names + 1; *p; p += strcspn(p, " ") + 1)
            add_slot(p, strcspn(p, " "))->is.content = content_templates[i].content;
    for (size_t i = 0; i < DPL_LEN(fixed_templates); i++) {
        const char *name = fixed_templates[i].name;
        slot *s = add_slot(name, strlen(name));
        s->is.content =
            fixed_templates[i].has_parameter ? DPL__CONTENT_FIRST : DPL__CONTENT_FIXED;
        s->is.fixed = fixed_templates[i].text;
    }
    for (const char *p = disambiguation_names + 1; *p; p += strcspn(p, " ") + 1)
        add_slot(p, strcspn(p, " "))->is.is_disambiguation = true;
}

/* {{lang-fr|bonjour}}, {{vol-fr|bonjour}}: wikis have such a set of templates, one for each
 * language; those of pronunciations are not text. */
static bool is_of_language(const folded *f)
{
    const char *dash = memchr(f->text, '-', f->n);
    size_t lang;
    folded code = {.n = 0};
    if (!dash || dash - f->text < 3 || dash - f->text > 8 || memcmp(f->text, " ipa", 4) == 0 ||
        memcmp(f->text, " link-", 6) == 0 || memcmp(f->text, " cite-", 6) == 0)
        return false;
    if (memcmp(f->text, " lang-", 6) == 0)
        return true;
    code.n = f->n - (size_t)(dash - f->text);
    memcpy(code.text, dash, code.n);
    code.text[0] = ' ';
    return find_language(&code, &lang);
}

dpl__wiki_template dpl__wiki_template_of(dpl_str name)
{
    folded f;
    if (!fold_name(&f, name))
        return (dpl__wiki_template){DPL__CONTENT_NONE, false, NULL};
    pthread_once(&slots_once, fill_slots);
    const slot *s = find_slot((dpl_str){f.text + 1, f.n - 2});
    const bool is_known = is_named(NULL, s);
    dpl__wiki_template is =
        is_known ? s->is : (dpl__wiki_template){DPL__CONTENT_NONE, false, NULL};
    if (!is_known && (is_of_language(&f) || memcmp(f.text, " script/", 8) == 0))
        is.content = DPL__CONTENT_FIRST;
    return is;
}

dpl__wiki_tag dpl__wiki_tag_of(dpl_str name)
{
    char text[DPL__WIKI_TAG_MAX + 3] = " ";
    assert(name.n <= DPL__WIKI_TAG_MAX);
    memcpy(text + 1, name.data, name.n);
    memcpy(text + 1 + name.n, " ", 2);
    for (size_t i = 0; i < DPL_LEN(tag_classes); i++)
        if (strstr(tag_classes[i].names, text))
            return tag_classes[i].tag;
    return DPL__TAG_NONE;
}
