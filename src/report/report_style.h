/*
 * report_style.h - how the report looks, and the few lines that make it answer the mouse.
 *
 * Interface in the system's sans, text of documents in a serif. Two colours carry meaning:
 * blue is what was found, grey is chance or dropped; the threshold alone is red. All text
 * reaches WCAG AA in both schemes. No '<' and no '&': the page is XML as well. Several pieces,
 * because C promises 4095 bytes of one literal.
 */
#ifndef DPL_REPORT_REPORT_STYLE_H
#define DPL_REPORT_REPORT_STYLE_H

/* clang-format off */
static const char *const report_style[] = {
/* colours, type, the page */
":root{color-scheme:light dark;--paper:#fdfcfa;--ink:#1d2126;--soft:#5a626d;--line:#e0ddd6;"
"--accent:#1c5a9c;--tint:28,90,156;--chance:#8a909a;--cut:#a8350f;"
"--sans:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif;"
"--serif:Charter,'Iowan Old Style','Palatino Linotype',Palatino,'Noto Serif',Georgia,serif;"
"--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
"@media screen and (prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e2e4e8;"
"--soft:#9aa3af;--line:#2e343b;--accent:#84b8f0;--tint:104,164,236;--chance:#76808c;"
"--cut:#f4926a}}\n"
"*{box-sizing:border-box}\n"
"html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
"body{margin:0 auto;max-width:66rem;padding:3.5rem 1.5rem 5rem;background:var(--paper);"
"color:var(--ink);font:1rem/1.55 var(--sans);overflow-wrap:break-word}\n"
"h1,h2,h3,h4,p,dl,dd,figure{margin:0}\n"
"h1{font:400 2.4rem/1.15 var(--serif);letter-spacing:-.01em;text-wrap:balance}\n"
"h2{font:400 1.6rem/1.2 var(--serif);margin:4.5rem 0 .6rem;padding-top:1.1rem;"
"border-top:1px solid var(--line)}\n"
"h3{font-size:1rem;font-weight:600;margin:2.6rem 0 0}\n"
"h3:first-letter{text-transform:uppercase}\n"
"p{max-width:42rem}\n"
"code,.big dd{overflow-wrap:anywhere}\n"
"code,pre{font-family:var(--mono);font-size:.86em}\n"
"a{color:inherit;text-decoration-color:var(--chance);text-underline-offset:.2em}\n"
"a:hover{color:var(--accent);text-decoration-color:currentColor}\n"
":focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}\n"
".over,.note,nav,footer{color:var(--soft);font-size:.875rem}\n"
".over{letter-spacing:.02em;margin-bottom:.5rem}\n"
".num{font-variant-numeric:tabular-nums lining-nums;font-weight:inherit}\n"
".away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);"
"white-space:nowrap}\n"
"nav{margin-top:2.2rem}nav a{margin-right:1.1rem;white-space:nowrap;display:inline-block}\n"
"footer{margin-top:4.5rem;padding-top:1.1rem;border-top:1px solid var(--line)}\n",

/* big numbers */
".big{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:2rem 2.5rem;"
"margin-top:2.6rem}\n"
".big dt{font-size:.875rem;color:var(--soft)}\n"
".big dd{font-size:2.1rem;line-height:1.25;font-variant-numeric:lining-nums;"
"letter-spacing:-.015em}\n"
".big dd.note{font-size:.875rem;line-height:1.45;letter-spacing:0}\n"
/* tables */
".scroll{overflow-x:auto;margin:1.4rem 0}\n"
"table{border-collapse:collapse;font-size:.9rem;text-align:start}\n"
"caption{text-align:start;color:var(--soft);font-size:.875rem;padding-bottom:.5rem}\n"
"th{text-align:start}th,td{padding:.42rem 1.6rem .42rem 0;vertical-align:baseline;"
"font-weight:400;"
"border-bottom:1px solid var(--line)}\n"
"thead th{color:var(--soft);font-size:.8rem;vertical-align:bottom;line-height:1.25}\n"
"th:last-child,td:last-child{padding-right:0}\n"
"td.num,th.num{text-align:right;white-space:nowrap}\n"
"td.note{font-size:inherit}\n"
"tfoot td,tfoot th{border-bottom:0}\n"
".rounds{width:100%}.rounds th,.rounds td{padding-right:1rem}\n"
".time{width:100%;max-width:42rem}.time th{width:11rem}.time td.num{width:6rem}\n"
".time svg{display:block;width:100%;height:.6rem}.time rect{fill:var(--accent)}\n"
".words{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 3rem;"
"align-items:start;margin-top:1.4rem}\n"
".words table{width:100%;table-layout:fixed}.words th:first-child{width:30%}"
".words th.num{width:4rem}.words ul{list-style:none;margin:0;padding:0;display:flex;"
"flex-wrap:wrap;gap:0 1rem}\n"
".words td,.words th{padding-right:1rem}.words th[lang]{font:1rem/1.5 var(--serif);"
"hyphens:auto}\n"
".words li bdi{font:1rem/1.5 var(--serif)}.words small{color:var(--soft);font-size:.78rem}\n"
"pre{margin:1.2rem 0 0;white-space:pre-wrap;line-height:1.6}\n"
"pre span{display:inline-block;max-width:100%}\n",

/* charts */
".chart{display:block;width:100%;padding-left:3.4rem;overflow:visible}\n"
".chart text{fill:var(--soft);font:.75rem var(--sans);font-variant-numeric:tabular-nums}\n"
".chart .grid{stroke:var(--line)}.chart .base{stroke:var(--chance)}\n"
".chart path{stroke-width:1.25px;vector-effect:non-scaling-stroke}\n"
".chance{fill:var(--chance);fill-opacity:.55;stroke:var(--chance)}\n"
".signal{fill:var(--accent);fill-opacity:.5;stroke:var(--accent)}\n"
".chart .cut{stroke:var(--cut);stroke-width:1.5px}\n"
".chart text.cut{fill:var(--cut);stroke:none;font-size:.8rem}\n"
".chart .area{fill:transparent}.chart .area:hover{fill:var(--ink);fill-opacity:.08}\n"
".key{display:inline-block;width:.8em;height:.8em;margin-right:.1em;vertical-align:-.04em}\n"
".round{display:grid;grid-template-columns:11.5rem minmax(0,1fr);gap:1rem;margin-top:.4rem}\n"
".round figcaption{padding-top:18px;font-size:.84rem;line-height:1.45;color:var(--soft)}\n"
".round figcaption span{display:block}.round strong{color:var(--ink);font-weight:600}\n"
".round b{color:var(--ink)}\n"
".wide{margin-top:1.4rem}\n"
/* document pairs */
"details{margin-top:1rem}\n"
"summary{cursor:pointer;list-style:none;display:flex;position:relative;padding:.7rem 0;"
"border-bottom:1px solid var(--chance)}\n"
"summary::-webkit-details-marker{display:none}\n"
"summary:before{content:'+';position:absolute;left:-1rem;color:var(--soft);"
"font:1rem/1.5 var(--mono)}\n"
"details[open]>summary:before{content:'\\2212'}\n"
"summary h4{flex:1;display:grid;grid-template-columns:repeat(2,minmax(0,1fr));"
"font:400 1.15rem/1.3 var(--serif)}.doc{padding-right:1.5rem}\n"
".doc code{display:block;font-size:.75rem;line-height:1.5;color:var(--soft)}\n"
".score{width:7rem;text-align:right;font-size:.8rem;line-height:1.45;color:var(--soft)}\n"
".score b{color:var(--ink)}\n"
".beads{width:100%;table-layout:fixed}\n"
".beads td{font:1rem/1.5 var(--serif);text-align:start;vertical-align:top;"
"padding:.5rem 1.5rem .5rem 0}\n"
".beads th:last-child{width:7rem;text-align:right}\n"
".beads td.why{font:.8rem/1.4 var(--sans);color:var(--soft);text-align:right;"
"padding:.72rem 0 .5rem}\n"
".beads td.none,.beads .dropped td{color:var(--soft)}\n"
"details>.note{padding-top:.6rem}\n"
"mark{color:inherit;background:rgba(var(--tint),.08);border-radius:2px;padding:.08em .06em;"
"margin:0 -.06em}\n"
".m2{background:rgba(var(--tint),.14)}.m3{background:rgba(var(--tint),.21)}\n"
".m4{background:rgba(var(--tint),.3)}.dropped mark{background:none}\n"
"tr mark.on{background:var(--accent);color:var(--paper)}\n",

/* phones, paper */
"@media (max-width:600px){body{padding:2rem 1.1rem 3rem}h1{font-size:1.8rem}"
"h2{margin-top:3.2rem;font-size:1.45rem}\n"
".big{grid-template-columns:repeat(2,minmax(0,1fr));gap:1.6rem 1.2rem}"
".big dd{font-size:1.6rem}\n"
".round,.words{grid-template-columns:minmax(0,1fr);gap:.2rem}.words{row-gap:2.5rem}"
".round{margin-top:1.6rem}.round figcaption{padding:0}\n"
".round figcaption span{display:inline;margin-left:.5em}\n"
".time th{width:7rem;padding-right:.8rem}.time td{padding-right:.8rem}\n"
"summary{display:block}summary h4{grid-template-columns:1fr;gap:.4rem}"
".score{display:block;width:auto;text-align:left;padding-top:.3rem}\n"
".beads,.beads tbody,.beads tr,.beads td{display:block}.beads thead{display:none}\n"
".beads tr{padding:.7rem 0;border-bottom:1px solid var(--line)}"
".beads td{border:0;padding:.1rem 0}.beads td.why{text-align:left;padding:.1rem 0}\n"
".beads td[lang]{position:relative;padding-inline-start:1.9rem}"
".beads td[lang]:before{content:attr(lang);position:absolute;inset-inline-start:0;"
"font:.72rem/2.1 var(--sans);color:var(--soft)}\n"
".beads td.why{padding-left:1.9rem}.beads td.none{display:none}}\n"
"@media print{@page{margin:18mm 16mm}html{font-size:9.5pt}body{padding:0;max-width:none;"
"background:none}nav{display:none}h2{margin-top:2.2rem}h2,h3,summary{break-after:avoid}\n"
"figure,tr,.big div{break-inside:avoid}mark{text-decoration:underline 1px var(--accent)}"
"details::details-content{content-visibility:visible;height:auto}\n"
".scroll{overflow:visible}summary:before{content:none}\n"
".chart,.time svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n",
};

/* A word under the mouse or in focus lights up with its counterparts; arrow keys go from word
 * to word; paper gets everything opened. */
static const char report_script[] =
"(function(){var lit=[];\n"
"function light(e){var w=e.target.closest?e.target.closest('mark'):null;\n"
"lit.forEach(function(m){m.classList.remove('on')});\n"
"lit=w?Array.from(w.closest('tr').querySelectorAll('[data-k=\"'+w.dataset.k+'\"]')):[];\n"
"lit.forEach(function(m){m.classList.add('on')})}\n"
"document.addEventListener('mouseover',light);document.addEventListener('focusin',light);\n"
"document.querySelectorAll('.beads').forEach(function(t){var all=t.querySelectorAll('mark');\n"
"all.forEach(function(m,i){m.tabIndex=i?-1:0;m.addEventListener('keydown',function(e){\n"
"var next=all[i+({ArrowRight:1,ArrowLeft:-1}[e.key]||NaN)];\n"
"if(next){m.tabIndex=-1;next.tabIndex=0;next.focus();e.preventDefault()}})})});\n"
"window.addEventListener('beforeprint',function(){\n"
"document.querySelectorAll('details').forEach(function(d){d.open=true})})})();\n";
/* clang-format on */

#endif
