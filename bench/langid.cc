/*
 * langid.cc - how often is dpl_lang_identify right? Prints the tables of
 * docs/reference/LANGUAGES.md.
 *
 *     build/bench/langid [--compare] [DATA]
 *
 * Texts whose language is known: the Universal Declaration of Human Rights in 380 varieties,
 * and the documents of lohelp, bible and newsdocs. Each is asked about whole, and in windows of
 * 50, 100 and 200 characters from random places (20 of each size from every declaration, 2 from
 * the other documents; fixed seed), but for those known to be half translated. Declarations in
 * a language that the identifier does not know are counted apart. --compare runs CLD2 as it
 * comes and libexttextcat on the same texts. Times are CPU time.
 */
#include "unicode/langid.h"

#include "doppel/doppel.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#ifdef DPL_HAVE_TEXTCAT
#include <libexttextcat/textcat.h>
#endif

namespace
{

struct Sample {
    std::string set;     /* "udhr", "bible", ... */
    std::string variety; /* as the collection calls it: "deu_1996" */
    std::string lang;    /* our code for it */
    int length;          /* characters; 0 for a whole document */
    std::string text;
};

struct Tally {
    long n = 0, right = 0, none = 0;
    double seconds = 0;
    size_t bytes = 0;
    std::map<std::string, long> wrong;

