/*
 * abbreviations_data.h - words whose full stop does not end the sentence, for each language.
 *
 * Only a full stop before a capital letter is in doubt at all. So: what stands before names,
 * numbers or (in German) any noun, and is no ordinary word. What ends sentences as a rule is
 * left out ("etc", "usw", "Inc"), as are words like "Art" or "col". Single letters need no
 * list.
 *
 * NFC, case-folded, in byte order, without the last stop; "z.b" is one word.
 */
#ifndef DPL_TOKENS_ABBREVIATIONS_DATA_H
#define DPL_TOKENS_ABBREVIATIONS_DATA_H

#include "unicode/wordset.h"

static const dpl__wordlist abbreviation_lists[] = {
    {"bg", "авг акад ал ап апр бл бр бул вж вх гг ген гл дек доц ж.к изд инж кап кн лейт млн "
           "млрд н.е напр ноем обл ок окт пл пр.н.е прев прибл проф ред св септ срв ст стр т.е "
           "т.нар табл тел ул февр фиг хил чл ян"},
    {"cs",
     "bc břez cca csc doc dr ed gen hod ing judr kap kpt mgr min mj mjr mld mudr n.l např "
     "nar obr odst okr phdr plk popř pozn pp pplk prof pí písm př.n.l příp red resp rndr "
     "roč sl srov str sv tab tel tj tzn tzv tř ul vyd vč zejm zemř zvl ún čl čís říj"},
    {"da", "afd apr aug bd bl.a ca cand d.v.s dec dr dvs ekskl evt f.eks f.x feb fig fr frk hr "
           "iflg ing inkl jan jf jvf kap kapt kgl m.h.t maks mht nov nr okt overs p.gr.a pga "
           "prof resp s.k sept skt st stk såk tab tel udg univ vedr"},
    {"de",
     "a.d abb abs abt abzgl allg anm apr aufl aug ausg bd bde bes betr bezgl bhf bsp bzw "
     "ca co d.h ders dez di dipl dr dt ebd ehem eigtl einschl engl entspr ev evtl exkl fa "
     "feb fn fr frl frz geb gebr gegr gem gest ggf ggfs habil hbf hg hist hl hr hrn hrsg "
     "i.a i.d.r i.e ing inh inkl insb insbes ital jan jew jg jh jhd jhdt jr jul jun jur "
     "jährl kap kath lat lfd lt m.e m.w med mi min mind mio mo mrd mtl n.chr nachm nat "
     "nordd nov nr nrn o.g o.ä od okt pfr phil pl prof präs rer resp röm s.o s.u sa sek "
     "sep sept sog sr st std stellv str südd tab techn tel tägl u.a u.u u.v.a u.z u.ä "
     "urspr v.a v.chr verf verh vgl vorm vors wiss z.b z.t z.zt ziff zit zzgl österr"},
    {"el",
     "άρθρ αγ απρ αρ αριθ αυγ βλ γεν δεκ δηλ δισ δρ εικ εκατ εκδ ιαν ιουλ ιουν κα καθ κεφ "
     "κοσ λεωφ λοχ μ.χ μτφρ νοεμ οδ οκτ π.μ.χ π.χ π.χρ πίν παρ περ πλ πρβλ σελ σεπτ στρ "
     "ταξ τηλ τόμ υπ φεβρ χιλ"},
    {"en",
     "adm amb approx apr assn aug ave blvd brig bros ca capt cdr cf ch chap cmdr cpl cpt "
     "dec dept dr drs e.g ed eds eg eq eqs esp feb fig figs fr gen gov hon i.e ie incl "
     "insp jan jul jun lt maj messrs mfg mmes mr mrs ms mt mx nos nov oct op pp pres prof "
     "pvt rd rev revd sen sep sept sgt st ste supt thu thur thurs treas tue tues univ viz "
     "vol vols vs"},
    {"es",
     "a.c abog abr ago aprox arq art arts av avda cap caps cf cfr cnel ctra d.c depto dic "
     "dpto dr dra dras dres dña ed eds ej ene excma excmo feb fig figs fr gral ilma ilmo "
     "ing jul jun lic licda licdo mons máx mín nov nro núm núms oct p.ej pdte pp prof "
     "profa pza pág págs rvdo sept sgto sr sra sras sres srta srtas sta sto tel teléf trad "
     "tte vol vols vs"},
    {"fi",
     "ao ark ed esim ev fil hra kand kapt kenr klo kpl ks kuv käänt lis luutn maist mm nk "
     "nro ns nti os po prof puh rva ss suom taul toim tri ts vrt vv yliopp"},
    {"fr", "al av avr bd boul c.à.d cf chap coll dr drs déc dép env fbg fig figs févr gén hab "
           "i.e ing janv juil lt max mgr min mlle mlles mm mme mmes nov oct p.ex pl pp pr prof "
           "resp rte réf sept sgt st ste sts trad tél vol vols vs éd éds"},
    {"hu", "aug bek br dec dr ezr feb febr ford gr i.e i.sz ifj ill jan júl jún kb ker kiad kr "
           "krt köt ld max min máj márc nov nr okt pl prof st sz szds szept szerk szt tel tábl "
           "u.n vezérőrn vol vö áb ápr özv ún őrgy"},
    {"it",
     "ad.es ag apr arch art artt avv c.so ca cap capp cav cf cfr comm dic dott dott.ssa dr "
     "ed es febbr fig figg gen genn geom ing l.go lugl magg max min mons nn nov nr num ott "
     "p.es p.za pag pagg pp prof prof.ssa rag rev sett sig sig.na sig.ra sig.ri sigg ss "
     "tel trad v.le vol voll vs"},
    {"nb",
     "apr aug avd bd bl.a ca cand d.v.s des dr dvs ekskl ev evt f.eks feb fig fr frk hr "
     "ing inkl jan jf jfr kap kapt kgl m.h.t maks mht nov nr okt overs p.g.a pga prof resp "
     "s.k sept st såk tab tel univ utg vedr"},
    {"nl",
     "afb afd apr art aug b.v bijv blz ca d.i d.w.z dec dhr dr drs ds evt excl feb fig gem "
     "gen hfst i.p.v i.v.m incl ing ir jan jhr jul jun kapt kol lt m.a.w m.b.t m.b.v mej "
     "mevr mrt mw n.a.v nl nov nr nrs o.a o.l.v okt pag pr prof resp sept sgt st str t.a.v "
     "t.g.v t.o.v tel vert vgl vol z.g zgn"},
    {"pl",
     "abp art bp br bł cyt doc dr gen gm godz grudz hab im inż kard kpt ks kwiet lek "
     "listop lut m.in mgr min mjr mld mln np nr nt ok oo os paźdz pkt pl pn pow poz pp "
     "ppłk prez prof pt płk red rozdz rr rys sierp sierż str stycz tab tel tj tys tzn tzw "
     "tłum ul ur ust wg woj wrześ ww wyd zm zob św"},
    {"pt",
     "a.c abr ago aprox arq art arts av cap caps cel cf d.c dep dept dez dr dra dras drs "
     "ed eds eng ex exma exmo fev fig figs fr gen gov ilma ilmo jan jul jun máx mín nov "
     "núm p.ex pe pp prof profa pág págs pça sen sgt sr sra sras srs srta sta sto séc tel "
     "ten trad vol vols vs"},
    {"ro",
     "acad alin apr aprox arh art aug av bd bul cca cf col cpt d.hr de.ex dec dl dna dr "
     "dra ed ex feb febr fig gen ian ing iul iun jud lit lt mun nov nr oct pag pp pr prof "
     "resp sept sf str tab tel trad vol vs î.hr"},
    {"ru", "авг акад апр бул вт вып гг ген гл гр дек дер доц зав зам изд илл им инж кап кв кн "
           "корп лейт млн млрд н.э наб напр нач нояб обл ок окт пер пл пн подполк пос пп прибл "
           "прим просп проф пт разд ред рис св сент см сост ср ст стр т.е т.к т.н табл тел тов "
           "тт тыс ул февр чт янв"},
    {"sv", "apr aug avd bl.a ca d.v.s dec doc dr dvs e.d eg ev exkl f.d feb febr fig fr fr.o.m "
           "frk hr inkl inst jan jfr jmf kand kap kapt kungl lic löjtn m.a.o n.b nov nr okt "
           "p.g.a prof resp s.k sept sid t.ex t.o.m tab tekn tel univ uppl utg övers"},
    {"tr",
     "alb apt av ağu bkz bl blv bnb cad doç dr ed eyl hz krş mah müh nis oca op prof sf sk "
     "sn sok ss tab tel tem tğm uzm vb.g yrd yy yzb çev örn öğr şek şub"},
    {"uk",
     "акад бл буд бул вип вул ген гл гр див доц зав зам кап кв кн корп лейт млн млрд н.е "
     "напр нар обл пер пл пор пп прибл прим пров просп проф ред рис розд рр св смт ст стор "
     "т.зв табл тел тис ім інж"},
};

#endif
