/**
 * What buttons and links of consent banners say, by language: the 24 official languages of the EU, and Norwegian,
 * Icelandic, Ukrainian, Turkish and Russian. Own list, from the usage of banners. Compared after folding (fold.ts).
 */
import type { LanguageWords } from './phrases.ts'
import { bg } from './words/bg.ts'
import { cs } from './words/cs.ts'
import { da } from './words/da.ts'
import { de } from './words/de.ts'
import { el } from './words/el.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { et } from './words/et.ts'
import { fi } from './words/fi.ts'
import { fr } from './words/fr.ts'
import { ga } from './words/ga.ts'
import { hr } from './words/hr.ts'
import { hu } from './words/hu.ts'
import { icelandic } from './words/is.ts'
import { it } from './words/it.ts'
import { lt } from './words/lt.ts'
import { lv } from './words/lv.ts'
import { mt } from './words/mt.ts'
import { nl } from './words/nl.ts'
import { no } from './words/no.ts'
import { pl } from './words/pl.ts'
import { pt } from './words/pt.ts'
import { ro } from './words/ro.ts'
import { ru } from './words/ru.ts'
import { sk } from './words/sk.ts'
import { sl } from './words/sl.ts'
import { sv } from './words/sv.ts'
import { tr } from './words/tr.ts'
import { uk } from './words/uk.ts'

/** In the order in which a phrase that several languages share is read. */
export const LANGUAGES: readonly LanguageWords[] = [
  en,
  de,
  nl,
  sv,
  da,
  no,
  icelandic,
  fr,
  it,
  es,
  pt,
  ro,
  pl,
  cs,
  sk,
  sl,
  hr,
  bg,
  uk,
  ru,
  lt,
  lv,
  et,
  fi,
  hu,
  el,
  ga,
  mt,
  tr,
]