    void add(const Sample &s, const std::string &answer, double t)
    {
        n++;
        seconds += t;
        bytes += s.text.size();
        if (answer == "und")
            none++;
        else if (answer == s.lang)
            right++;
        else
            wrong[answer]++;
    }
};

double percent(long part, long all)
{
    return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
}

std::string canonical(const std::string &name)
{
    return dpl_lang_canonical({name.data(), name.size()}).code;
}

/* Of this thread: other work on the machine does not count, though it still fights for the
 * caches. */
double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/* ---- texts -------------------------------------------------------------------------- */

void add_windows(std::vector<Sample> &out, const Sample &doc, int n_windows,
                 std::mt19937_64 &rng)
{
    std::vector<size_t> starts; /* of each character */
    for (size_t i = 0; i < doc.text.size(); i++)
        if ((doc.text[i] & 0xC0) != 0x80)
            starts.push_back(i);
    starts.push_back(doc.text.size());
    for (int length : {50, 100, 200}) {
        size_t n = static_cast<size_t>(length);
        for (int i = 0; i < n_windows && starts.size() > n; i++) {
            size_t at = rng() % (starts.size() - n);
            Sample window = doc;
            window.length = length;
            window.text = doc.text.substr(starts[at], starts[at + n] - starts[at]);
            out.push_back(window);
        }
    }
}

/* Ids of documents that are partly in another language than they say. */
std::set<std::string> read_mixed(const std::string &path)
{
    std::set<std::string> ids;
    std::ifstream lines(path);
    for (std::string line; std::getline(lines, line);)
        ids.insert(line.substr(0, line.find('\t')));
    return ids;
}

void read_file(std::vector<Sample> &out, dpl_ctx *ctx, const std::string &dir,
               const std::string &set, const std::string &file)
{
    dpl_error err = {};
    dpl_reader *reader = nullptr;
    std::string path = dir + "/" + file;
    if (dpl_reader_open(&reader, ctx, path.c_str(), nullptr, &err) != DPL_OK) {
        std::fprintf(stderr, "%s: left out\n", err.text);
        return;
    }
    std::set<std::string> mixed = read_mixed(dir + "/" + set + "/partly_untranslated.tsv");
    std::mt19937_64 rng(1);
    dpl_doc doc;
    dpl_status status;
    while ((status = dpl_reader_next(reader, &doc, &err)) == DPL_OK) {
        std::string id(doc.id.data, doc.id.n), text(doc.text.data, doc.text.n);
        if (mixed.count(id))
            continue;
        /* the declarations' ids keep the variety: "udhr-deu_1996" */
        std::string variety =
            set == "udhr" ? id.substr(5) : std::string(doc.lang.data, doc.lang.n);
        out.push_back({set, variety, canonical(variety), 0, text});
        add_windows(out, Sample(out.back()), set == "udhr" ? 20 : 2, rng);
    }
    if (status != DPL_END)
        std::fprintf(stderr, "%s\n", err.text);
    dpl_reader_close(reader);
}

/* ---- identifiers -------------------------------------------------------------------- */

using Identify = std::function<std::string(const std::string &)>;

std::string by_doppel(const std::string &text)
{
    return dpl_lang_identify({text.data(), text.size()}).code;
}

std::string by_cld2(const std::string &text, int flags)
{
    CLD2::CLDHints hints = {nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
    CLD2::Language top[3];
    int percents[3], n_letters;
    double score[3];
    bool is_reliable;
    return canonical(CLD2::LanguageCode(CLD2::ExtDetectLanguageSummary(
        text.data(), static_cast<int>(text.size()), true, &hints, flags, top, percents, score,
        nullptr, &n_letters, &is_reliable)));
}

using Languages = std::set<std::string>;

Languages known_to_doppel()
{
    Languages known;
    for (size_t i = 0; dpl__lang_identifiable(i); i++)
        known.insert(dpl__lang_identifiable(i));
    return known;
}

#ifdef DPL_HAVE_TEXTCAT
const char textcat_dir[] = "/usr/share/libexttextcat/";

/* From lines like "de.lm  de--utf8". */
Languages known_to_textcat()
{
    Languages known;
    std::ifstream lines(std::string(textcat_dir) + "fpdb.conf");
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#')
            known.insert(canonical(line.substr(0, line.find_first_of("-. \t"))));
    return known;
}

std::string by_textcat(const std::string &text)
{
    static void *handle =
        special_textcat_Init("/usr/share/libexttextcat/fpdb.conf", "/usr/share/libexttextcat/");
    static candidate_t *candidates = textcat_GetClassifyFullOutput(handle);
    int n = textcat_ClassifyFull(handle, text.data(), text.size(), candidates);
    std::string name = n > 0 ? candidates[0].name : "und"; /* "de--utf8", "zh-TW-utf8" */
    return canonical(name.substr(0, name.find('-')));
}
#endif

/* ---- tables ------------------------------------------------------------------------- */

using Key = std::pair<std::string, int>;

/* Right, none and wrong for each set and length, and the time a text takes. */
void print_summary(const char *name, const Identify &identify,
                   const std::vector<Sample> &samples, const Languages &known)
{
    std::map<Key, Tally> tallies;
    for (const Sample &s : samples) {
        double start = cpu_seconds();
        std::string answer = identify(s.text);
        double took = cpu_seconds() - start;
        std::string set = s.set == "udhr" && !known.count(s.lang) ? "udhr, others" : s.set;
        tallies[{set, s.length}].add(s, answer, took);
    }
    std::printf("\n%s\n%-14s %8s %8s %8s %8s %8s %9s %8s\n", name, "texts", "length", "n",
                "right %", "none %", "wrong %", "us/text", "MB/s");
    for (const auto &[key, t] : tallies)
        std::printf("%-14s %8s %8ld %8.2f %8.2f %8.2f %9.1f %8.1f\n", key.first.c_str(),
                    key.second ? std::to_string(key.second).c_str() : "whole", t.n,
                    percent(t.right, t.n), percent(t.none, t.n),
                    percent(t.n - t.right - t.none, t.n), 1e6 * t.seconds / (double)t.n,
                    1e-6 * (double)t.bytes / t.seconds);
}

/* What else it was taken for, the most common first. */
std::string mistakes(const Tally &t)
{
    std::vector<std::pair<long, std::string>> all;
    for (const auto &[code, n] : t.wrong)
        all.push_back({-n, code});
    if (t.none)
        all.push_back({-t.none, "none"});
    std::sort(all.begin(), all.end());
    std::string out;
    for (size_t i = 0; i < all.size() && i < 3; i++)
        out += (i ? ", " : "") + all[i].second + " " + std::to_string(-all[i].first);
    return out;
}

/* One line for each variety of a set, in the lengths whole, 50, 100, 200. */
void print_varieties(const char *set, const std::vector<Sample> &samples,
                     const Languages &known)
{
    std::map<std::pair<std::string, std::string>, std::map<int, Tally>> tallies;
    for (const Sample &s : samples)
        if (s.set == set && known.count(s.lang))
            tallies[{s.lang, s.variety}][s.length].add(s, by_doppel(s.text), 0);
    std::printf("\n%s\n%-6s %-14s %8s %8s %8s %8s   %s\n", set, "lang", "variety", "whole %",
                "200 %", "100 %", "50 %", "the 50s taken for");
    for (auto &[key, t] : tallies)
        std::printf("%-6s %-14s %8.1f %8.1f %8.1f %8.1f   %s\n", key.first.c_str(),
                    key.second.c_str(), percent(t[0].right, t[0].n),
                    percent(t[200].right, t[200].n), percent(t[100].right, t[100].n),
                    percent(t[50].right, t[50].n), mistakes(t[50]).c_str());
}

/* The varieties that cannot be told, by the answer that a whole document gets. */
void print_unknown(const std::vector<Sample> &samples, const Languages &known)
{
    std::map<std::string, std::set<std::string>> answers;
    for (const Sample &s : samples)
        if (s.set == "udhr" && s.length == 0 && !known.count(s.lang))
            answers[by_doppel(s.text)].insert(s.variety);
    std::printf("\nudhr varieties that cannot be told, by the answer for the whole document\n");
    for (const auto &[answer, varieties] : answers) {
        std::printf("%s (%zu):", answer.c_str(), varieties.size());
        for (const std::string &v : varieties)
            std::printf(" %s", v.c_str());
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char **argv)
{
    bool compare = argc > 1 && std::string(argv[1]) == "--compare";
    std::string dir = argc > 1 + compare ? argv[1 + compare] : "../shared/data";

    dpl_error err = {};
    dpl_ctx *ctx = nullptr;
    if (dpl_ctx_new(&ctx, nullptr, &err) != DPL_OK) {
        std::fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    std::vector<Sample> samples;
    read_file(samples, ctx, dir, "udhr", "mono/udhr.jsonl.zst");
    static const std::pair<const char *, std::vector<const char *>> sets[] = {
        {"lohelp", {"de", "en", "es", "fr"}},
        {"bible", {"cs", "de", "en", "enw", "es", "fr", "hu", "it"}},
        {"newsdocs", {"de", "en", "fr"}}};
    for (const auto &[set, langs] : sets)
        for (const char *lang : langs)
            read_file(samples, ctx, dir, set,
                      std::string(set) + "/docs." + lang + ".jsonl.zst");
    dpl_ctx_free(ctx);
    if (samples.empty()) {
        std::printf("no texts in '%s': skipped\n", dir.c_str());
        return 0;
    }

    Languages known = known_to_doppel();
    std::printf("CLD2 %s, %zu languages\n", dpl__langid_version(), known.size());
    print_summary("dpl_lang_identify", by_doppel, samples, known);
    if (compare) {
        print_summary(
            "CLD2, whole text", [](const std::string &t) { return by_cld2(t, 0); }, samples,
            known);
        print_summary(
            "CLD2, whole text, best effort",
            [](const std::string &t) { return by_cld2(t, CLD2::kCLDFlagBestEffort); }, samples,
            known);
#ifdef DPL_HAVE_TEXTCAT
        print_summary("libexttextcat, whole text", by_textcat, samples, known_to_textcat());
#endif
    }
    for (const char *set : {"lohelp", "bible", "newsdocs", "udhr"})
        print_varieties(set, samples, known);
    print_unknown(samples, known);
    return 0;
}
