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

const TOPICS = LANGUAGES.map(({ language, topic }) => ({ language, words: [...new Set(topic.map(fold))] }))

/** A label says in two words what a dialog says in two sentences: "Cookie settings". Characters. */
const LABEL = 40

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
  return !cookie && best.words >= ENOUGH_ALONE ? { language: best.language, words: best.words } : null
}
