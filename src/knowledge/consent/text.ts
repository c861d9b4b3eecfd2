/** Whether a text speaks of consent to cookies, as banners do. */
import { fold } from './fold.ts'
import { LANGUAGES } from './languages.ts'

export interface ConsentText {
  /** ISO 639-1 of the language whose words fit best. */
  readonly language: string
  /** Different words of the topic that occur. */
  readonly words: number
}

/** Folded beginnings of the words for cookies themselves. A newsletter asks for consent, too, but never to cookies. */
const COOKIE_WORDS: readonly string[] = [
  ...['cookie', 'kakor', 'informasjonskaps', 'vafrak', 'fotspor', 'ciasteczk', 'piskot', 'kolacic', 'бисквит', 'кук'],
  ...['slapuk', 'sikdat', 'sikfail', 'kupsis', 'evaste', 'fiana', 'cerez', 'traceur', 'tracking', 'tracker'],
]
/** “Süti” and its endings, and no Lithuanian consent (sutikimas, sutikti, sutinku). */
const HUNGARIAN = / suti(?!k[it]|nk)/
const isCookieWord = (word: string): boolean => word === 'suti' || COOKIE_WORDS.some((one) => word.startsWith(one))
/** Words of the topic that are enough without one for cookies: "we and our partners process data with your consent". */
const ENOUGH_ALONE = 3

/** Folded beginnings of "use", "set" and "place", as notices have them: "This website uses cookies". */
const USE_WORDS: Readonly<Record<string, readonly string[]>> = {
  ...{ en: ['use', 'using'], de: ['verwend', 'nutz', 'setz', 'einsatz', 'einsetz'], nl: ['gebruik', 'plaats'] },
  ...{ sv: ['anvand'], da: ['bruger', 'anvend'], no: ['bruker'], is: ['nota', 'notum'], fr: ['utilis', 'depos'] },
  ...{
    it: ['utilizz', 'usa', 'uso'],
    es: ['utiliz', 'usa', 'uso'],
    pt: ['utiliz', 'usa', 'uso'],
    ro: ['utiliz', 'folos'],
  },
  ...{
    pl: ['uzywa', 'wykorzyst', 'korzyst', 'stosuj'],
    cs: ['pouziv'],
    sk: ['pouziv'],
    sl: ['uporablj'],
    hr: ['korist'],
  },
  ...{
    bg: ['използ'],
    uk: ['використ'],
    ru: ['использ'],
    lt: ['naudo'],
    lv: ['izmanto'],
    et: ['kasuta'],
    fi: ['kayt'],
  },
  ...{ hu: ['hasznal'], el: ['χρησιμοποι'], ga: ['usaid'], mt: ['juza', 'nuza'], tr: ['kullan'] },
}

const TOPICS = LANGUAGES.map(({ language, topic }) => ({ language, words: [...new Set(topic.map(fold))] }))

/** A label says in two words what a dialog says in two sentences: "Cookie settings". Characters. */
const LABEL = 40

/** Whether cookies are named at all, by whatever word. */
export const namesCookies = (text: string): boolean => {
  const folded = ` ${fold(text)} `
  return COOKIE_WORDS.some((word) => folded.includes(` ${word}`)) || HUNGARIAN.test(folded)
}

/** Of a sentence that says that cookies are used: its language. */
const languageOfUse = (text: string): string | null => {
  for (const sentence of text.slice(0, LONGEST).split(/[.!?\n]/)) {
    if (!namesCookies(sentence)) continue
    const folded = ` ${fold(sentence)} `
    const used = Object.entries(USE_WORDS).find(([, words]) => words.some((word) => folded.includes(` ${word}`)))
    if (used) return used[0]
  }
  return null
}

/** Characters that are looked at. */
const LONGEST = 4_000

/** Null where the text is about something else. Looks at the first 4,000 characters. */
export const readConsentText = (text: string): ConsentText | null => {
  const folded = ` ${fold(text)} `
  const has = (word: string) => folded.includes(` ${word}`)
  const cookie = COOKIE_WORDS.some(has) || HUNGARIAN.test(folded)
  const best = TOPICS.map(({ language, words }) => {
    const found = words.filter(has)
    return { language, found, words: found.filter((word) => !isCookieWord(word)).length }
  }).reduce((most, one) => (one.found.length > most.found.length ? one : most))
  if (folded.length <= LABEL + 2 && (cookie || best.words > 0))
    return { language: best.language, words: best.words + Number(cookie) }
  if (cookie && best.words >= 1) return { language: best.language, words: best.words + 1 }
  if (cookie) {
    const language = languageOfUse(text)
    return language === null ? null : { language, words: 1 }
  }
  return best.words >= ENOUGH_ALONE ? { language: best.language, words: best.words } : null
}
