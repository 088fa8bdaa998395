/*
 * stopwords_data.h - words that say nothing about what a text is about, for each language.
 *
 * Closed classes only: articles, pronouns, prepositions, conjunctions, auxiliaries, particles,
 * and the contractions of these. A word that is also an ordinary noun or verb stays out unless
 * the closed-class use is far more common. At most 200 for each language.
 *
 * As the tokenizer leaves them: NFC, case-folded (so "ss" for a sharp s, and no final sigma),
 * in byte order; contractions with the plain apostrophe. Letters that stand alone are what is
 * left of contractions.
 */
#ifndef DPL_UNICODE_STOPWORDS_DATA_H
#define DPL_UNICODE_STOPWORDS_DATA_H

#include "unicode/wordset.h"

static const dpl__wordlist stop_lists[] = {
    {"bg",
     "а аз ако бе без беше би бил била били било бъда бъдат бъде бях бяха в вас вече ви "
     "вие вместо всеки всички всичко всяка всяко във въпреки върху ги го да даже дали де "
     "до докато дори друг друга други друго е един една едни едно за заради затова защо "
     "защото и из или им има имат имаше как каква какви какво както какъв като кога когато "
     "кого кое което кои които кой който колко коя която край къде където към макар ме "
     "между мен ми много могат мое може можеше мои мой моя му на над най нали нас наш наша "
     "наше наши не него нека нещо нея ни ние никой нито нищо но някое някои някой някоя "
     "няма обаче около освен от още пак по повече под понеже пред преди през при просто "
     "против с са сам сама сами само свое свои свой своя се себе сега си след сме според "
     "срещу сте съм със същ същата същите същия също същото тази така такава такива такова "
     "такъв там те теб тези ти то това тогава този той трябва тук тя тях у че чрез ще щеше "
     "щом я"},
    {"cs",
     "a aby ale ani ano ať až bez bude budou budu buď by byl byla byli bylo byly být během "
     "co do díky ho i jak jako je jeho jej jejich její jen jenom jestliže ještě ji jim "
     "jiné již jsem jsi jsme jsou jste já jí k kam každá každé každý kde kdo kdy kdyby "
     "když ke kolem kromě kterou která které kterého který kterých kterým kteří ku kvůli "
     "li mezi mimo mohou moje mu musí my místo mě můj může na nad naše ne nebo neboť není "
     "než nic nich nikdo nikdy nyní nám námi nás náš ní něco někdo o od on oni ono pak po "
     "pod podle pokud potom pouze pro proti proto protože proč před přes při s sama sami "
     "samo se sebe si sobě své svého svých svým sám ta tady tak takové také tam tato tedy "
     "ten tento teď to toho tohoto tom tomu toto tu tuto ty tyto té této též tím tě těch "
     "těchto těm u už v ve velmi vy vám vámi vás více však vše všech všechno všechny všem "
     "všichni vždy z za zda zde ze čem čím že"},
    {"da",
     "ad af al alle allerede alt anden andet andre at bag blandt blev blevet blive bliver "
     "blot burde både bør da de dem den denne dens der deraf deres derfor derfra dermed "
     "derpå dertil derved det dets dette dig din dine disse dit du efter ej eller en end "
     "endnu enhver enten er et for foran fordi fra før gennem haft ham han hans har havde "
     "have hende hendes her hertil herved hinanden hos hun hvad hvem hver hverandre "
     "hverken hvert hvilke hvilken hvilket hvis hvor hvordan hvorfor hvorfra hvori hvornår "
     "i ifølge ikke ind inden indenfor indtil ingen intet ja jeg jer jeres jo kan kun "
     "kunne kunnet langs man med meget mellem men mens mere mest mig min mine mit mod må "
     "måtte ned nej nogen noget nogle nok nu når og også om omkring op os over på samme "
     "samt selv selvom siden sig sin sine sit skal skulle skønt som så sådan sådanne "
     "sådant til trods ud uden udenfor under var ved vel vi vil ville vor vore vores vort "
     "være været"},
    {"de",
     "ab aber alle allen aller alles als also am an ans auch auf aus ausser bei beide "
     "beiden beim bevor bin bis da dabei daher damit dann darauf darin darüber das dass "
     "davon dazu dem den denen denn der deren des deshalb dessen dich die diese diesem "
     "diesen dieser dieses doch dort du durch ein eine einem einen einer eines einige "
     "einigen er es etwas euch für gegen habe haben hat hatte hatten her hier hin hätte "
     "ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jeder jedoch jene "
     "jener kann kein keine keinen konnte können könnte könnten mag man manche mein meine "
     "meinen mich mir mit muss musste müssen nach nachdem nein nicht nichts noch nur ob "
     "obwohl oder ohne schon sehr sei sein seine seinem seinen seiner seit selbst sich sie "
     "sind so soll sollen sollte sollten sondern statt um und uns unser unsere unseren "
     "unter vom von vor wann war waren warum was wegen weil welche welcher wem wen wenn "
     "wer werde werden wie will wir wird wo wollen wollte worden wurde wurden während wäre "
     "wären würde würden zu zum zur zwischen über"},
    {"el",
     "άλλα άλλεσ άλλη άλλο άλλοι άλλοσ άλλων άμα άρα ένα έναν ένασ έξω έτσι έχει έχουμε "
     "έχουν έχω έωσ ή ήδη ήταν ίδια ίδιο ίδιοσ ακόμα ακόμη αλλά αν αντί από ασ αυτά αυτέσ "
     "αυτή αυτήν αυτήσ αυτοί αυτού αυτούσ αυτό αυτόν αυτόσ αυτών αφού για γιατί δε δεν "
     "διότι εάν είμαι είναι είτε είχα είχαμε είχαν είχε εγώ εδώ εκ εκεί εκείνα εκείνεσ "
     "εκείνη εκείνο εκείνοι εκείνοσ εμάσ εμένα εμείσ εν ενόσ ενώ εξ επί επίσησ επειδή εσάσ "
     "εσένα εσείσ εσύ η θα κάθε κάποια κάποιεσ κάποιο κάποιοι κάποιοσ κάτι κάτω καθένασ "
     "καθώσ και καμία κανένα κανένασ κανείσ κατά κι λοιπόν λόγω μέσα μέχρι μία μα μασ με "
     "μετά μεταξύ μη μην μια μιασ μου μπορεί μπορούν μπορούσε μόνο να ναι ο οι οποία "
     "οποίεσ οποίο οποίοι οποίοσ οποίου οποίων ούτε πάλι πάνω παρά περί πια πιο ποια ποιο "
     "ποιοσ πολύ που πρέπει πριν προσ πωσ σαν σασ σε σου στα στη στην στησ στισ στο στον "
     "στου στουσ τίποτα τα τη την τησ τι τισ το τον του τουσ των τότε τώρα υπέρ υπό χωρίσ "
     "ωσ ωστόσο ό όλα όλεσ όλη όλο όλοι όλοσ όλουσ όλων όμωσ όπου όπωσ όσα όσεσ όσο όσοι "
     "όσων όταν ότι όχι ώστε"},
    {"en", "a about above across after again against all along also although am among an and "
           "another any are aren't around as at be because been before behind being below "
           "between both but by can can't cannot could couldn't d did didn't do does doesn't "
           "doing don't done down during each either else even ever every for from had has "
           "hasn't have haven't having he he's her here herself him himself his how i i'll i'm "
           "i've if in into is isn't it it's its itself just let's like ll m may me might must "
           "my myself near neither never no none nor not of off on one only or other our "
           "ourselves out over own re s same shall she she's should shouldn't since so some "
           "still such t than that that's the their them themselves then there there's these "
           "they they'll they're they've this those though through to too toward towards under "
           "unless until up upon us ve very was wasn't we we'll we're we've were weren't what "
           "when where whether which while who whom whose why will with within without won't "
           "would wouldn't yet you you'll you're you've your yourself yourselves"},
    {"es",
     "a ahí al algo alguien alguna algunas alguno algunos algún allí ante aquel aquella "
     "aquellas aquellos aquí así aunque aún bajo cada como con contra cual cuales "
     "cualquier cuando cuanto cuantos cuál cómo de del desde donde durante e el ella ellas "
     "ellos en entonces entre era eran es esa esas ese eso esos esta estaba estaban "
     "estamos estar estas este esto estos estoy está están estás fue fuera fueran fueron "
     "ha haber habrá habría había habían hacia han has hasta hay haya hayan he hemos "
     "hubiera hubo la las le les lo los luego mas me mediante menos mi mientras mis misma "
     "mismas mismo mismos muy más mí nada nadie ni ninguna no nos nosotros nuestra "
     "nuestras nuestro nuestros nunca o os otra otras otro otros para pero por porque pues "
     "que quien quienes qué se sea sean según ser será serán sería si sin sino sobre solo "
     "somos son soy su sus sí sólo tal tales también tampoco tan tanto tantos te toda "
     "todas todo todos tras tu tus tú u un una unas uno unos usted ustedes vosotros y ya "
     "yo él"},
    {"fi",
     "ali alla asti ei eikä eivät eli emme en ennen et ette että he heidän heille heitä "
     "hyvin hän hänelle hänellä hänen hänet häntä ilman itse ja jo johon joiden joihin "
     "joita joka jokin joko joku jolla jolle jolloin jonka jonkin jos jossa josta jota "
     "jotakin jotka jotkut jotta jälkeen kaiken kaikki kaikkia kaikkien kanssa ken kenen "
     "ketään kohti koska kuin kuinka kuka kukaan kun kuten läpi me meidän meille meillä "
     "meitä mihin miksi mikä mikään mille milloin millä minkä minua minulla minulle minun "
     "minut minä missä mistä miten mitkä mitä mitään molemmat muita mukaan mutta muu muun "
     "muut myös ne niiden niihin niille niillä niin niitä nyt näiden näihin näille näillä "
     "näitä nämä ole olemme olen olet olette oli olimme olin olisi olisivat olit olitte "
     "olivat olla ollaan olleet ollut oltiin on ovat piti pitää päällä saa saakka sama "
     "saman se sekä sellainen sen siellä siihen siinä siis siitä siksi sille sillä sinua "
     "sinulla sinun sinä sitten sitä taas tai takia te teidän toinen toisen tuo tuolla "
     "tuossa tähän tälle tällä tämä tämän tässä tästä tätä täytyy täällä vaan vai vaikka "
     "vain vastaan vielä voi voidaan voivat vuoksi välillä yli älä"},
    {"fr",
     "a afin ai ainsi ait alors après as au aucun aura aurait auront aussi autre autres "
     "aux avaient avait avant avec avez avoir avons ayant bien c c'est c'était car ce ceci "
     "cela celle celles celui certains ces cet cette ceux chaque chez ci comme comment "
     "contre d d'un d'une dans de depuis derrière des devant donc dont du durant dès déjà "
     "elle elles en encore entre est et eu eux ici il ils j j'ai je jusqu jusqu'à jusque l "
     "l'on la le les leur leurs lorsque lui là m ma mais malgré me mes moi moins mon même "
     "mêmes n n'a n'est ne ni non nos notre nous on ont ou oui où par parce parmi pas "
     "pendant peu plus plusieurs pour pourquoi puisque qu qu'elle qu'il qu'ils qu'on quand "
     "que quel quelle quelque quelques qui rien s s'est s'il sa sans se selon sera serait "
     "seront ses si soi soit sommes son sont sous suis sur t ta tandis te tel tes toi ton "
     "tous tout toute toutes trop très tu un une vers vos votre vous y à ça étaient était "
     "étant été êtes être"},
    {"hu",
     "a abban abból ahhoz ahogy ahol aki akik akinek akit akkor akár alatt amely amelyek "
     "amelyet ami amik amikor amit amíg annak arra attól az azok azon azonban azt azzal "
     "azért be belül benne bár csak de ebben ebből egy egyik egymás együtt ehhez ekkor el "
     "ellen előtt engem ennek erre ettől ez ezek ezen ezt ezzel ezért fel felett felé fog "
     "föl fölé fölött ha hanem helyett hogy hogyan hol hozzá ide ilyen is itt kell kellett "
     "keresztül kevés ki kinek kit kívül körül közt közé között közül le legyen legyenek "
     "lehet lehetett lenne lenni lesz lesznek lett lettek maga maguk magát meg mellett "
     "mely melyik mert mi miatt mielőtt mikor milyen minden mindenki mindent minek mint "
     "mit miután mivel miért most már más másik még míg mögött nagyon ne nekem neki nekik "
     "nem nincs nincsenek nélkül oda olyan ott pedig rajta róla s saját se sem semmi senki "
     "során szerint szinte talán te tehát ti több túl tőle ugyan ugyanaz után vagy vagyok "
     "vagyunk valaki valamely valami való van vannak vele viszont volna volt voltak voltam "
     "voltunk által át én éppen és így óta ön úgy ő ők őket őt"},
    {"it",
     "a abbia abbiamo ad ai al alcune alcuni all alla alle allo allora altra altre altri "
     "altro anche ancora avere avete aveva avevano avrebbe avrà c c'è che chi ci ciò col "
     "come con contro così cui d da dal dall dalla dalle degli dei del dell della delle "
     "dello di dopo dove dunque durante e ecco ed egli entro era erano essere fosse fra fu "
     "fuori già gli ha hai hanno ho i il in io l la le lei li lo loro lui là lì ma mai me "
     "meno mentre mi mia mie miei mio molto ne negli nei nel nell nella nelle nessuno no "
     "noi non nostra nostre nostri nostro né o ogni oltre per perché però più poi presso "
     "prima qua qualche qualcosa qualcuno quale quali quando quanto quel quell quella "
     "quelle quelli quello quest questa queste questi questo qui quindi saranno sarebbe "
     "sarà se sei senza si sia siamo sono sopra sotto stessa stesso su sua sue sui sul "
     "sull sulla sulle suo suoi sì tale tali tanto te ti tra tu tutta tutte tutti tutto un "
     "una uno verso vi voi è"},
    {"nb",
     "all alle allerede alt andre annen annet at av bak bare blant ble bli blir blitt "
     "burde både bør da de deg dem den denne dens der dere deres derfor derfra dermed "
     "dersom det dets dette di din dine disse dit ditt du ei eller en enhver enn ennå "
     "enten er et etter fikk for foran fordi fra få får fått før gjennom ha hadde ham han "
     "hans har hatt henne hennes her hit hos hun hva hvem hver hverandre hverken hvert "
     "hvilke hvilken hvilket hvis hvor hvordan hvorfor hvorfra i ifølge ikke ingen "
     "ingenting inn innen innenfor inntil intet ja jeg jo kan kun kunne kunnet langs man "
     "med meg mellom men mens mer mest mi min mine mitt mot mye må måtte ned nei noe noen "
     "nok nå når og også om omkring opp oss over på rundt samme samt seg selv selvom si "
     "siden sin sine sitt skal skjønt skulle slik slike slikt som så sånn til tross under "
     "ut uten utenfor var ved vel verken vi vil ville vår våre vårt være vært å"},
    {"nl",
     "aan achter al alle alleen allen alles als ander andere anderen beide ben bent bij "
     "binnen boven buiten daar daardoor daarin daarom daarop daarvan dan dat de deze die "
     "dit door doordat dus een elk elkaar elke en enige er ergens erop ervan even geen "
     "gehad geweest geworden haar had hadden heb hebben hebt heeft heel hem hen het hier "
     "hij hoe hoewel hun ieder iedere iedereen iemand iets ik in indien is ja je jij jou "
     "jouw juist jullie kan kon konden kunnen langs maar mag me men met mij mijn moest "
     "moesten moet moeten mogen n na naar nadat nee nergens niemand niet niets noch nog "
     "nooit nu of om omdat onder ons onze ooit ook op over per reeds rond sinds slechts "
     "sommige t te tegen tenzij terwijl tijdens toch toen tot totdat tussen u uit uw van "
     "via volgens voor voordat waar waardoor waarin waarmee waarom waarop waaruit waarvan "
     "wanneer want waren was wat we weer wees wegens wel welk welke werd werden wie wij "
     "wil willen word worden wordt zal ze zeer zelf zich zichzelf zij zijn zo zoals zodat "
     "zonder zou zouden zulk zulke zullen"},
    {"pl",
     "a aby albo ale ani bardzo bez bo by byli być był była było były będzie będziemy "
     "będziesz będą będę chociaż choć ci cię co coś czy dla dlaczego dlatego do dokąd "
     "dzięki gdy gdyż gdzie go i ich im inna inne inny ja jak jaka jakaś jaki jakie jakieś "
     "jakiś jako je jednak jego jej jemu jest jeszcze jeśli jeżeli już ją każda każde "
     "każdy kiedy kto ktoś która które którego której któremu który których którym którą "
     "ku lecz lub mi mimo między mnie mogą moja moje może można mu my mój na nad nam nas "
     "nasz nasza nasze nawet nic nich nie niech niego niej niemu nigdy nikt nim nimi nią "
     "niż no o obok od około on ona one oni ono oprócz oraz po pod podczas ponieważ przed "
     "przez przy również sam sama sami samo siebie się skąd sobie swój są ta tak taka taki "
     "takie także tam tamten te tego tej temu ten teraz też to trzeba tu tutaj ty tych "
     "tylko tym tymi tą tę u w wam was we według więc wszyscy wszystkich wszystkie "
     "wszystko wtedy wy właśnie wśród z za zanim zatem zawsze ze że żeby"},
    {"pt",
     "a ainda algo algum alguma algumas alguns alguém ali ao aos aquela aquelas aquele "
     "aqueles aqui as assim até aí cada com como conforme contra da das de dela delas dele "
     "deles desde desse desta deste disso do dos durante e ela elas ele eles em embora "
     "enquanto entre então era eram essa essas esse esses esta estamos estar estas estava "
     "estavam este estes estou está estão eu foi foram haver havia há isso isto já la las "
     "lhe lhes lo logo los lá mais mas me menos mesma mesmas mesmo mesmos meu meus minha "
     "minhas muito na nada nas nem nenhum nenhuma nessa nesse nesta neste ninguém nisso no "
     "nos nossa nossas nosso nossos num numa nunca não nós o onde os ou outra outras outro "
     "outros para pela pelas pelo pelos pois por porque portanto porém quais qual qualquer "
     "quando quanto que quem se seja sem sendo ser seria será seu seus si sob sobre somos "
     "sou sua suas são só tais tal também tanto te tem temos tenho ter tinha tinham toda "
     "todas todo todos tu tudo tão têm um uma umas uns você vocês à às é"},
    {"ro",
     "a acea aceasta această acei acel acele acest acesta aceste acestea acestei acestor "
     "acestui aceștia acolo acum ai aici al ale alt alte altă alți am ar are astfel atunci "
     "atât au avea avem aveți avut aș așa ați ca care ce cea cei cel cele celei celor "
     "celui ceva chiar ci cine cineva conform cu cui cum când cât câte câți că căci către "
     "da dacă dar de deci deja deoarece despre deși din dintre doar dumneavoastră după e "
     "ea ei el ele era eram erau este eu ești fi fie fiecare fiind fiindcă foarte fost "
     "fără i iar l la le lor lui lângă mai mea mei mele meu mi mie mine mă ne nici nimeni "
     "nimic noastre noastră noi nostru noștri nu numai o ori orice pe pentru peste poate "
     "prea precum prin printre până sa sale sau se sine spre sub sunt suntem sunteți să "
     "săi său ta tale te tine toate toată tocmai tot toți trebuie tu tău un unde unei "
     "unele unii unor unui va vei veți voi vom vor vă îi îl îmi împotriva în înainte încât "
     "încă însă într între își îți și ți"},
    {"ru",
     "а без более будем будет буду будут бы был была были было быть в вам вас ведь весь "
     "вместо во вокруг вот все всего всем всех вся всё вы где да даже для до должен должны "
     "другие другой его ее ей ему если есть еще ещё её же за зачем здесь и из или им ими "
     "их к каждый как какая какой ко когда кого которая которого которое которой которому "
     "которые который которым которых кроме кто куда ли либо лишь между менее меня мне "
     "мной мог могут может мой мы на над нам нами нас наш наша наше наши не него нее "
     "некоторые нет неё ни никто ним них ничего ничто но о об однако около он она они оно "
     "от откуда очень перед по под пока после потому почему поэтому при про против пусть "
     "ради с сам сама сами само свое своего своей свои своих свой свою своя своё себе себя "
     "сейчас со среди та так также такое такой там те тебя тем теперь тех то тогда того "
     "той только том тому тот ту тут ты у уже хотя чего чем через что чтобы эта эти этим "
     "этих это этого этой этом этому этот эту я"},
    {"sv",
     "all alla allt andra annan annat antingen att av bakom bara bland blev bli blir "
     "blivit borde både bör de dej dem den denna deras dess dessa det detta dig din dina "
     "dit ditt dom du där därför då efter eftersom ej eller en endast enligt er era ert "
     "ett fast fastän fick framför från få får fått för före genom ha hade haft han hans "
     "har henne hennes hit hon honom hos hur huruvida här i icke ifall in inga ingen "
     "ingenting inget innan inom inte ja jag ju kan kring kunde kunna kunnat längs man med "
     "medan mej mellan men mer mest mig min mina mitt mot mycket må måste måtte nej ner ni "
     "nog nu när någon någonting något några och också om omkring oss på redan samma samt "
     "sedan sej sig sin sina sitt själv själva ska skall skulle som så sådan sådana sådant "
     "sån såsom till tills trots under upp ur ut utan utom vad var vara varandra varför "
     "varit varje varken vars vart vem vems vi vid vilja vilka vilken vilket vill ville "
     "väl vår våra vårt än ännu är även åt över"},
    {"tr",
     "altında ama ancak arasında artık aynı az bana bazı bazıları başka ben bende benden "
     "beni benim beri bile bir biraz birbirini birkaç birçok biz bizde bizden bize bizi "
     "bizim bu buna bunda bundan bunlar bunlara bunları bunların bunu bunun bununla burada "
     "buraya böyle bütün da daha dahi de değil değildir diye diğer dolayı doğru dışında "
     "eden eder edilen en etmek etti ettiği evet eğer fakat gene gibi göre hangi hangisi "
     "hayır hem henüz hepsi her herhangi herkes hiç hiçbir hâlâ idi iken ile imiş ise için "
     "içinde içinden kadar karşı kaç kendi kendileri kendine kendini kendisi kendisine "
     "kendisini ki kim kime kimi kimin kimse lakin madem mi midir mu mudur mü müdür mı "
     "mıdır nasıl ne neden nerede nereden nereye nesi neye neyi niye niçin o olacak olan "
     "olarak oldu olduğu olduğunu olmak olması olsa olsun olup olur ona onda ondan onlar "
     "onlara onlardan onları onların onu onun onunla orada oraya oysa pek rağmen sadece "
     "sana sen sende senden seni senin siz sizde sizden size sizi sizin sonra tüm var "
     "vardır ve veya ya yahut yalnız yalnızca yani yine yok yoktur zaten zira çok çünkü "
     "önce öteki öyle üzere üzerinde üzerine şimdi şu şuna şunlar şunu şunun şurada şöyle"},
    {"uk",
     "а або адже але б без би бо був буде буду будуть будь була були було бути більш біля "
     "в вам вас весь вже ви вона вони воно все всього всьому вся всі всім всіх всієї від "
     "він де деякі для до дуже ж же з за зараз звідки зі й його йому кого кожен кожна коли "
     "крім куди лише мене менш мені ми може можна можуть між мій на навіть навіщо над нам "
     "нами нас наш наша наше наші не нема немає нею неї ним них нього ньому ні ній ніхто "
     "ніщо о об однак ось отже перед по поки при про проте проти під після сам сама само "
     "самі свою своя своє свої свій себе серед слід собі та так така таке такий також такі "
     "там те тебе теж тепер ти тим тих то того тоді той тому треба ту тут ті тільки у уже "
     "усе усі хоч хоча хто хтось це цей цим цих цього цьому цю ця ці через чи чим чого "
     "чому ще що щоб щодо щось я як яка якби яке який якийсь яким яких якого якому якої "
     "якщо які є і із інша інше інший інші їй їм їх її"},
};

#endif
