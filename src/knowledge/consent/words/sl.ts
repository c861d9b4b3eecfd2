import { type LanguageWords, phrases } from '../phrases.ts'

export const sl: LanguageWords = {
  language: 'sl',
  accept: phrases(`
    sprejmi | sprejmi vse | sprejmi vse piškotke | sprejmem | sprejmem vse | sprejmi piškotke | strinjam se |
    dovoli vse | dovoli vse piškotke | dovoli | dovolim vse | soglašam | potrdi vse | sprejmi in zapri | se strinjam |
    omogoči vse
  `),
  acknowledge: phrases(`razumem | v redu`),
  reject: phrases(`
    zavrni | zavrni vse | zavrni vse piškotke | zavrnem | zavrnem vse | zavrni piškotke | ne strinjam se |
    ne soglašam | ne hvala | ne | samo nujni | samo nujni piškotki | le nujni | le nujni piškotki |
    sprejmi samo nujne | sprejmi samo nujne piškotke | dovoli samo nujne | samo obvezni | le obvezni piškotki |
    uporabi samo nujne piškotke | nadaljuj brez soglasja | ne dovoli | nadaljuj brez sprejema | samo potrebni
  `),
  settings: phrases(`
    nastavitve | nastavitve piškotkov | prilagodi | prilagodi nastavitve | upravljaj | upravljaj piškotke |
    upravljanje piškotkov | upravljaj možnosti | možnosti | več možnosti | pokaži podrobnosti | spremeni nastavitve |
    podrobnosti | izberi piškotke
  `),
  save: phrases(`
    shrani | shrani nastavitve | shrani izbor | shrani izbiro | potrdi | potrdi izbor | potrdi izbiro |
    potrdi moje izbire | dovoli izbrane | shrani in zapri | sprejmi izbrane
  `),
  revoke: phrases(`
    prekliči soglasje | preklic soglasja | spremeni soglasje | spremeni nastavitve piškotkov | upravljanje soglasja |
    umakni soglasje
  `),
  negations: phrases(`ne | brez | samo | le | nujni | nujne | obvezni`),
  topic: phrases(`
    piškot | soglas | zasebnost | sledenj | cookie | tretj | partner | osebnih podatk | osebni podat
  `),
  privacy: phrases(`
    politika zasebnosti | zasebnost | varstvo osebnih podatkov | varovanje osebnih podatkov | izjava o zasebnosti |
    pravilnik o zasebnosti
  `),
  imprint: phrases(`pravno obvestilo | pravna obvestila | podatki o podjetju | kolofon | impresum`),
  cookies: phrases(`piškotki | politika piškotkov | o piškotkih | uporaba piškotkov | obvestilo o piškotkih`),
  terms: phrases(`pogoji uporabe | splošni pogoji | splošni pogoji poslovanja | pogoji poslovanja`),
}
