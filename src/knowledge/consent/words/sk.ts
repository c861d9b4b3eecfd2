import { type LanguageWords, phrases } from '../phrases.ts'

export const sk: LanguageWords = {
  language: 'sk',
  accept: phrases(`
    prijať | prijať všetko | prijať všetky | prijať všetky cookies | prijímam | prijímam všetky | súhlasím |
    súhlasím so všetkým | povoliť všetko | povoliť všetky | povoliť všetky cookies | povoliť | akceptovať |
    akceptovať všetko | akceptovať všetky | prijať cookies | súhlas
  `),
  acknowledge: phrases(`rozumiem | v poriadku`),
  reject: phrases(`
    odmietnuť | odmietnuť všetko | odmietnuť všetky | odmietnuť všetky cookies | odmietam | odmietnuť cookies |
    zamietnuť | zamietnuť všetko | nesúhlasím | neprijať | nepovoliť | nie ďakujem | nie | iba nevyhnutné |
    len nevyhnutné | iba nevyhnutné cookies | len nevyhnutné cookies | prijať iba nevyhnutné |
    povoliť iba nevyhnutné | prijať len nevyhnutné | iba potrebné | pokračovať bez súhlasu | pokračovať bez prijatia |
    odmietnuť voliteľné | len technické cookies
  `),
  settings: phrases(`
    nastavenia | nastavenie | nastavenia cookies | nastavenie cookies | upraviť nastavenia | prispôsobiť | spravovať |
    spravovať cookies | spravovať možnosti | predvoľby | ďalšie možnosti | možnosti | zobraziť podrobnosti |
    zmeniť nastavenia | podrobné nastavenia | vlastné nastavenia | upraviť
  `),
  save: phrases(`
    uložiť | uložiť nastavenia | uložiť výber | uložiť predvoľby | potvrdiť | potvrdiť výber | potvrdiť moje voľby |
    povoliť výber | uložiť a zavrieť
  `),
  revoke: phrases(`
    odvolať súhlas | zmeniť súhlas | zmeniť nastavenia cookies | správa súhlasu | spravovať súhlas |
    nastavenia súkromia
  `),
  negations: phrases(`nie | bez | iba | len | nevyhnutné | potrebné`),
  topic: phrases(`
    cookie | súhlas | súkrom | sledov | personaliz | tretích strán | partner | osobných údaj | osobné údaj
  `),
  privacy: phrases(`
    ochrana osobných údajov | zásady ochrany osobných údajov | ochrana súkromia | spracúvanie osobných údajov | gdpr |
    súkromie
  `),
  imprint: phrases(`
    právne informácie | právne upozornenie | prevádzkovateľ | tiráž | informácie o spoločnosti
  `),
  cookies: phrases(`
    zásady cookies | cookies | súbory cookie | zásady používania súborov cookie | pravidlá používania cookies
  `),
  terms: phrases(`
    obchodné podmienky | podmienky používania | všeobecné obchodné podmienky | všeobecné podmienky
  `),
}
