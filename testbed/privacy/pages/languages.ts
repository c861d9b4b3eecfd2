/**
 * Dialogs of no known tool in 29 languages. The labels are written here by what sites of each country have on their buttons,
 * beside the list that the product knows. Agreeing and refusing both start the tracker, so the finding after refusing
 * shows that the right button was found.
 */
import { banner, ping } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'

type Labels = readonly [language: string, accept: string, reject: string, text: string]

const LABELS: readonly Labels[] = [
  [
    'bg',
    'Приемам всички',
    'Отказвам всички',
    'Този сайт използва бисквитки за анализ и реклама. Дайте съгласие или откажете.',
  ],
  [
    'cs',
    'Souhlasím se vším',
    'Odmítnout vše',
    'Soubory cookie používáme k měření návštěvnosti a reklamě. Potřebujeme váš souhlas.',
  ],
  [
    'da',
    'Tillad alle',
    'Kun nødvendige',
    'Vi bruger cookies til statistik og markedsføring. Du kan give eller afvise dit samtykke.',
  ],
  [
    'de',
    'Alle Cookies akzeptieren',
    'Nur notwendige Cookies',
    'Wir verwenden Cookies für Statistik und Werbung von Partnern. Ihre Einwilligung ist freiwillig.',
  ],
  [
    'el',
    'ΑΠΟΔΟΧΗ ΟΛΩΝ',
    'ΑΠΟΡΡΙΨΗ ΟΛΩΝ',
    'Χρησιμοποιούμε cookies για ανάλυση και διαφήμιση. Χρειαζόμαστε τη συγκατάθεσή σας.',
  ],
  ['en', 'I agree', 'No, thanks', 'This website uses cookies and shares data with third parties. Do you consent?'],
  [
    'es',
    'Aceptar todas',
    'Rechazar todas',
    'Utilizamos cookies propias y de terceros para analizar el uso. Puede dar o negar su consentimiento.',
  ],
  [
    'et',
    'Nõustun kõigiga',
    'Keeldun kõigist',
    'Kasutame küpsiseid statistika ja reklaami jaoks. Palume teie nõusolekut.',
  ],
  [
    'fi',
    'Hyväksy kaikki',
    'Vain välttämättömät',
    'Käytämme evästeitä kävijäseurantaan ja mainontaan. Pyydämme suostumustasi.',
  ],
  [
    'fr',
    'Tout accepter',
    'Continuer sans accepter →',
    'Nous et nos partenaires utilisons des cookies pour mesurer l’audience. Votre consentement est libre.',
  ],
  [
    'ga',
    'Glac le gach fianán',
    'Diúltaigh do gach fianán',
    'Úsáidimid fianáin le haghaidh staitisticí agus fógraíochta. Tabhair do thoiliú nó diúltaigh dó.',
  ],
  ['hr', 'Prihvati sve', 'Odbij sve', 'Koristimo kolačiće za statistiku i oglašavanje. Potreban je vaš pristanak.'],
  [
    'hu',
    'Összes elfogadása',
    'Összes elutasítása',
    'Sütiket használunk statisztikához és hirdetésekhez. Kérjük hozzájárulását.',
  ],
  [
    'it',
    'Accetta tutti',
    'Rifiuta tutti',
    'Utilizziamo cookie di profilazione di terze parti. Puoi dare o negare il consenso.',
  ],
  [
    'lt',
    'Sutinku su visais',
    'Tik būtini slapukai',
    'Naudojame slapukus statistikai ir reklamai. Prašome jūsų sutikimo.',
  ],
  ['lv', 'Piekrītu visām', 'Noraidīt visas', 'Izmantojam sīkdatnes statistikai un reklāmai. Lūdzam jūsu piekrišanu.'],
  [
    'mt',
    'Aċċetta kollox',
    'Irrifjuta kollox',
    'Nużaw cookies għall-istatistika u r-reklamar. Nitolbuk il-kunsens tiegħek.',
  ],
  [
    'nl',
    'Alles accepteren',
    'Alles weigeren',
    'Wij gebruiken cookies voor statistiek en advertenties van partners. Geef of weiger uw toestemming.',
  ],
  [
    'pl',
    'Zgadzam się na wszystkie',
    'Tylko niezbędne',
    'Używamy plików cookie do statystyki i reklam partnerów. Prosimy o zgodę.',
  ],
  [
    'pt',
    'Aceitar todos',
    'Rejeitar todos',
    'Utilizamos cookies para estatística e publicidade de parceiros. Pode dar ou recusar o consentimento.',
  ],
  [
    'ro',
    'Acceptă toate',
    'Respinge toate',
    'Folosim cookie-uri pentru statistică și publicitate. Avem nevoie de consimțământul dvs.',
  ],
  ['sk', 'Prijať všetko', 'Odmietnuť všetko', 'Súbory cookie používame na meranie a reklamu. Potrebujeme váš súhlas.'],
  [
    'sl',
    'Sprejmem vse',
    'Samo nujni piškotki',
    'Piškotke uporabljamo za statistiko in oglaševanje. Potrebujemo vaše soglasje.',
  ],
  [
    'sv',
    'Godkänn alla',
    'Endast nödvändiga',
    'Vi använder kakor för statistik och annonser från partner. Vi ber om ditt samtycke.',
  ],
  [
    'no',
    'Godta alle',
    'Bare nødvendige',
    'Vi bruker informasjonskapsler til statistikk og annonser fra partnere. Vi ber om samtykke.',
  ],
  [
    'is',
    'Samþykkja allt',
    'Aðeins nauðsynlegar',
    'Við notum vafrakökur til tölfræði og auglýsinga. Við biðjum um samþykki þitt.',
  ],
  [
    'uk',
    'Прийняти всі',
    'Відхилити всі',
    'Ми використовуємо файли cookie для статистики та реклами партнерів. Потрібна ваша згода.',
  ],
  [
    'tr',
    'TÜMÜNÜ KABUL ET',
    'TÜMÜNÜ REDDET',
    'İstatistik ve reklam için çerezler kullanıyoruz. Açık rıza vermenizi rica ederiz.',
  ],
  [
    'ru',
    'Принять все',
    'Только необходимые',
    'Мы используем файлы cookie для статистики и рекламы партнёров. Нужно ваше согласие.',
  ],
]

const SEEN = ping('https://ct.pinterest.com/v3/?tid=261&event=pagevisit')

export const LANGUAGE_PAGES: readonly PrivacyPage[] = LABELS.map(([lang, accept, reject, text]) => ({
  name: `lang-${lang}`,
  shows: `a dialog in ${lang}; refusing refuses nothing`,
  must: ['pixel-after-reject', 'reject-ineffective'],
  runs: 'asked',
  lang,
  names: ['Pinterest'],
  body: banner({ accept, reject, text, onAccept: SEEN, onReject: SEEN }),
}))
