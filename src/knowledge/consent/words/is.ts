import { type LanguageWords, phrases } from '../phrases.ts'

export const icelandic: LanguageWords = {
  language: 'is',
  accept: phrases(`
    samþykkja | samþykkja allt | samþykkja allar | samþykkja allar vafrakökur | samþykkja vafrakökur | ég samþykki |
    samþykki | leyfa allar | leyfa allt | leyfa allar vafrakökur | leyfa | samþykkja allar kökur
  `),
  acknowledge: phrases(`í lagi | ég skil`),
  reject: phrases(`
    hafna | hafna öllu | hafna öllum | hafna öllum vafrakökum | hafna vafrakökum | nei takk | nei |
    aðeins nauðsynlegar | aðeins nauðsynlegar vafrakökur | eingöngu nauðsynlegar | eingöngu nauðsynlegar vafrakökur |
    bara nauðsynlegar | leyfa aðeins nauðsynlegar | samþykkja aðeins nauðsynlegar | samþykkja ekki |
    halda áfram án samþykkis | hafna öllum kökum
  `),
  settings: phrases(`
    stillingar | vafrakökustillingar | stillingar fyrir vafrakökur | breyta stillingum | sérsníða |
    stjórna vafrakökum | velja | nánari stillingar | skoða stillingar
  `),
  save: phrases(`
    vista | vista stillingar | vista val | staðfesta | staðfesta val | vista og loka | leyfa valdar
  `),
  revoke: phrases(`
    afturkalla samþykki | breyta samþykki | breyta vafrakökustillingum | draga samþykki til baka
  `),
  negations: phrases(`ekki | án | aðeins | eingöngu | bara | nauðsynlegar`),
  topic: phrases(`
    vafrak | fótspor | samþykk | persónuvernd | cookie | rakning | þriðja aðila | persónuupplýsing
  `),
  privacy: phrases(`
    persónuvernd | persónuverndarstefna | meðferð persónuupplýsinga | persónuverndaryfirlýsing
  `),
  imprint: phrases(`lagalegar upplýsingar | um fyrirtækið | fyrirtækjaupplýsingar | útgefandi`),
  cookies: phrases(`vafrakökur | vafrakökustefna | stefna um vafrakökur | notkun á vafrakökum | kökustefna`),
  terms: phrases(`skilmálar | notkunarskilmálar | viðskiptaskilmálar | almennir skilmálar`),
}
