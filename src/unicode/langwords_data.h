/*
 * langwords_data.h - the most frequent words of languages that are never the answer of
 * langwords.c, but are easily taken for one of those in stopwords_data.h.
 *
 * Counted in every second 600 characters of the Universal Declaration of Human Rights, at most
 * 40 of each that are in none of those lists, small letters, in the order of code points. Words
 * of its subject do no harm here.
 */
#ifndef DPL_UNICODE_LANGWORDS_DATA_H
#define DPL_UNICODE_LANGWORDS_DATA_H

#include "unicode/wordset.h"

static const dpl__wordlist other_lists[] = {
    {"af", "aangesien algemene artikel begrip burgerskap deel deur elkeen erkenning gedwing "
           "gelyke hierdie huwelik mense menseregte menslike oortreding openbare opvoeding "
           "persoon ras reg regte respek sal sonder straf sy teen verenigde vergadering "
           "verklaring verseker vir volke vrede vryhede vryheid wereld wet"},
    {"ast",
     "artículu cola comu cualesquier dafechu declaración drechos drechu educación familia "
     "fundamentales humana humanos instrucción llei llibertaes llibertá llibremente mundu "
     "naciones namái nun pa país persona podrá relixón respetu sociedá sos territoriu tien "
     "toa tolos universal vida visto xuníes xusticia ye"},
    {"az", "alaraq asılı azad azadlığı beynəlxalq bilməz cinayət də etmək heç hüquq hüququ "
           "hüququna həm həmin hər ilə istifadə maddə malik malikdir müdafiə nəzərə olaraq "
           "olmalıdır sosial sərbəst təhsil təmin və yardım yolu zamanı öz özbaşına ümumi üçün "
           "şəkildə şəxs şəxsin"},
    {"be",
     "ад адукацыя артыкул асамблея асобы быць гэта кожны людзі мае маюць можа нацый "
     "небудзь па павінен павінна павінны пад права правоў пры прымаючы роўную свабоду "
     "сваёй толькі тэкст увагу чалавек чалавека час шлюб што яго якога якой якім якія іх"},
    {"br",
     "abeg bet bezañ deskadurezh deus dezhañ diouzh dre ebet embannet eo etrevroadel eus "
     "evit frankiz frankizioù gant gaout gwir gwirioù hag hervez hini holl hollvedel "
     "labour lakaat lezenn mab mañ mellad oberoù ouzh pep ret ugent unanet vezañ vo warn"},
    {"ca",
     "actes amb aquest aquesta arbitràriament article assemblea considerant declaració "
     "dels dignitat dret drets els família general humans independent internacional "
     "llibertat llibertats membres més nacions ningú país persona privat qualsevol religió "
     "seguretat serà seva social tenen tota tots unides universal vida"},
    {"co",
     "articulu campà ch chì contru cunsidarendu cù dichjarazioni dignità diritti dirittu "
     "duva educazioni elli ellu fà hà hè insignamentu libaru libertà lu modu mondu nazioni "
     "nimu omu paesi parsona publicu pà pò sianu suciali sucità travagliu univirsali "
     "urganisazioni voli ùn"},
    {"eml",
     "articolo considerèd countra cumè cundizioun dala dichiarazioun difoisa dirét dl dli "
     "famèia ilt libertà limitazioun lègia nazioun nisuna paiois persouna presènta propii "
     "prì putrà qualsiasi religioun rispèt sicurèza snà società stà stèd stì suciéla tla "
     "tnénd umèn unidi vita èsa"},
    {"eo", "ajn artikolo asembleo aŭ deklaracio digno egalaj estu familio havas homaj kaj kiu "
           "kiuj kiun lando liberecoj membroj mondo nacioj neniu paco partopreni proklamita "
           "protekto publika rajtas rajtoj rajton socio tio tiu tiuj universala unuiĝintaj ĉi "
           "ĉiu ĉiuj ĝenerala ĝi"},
    {"et", "abinõudega alati artikkel iga igal inimene inimesel inimeste inimkonna inimõiguste "
           "kaasa kasutada kaudu kohustuste kui kus kõik nende ning olema oma peab pidada "
           "pidades rahvuslike riigi sellele silmas tema tohi vabadust vabaduste vabalt "
           "veendumuste väärikuse või võrdsuse õigluse õigus õiguste"},
    {"fo",
     "eiga eingin eru framd frælsi fyri fólk grein hann hava heimsyvirlýsing hesi hevur "
     "hvør ikki ið lut mannarættindi mannaættarinnar mið rætt rættindi skulu slag somu sum "
     "tað tey tjæðskap trygd undir uttan vera verið vernd verða verður virðing við øll"},
    {"fur",
     "altris ancje articul cence ch cheste cont cuintri cun dai declarazion derit derits "
     "dignitât ducj fate fede gjenerâl gjernazie individui instruzion internazionâl jessi "
     "libertât lis membris nazions nissune paîs persone religjon samblee sigurece sociâl "
     "stât sô tignût unidis universâl vie"},
    {"fy",
     "beskerming betinken binne dizze dy ek fan feriene ferklearring foar folken frij "
     "frijheden frijheid fûnemintele gelikense hawwe kêst minske naasjes nimmen nommen oan "
     "oare rjocht rjochten sil sosjale syn sûnder troch tsjin weardichheid wet wurk wêze "
     "yn ûnder ûnderwiis ûnderwurpen"},
    {"gag",
     "alarak açık baalı birleşmiş birliktä birtakım cümlä deklaraţiyada devletin diil eer "
     "esaba genel haklar hakların haklarına hakı herbir insan insanın iş kaynaklanan "
     "kurulun lääzım milletlär moldovadakı olmaa olmayan onnarın serbest serbestli "
     "serbestlik serbestliklär sotial uygun yada yardımcı yazı ölä üürenmäk"},
    {"gl", "actos artigo calquera caso coma común conciencia declaración dereito dereitos "
           "dignidade dun estado familia liberdade liberdades lle mundo nacionalidade nacións "
           "nin ninguín paz país persoa poderá presente protección relixión respecto súa teñen "
           "traballo tódolos unha unidas universal vida xustiza ós"},
    {"hr", "bi bilo biti brak budući deklaraciju djelo drćave ili ima imaju kako kao kazneno "
           "koji meću mira mora narodima nitko obitelji opća prava pravima pravo primoran radi "
           "razumijevanje sloboda slobodu smije sudjelovati svatko sve tih ućivati zajednićko "
           "ćivot ćlanak ćovjeka"},
    {"hsb",
     "abo artikl dokelž dyrbi hač jich kotrež kotrymž kraja kubłanje kóždy měnjenja "
     "narodow nichtó njesmě powšitkowne połne prawa prawo prawow płez płipóznaće "
     "płisłušnosć stej swobodow swobodu swobody swojich tute tutych wot wozjewjenje wučba "
     "wužiwać wšě wšěch wšěm zjednoćenych čłowjeskeje čłowječich"},
    {"ht",
     "ak antre ap atik bon chak deklarasyon dwa edikasyon epi fè fèt gen jan ka kote lalwa "
     "lasosyete lekòl lib libète lè lòt menm moun mwayen nan nasyonzini nou oswa pa peyi "
     "pou pran respekte san sonje tou travay yon"},
    {"ia",
     "altere articulo assi considerante debe declaration derecto derectos education equal "
     "esser essera familia fin fundamental human instruction iste lege libere libertate "
     "libertates nationes necuno pais persona plen pote proclamate protection public "
     "qualcunque recognoscentia religion respecto social territorio tote universal vita"},
    {"io",
     "artiklo deklaro dil egala esar esez familio havas homal homi internacional irga kom "
     "konsiderante liberesi libereso limitizo lu lua mariajeso nacional nulu ofenso omna "
     "omnu persono plena pri protekto recevar segun sekureso sive social socio universal "
     "vivo yuri yurizita yuro"},
    {"is",
     "allir að ber efla engan eða fyrir gera grein hafa hann hefur hverjum lögum mann "
     "manni mannréttindi markmið maður menn með má njóta rétt réttinda réttindi sameinuðu "
     "skulu sé vera verið virðingu við öllum þeim þeirra þess þjóðanna því þá"},
    {"kea", "arguêm artigo bai bem calquer condiçon considrâ debê drêto dénto estado fazê ficâ "
            "fundamental grupo guenti homi humano igual liberdadi membro mudjer mundo naçon "
            "ninguêm pa podê pâ péssoa religion social stâ sê sês tambê trabadjo undi unido ês "
            "ôto"},
    {"la", "aut communis declarationem decreto educationem familiae fundamentum gentis habent "
           "habet haec homines hominis hominum homo horum humanae iii interesse iv jura jure "
           "jurum jus libertatem libertatum matrimonio nationum nemo nulla omnes omnibus omnis "
           "pacis potest quae respectus sive societatis suae"},
    {"lad",
     "aktos artikolo baza deklarasion derecho derechos djustisia estado famiya "
     "fundamentales kada kavzo komo konsensia konsiderando kontra kual ley libertad "
     "libertades miembros mundo nasiones nivel ombre paiz paz persona podra rekonosimiento "
     "relijion sosial sosiedad tiene tienen umana umanos unidas universal vida"},
    {"lb",
     "artikel bestiednes dee deem deer deklaratioun duerch duerf déi eng enger famill fir "
     "fräi fräiheet fräiheten gesetz gin géint hir huet jiddereen mat mënsch "
     "mënscherechter nët odder ouni proklaméiert recht rechter schutz sech sénger vu vum "
     "vun well welt wou"},
    {"mk",
     "бидат биде бидејќи дело заштита земјата како кој која кривично луѓе луѓето нации "
     "неговата неговото никој ова оваа од поради права право преку работа религија својата "
     "секој сите слобода слободи собрание статус уживаат цел целосно член што ја јавно ќе"},
    {"nds",
     "ahn anrecht arbeit artikel bi daarför doon dröff dörch düsse eh frie frieheiten "
     "geiht gellt gemeenschupp gloven hebbt hett hört keen keeneen land minnachten "
     "minschen minschenrechten ok orrer recht rechten schuul sien sik staat sünd verklaren "
     "vun vunwegen ward warrn"},
    {"nn",
     "artikkel avgrensa eit ekteskapet familien folk fridom fridomen fritt frå fråsegna "
     "gjort grunnlaget handlingar ikkje internasjonale krav lova menneska menneske "
     "menneskerettane mål måte nasjonar naturlege noko rett retten samfunnet skilnad slag "
     "slaveri strid syte val verda vere vern verna vørdnaden"},
    {"oc", "ambe article coma considerant declaracion degun dels desvolopament dignitat dins "
           "drech dreches estat familha fondament libertat libertats membres mena nacions país "
           "persona presenta proteccion pòt quina religion serà siá sociala societat sos tota "
           "totas totes umana unidas universala vida òme"},
    {"pam",
     "alang aliwa artikulo atin ating balang bang bansa batas dapat ding ing iti iya iyang "
     "kalayan kapamilatan kapayapan karapatan karapatang karing kayang king lang lipunan "
     "mang metung nanu ning ninu nung pang pantau pante ra ring sabla sablang tau uling"},
    {"pcd",
     "avou chaskeun cis considèrant deût dreût dreûts dè dèl famile fåt ine leû lès lî "
     "lîbe lîbèrtés minme monde mète mî nåcions ome parèlièmint pout rèspècter seûye sins "
     "st sès todi tos totes turtos vins zon årt èst èt îdèyes"},
    {"rm",
     "arbitrariamaing artichel basa cha considerand cumplet cumünanza cun cunter dad dals "
     "decleranza discriminaziun dret drets famiglia gnir ingün ingüna libertats libertà "
     "libramaing mincha pajais persuna poja proprietà protecziun quist quista sainza sco "
     "seis sun tuot tuots uman umana ün üna"},
    {"sco",
     "airticle assemlie aw awbody commonty declaration dignity distinction entitelt equal "
     "forsameikle frae free freedom freedoms ful fundamental gear hes human ither law "
     "learning member nae national nations ony religioun richt richts shal sic social "
     "states tae unitit universal wi win"},
    {"sk",
     "aj ak ako alebo bolo byť cieľ deklaráciu dôstojnosti inými ktorom ktorá ktoré majú "
     "medzi mieru má nesmie nikto ochranu pre práv práva právam právo rodiny slobodám "
     "spoločnosti sú túto vo všetci všetky základom zákonom článok ľudia ľudskej ľudských "
     "ľudu"},
    {"sl",
     "bi bila biti brez dejanja družbe enakih ima katerem kaznivega ker kot mora narodov "
     "nihče pravic pravice pravico pri priznanje razumevanje sme splošno spoštovanje sta "
     "svoboščin tako temelj varstva vsakdo vseh vsi zakonom zakonsko združenih zvezo člen "
     "človekove človekovih šolanje"},
    {"sq",
     "arsimi asnjeri dhe drejta drejtat drejtave drejtë drejtën duhet gjitha gjithkush "
     "gjithë janë jetë ka kanë kombeve kundër lirive lirë marrë mbasi midis mund neni nga "
     "njeriut një nuk në ose pa plotë për përgjithshme që së tyre të është"},
    {"sr",
     "бити бића време државе друштва заштиту имају како као која којем који личности међу "
     "народима нико ову од породице пошто права правима право сваки свако сваког сви "
     "слобода слободе слободна слободу су тако члан човек човека је људска његове ће"},
    {"tk", "adalatly adam adamlaryň bilen bilim bilinmez birleşen bolmalydyr derejede deň doly "
           "duçar esasy guramasynyň görä göz hak haklydyr hemmesi hukuklaryna hukuklarynyň "
           "jemgyýetiň kanunyň madda maşgala milletler milli nji njy professional sosial tutup "
           "umumy wagtynda ykrar ählumumy öz öňünde üçin ýa"},
    {"uz", "barcha bilan biror boʻlgan boʻlib boʻlishi egadir emas erkinliklar etilishi "
           "eʼtiborga hamda hech huquq huquqiga huquqlar huquqlari ijtimoiy inson kerak mazkur "
           "milliy modda muhofaza mumkin olib olish oʻz oʻzboshimchalik qilingan qilish sodir "
           "taʼlim teng toʻkis toʻla uchun uning xalqaro yoki"},
    {"vec",
     "articoƚo asemblea aƚa conto deƚa deƚe difondare dikiarassión diriti dirito disembre "
     "essar eƚa gà homo insegnamento internassionaƚe lavoro libertà matrimonio mexo "
     "momento nassion nassionaƚità nassión nissun proclamà reato seguito sensa stà "
     "tegnendo testo tute tuti umani unite universaƚe xe ƚe"},
    {"vep",
     "arvokahuden avoin homaitusehe ičeze jogahižel kaikiden kaikile kirjutez kudamb "
     "kudambad kundan kut mehel mehele mehen mehiden mez mirun miše mugažo mödhe nikeda "
     "oiktuded oiktuden oiktuz oiktuzid oiktuziden olda oma opendusele ottes pahas tarbiž "
     "tegoid tegos tehta valdoid zakonan ühthine ühtnikoiden"},
    {"wa",
     "artike avou bon chaskeun deût disconte dreût dreûts dè fé ine lwè lès manîre minme "
     "monde mète nin nolu ome payis pout prinde pus rik sins st sès tos totes turtos vint "
     "wice ås çou ènn èsse èst èt ôte"},
};

#endif
