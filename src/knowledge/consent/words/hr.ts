import { type LanguageWords, phrases } from '../phrases.ts'

export const hr: LanguageWords = {
  language: 'hr',
  accept: phrases(`
    prihvati | prihvati sve | prihvati sve kolačiće | prihvaćam | prihvaćam sve | prihvati kolačiće | slažem se |
    dopusti sve | dopusti sve kolačiće | dopusti | dozvoli sve | dozvoli | prihvati i zatvori | suglasan sam |
    omogući sve | prihvatite sve
  `),
  acknowledge: phrases(`razumijem | u redu`),
  reject: phrases(`
    odbij | odbij sve | odbij sve kolačiće | odbijam | odbijam sve | odbij kolačiće | ne slažem se | ne prihvaćam |
    ne hvala | ne | odbaci | odbaci sve | samo nužni | samo nužni kolačići | samo neophodni |
    samo neophodni kolačići | prihvati samo nužne | prihvati samo nužne kolačiće | dopusti samo nužne |
    prihvati samo neophodne | samo obavezni kolačići | koristi samo nužne kolačiće | nastavi bez prihvaćanja |
    nastavi bez pristanka | odbijte sve | samo potrebni
  `),
  settings: phrases(`
    postavke | postavke kolačića | prilagodi | prilagodi postavke | upravljaj | upravljaj kolačićima |
    upravljanje kolačićima | upravljaj opcijama | opcije | više opcija | prikaži detalje | promijeni postavke |
    detalji | odaberi kolačiće | upravljaj postavkama
  `),
  save: phrases(`
    spremi | spremi postavke | spremi odabir | potvrdi | potvrdi odabir | potvrdi moj odabir | dopusti odabrane |
    dopusti odabir | spremi i zatvori | prihvati odabrane
  `),
  revoke: phrases(`
    povuci privolu | povuci pristanak | promijeni privolu | promijeni postavke kolačića | upravljanje privolom |
    upravljaj pristankom
  `),
  negations: phrases(`ne | bez | samo | nužni | nužne | neophodni | neophodne`),
  topic: phrases(`
    kolačić | privol | pristan | privatnost | praćenj | cookie | treć | partner | osobnih podat | osobni podac
  `),
  privacy: phrases(`
    politika privatnosti | privatnost | zaštita osobnih podataka | pravila privatnosti | izjava o privatnosti |
    zaštita podataka
  `),
  imprint: phrases(`impressum | pravne informacije | pravna napomena | podaci o tvrtki | pravne napomene`),
  cookies: phrases(`
    kolačići | politika kolačića | pravila o kolačićima | o kolačićima | izjava o kolačićima
  `),
  terms: phrases(`
    uvjeti korištenja | opći uvjeti | uvjeti poslovanja | opći uvjeti poslovanja | uvjeti kupnje
  `),
}
