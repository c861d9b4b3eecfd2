/** Links that a site owes its visitors: privacy policy, imprint, cookie policy, terms. */
import { lazily } from '../lazily.ts'
import { fold } from './fold.ts'
import type { PolicyKind } from './label.ts'
import { LANGUAGES } from './languages.ts'

const KINDS: readonly PolicyKind[] = ['privacy', 'imprint', 'cookies', 'terms']
const LONGEST_LINK = 80
/** Share of a link's text that the phrase has to fill, unless the address says the same. */
const LEAST_SHARE = 0.5

/** Parts of addresses, in the order of the kinds; words that sites use in paths whatever their language. */
const IN_ADDRESS: Readonly<Record<PolicyKind, RegExp>> = {
  privacy:
    /privacy|datenschutz|confidential|privacidad|privacidade|riservatezza|integritet|personvern|tietosuoja|gdpr|rodo|kvkk|adatved|ochrana-(osobnich|osobnych)|prywatnosc/,
  imprint:
    /imprint|impressum|legal-?notice|mentions-?legales|aviso-?legal|note-?legali|colofon|kolofon|impresszum|impresum/,
  cookies:
    /cookie-?(policy|notice|richtlinie|beleid|politi|statement)|politi\w*-(de-)?cookie|piskotk|kolacic|slapuk|sikdat|evaste|vafrakok/,
  terms: /terms|agb|conditions|condiciones|condizioni|termos|regulamin|podminky|podmienky|aszf|vilkar|voorwaarden/,
}

/** `href` helps where the text alone is vague; it never decides against the text. */
export const policyKindOf = (text: string, href: string): PolicyKind | null => {
  const label = fold(text.slice(0, 4 * LONGEST_LINK))
  const path = pathOf(href)
  if (label.length > LONGEST_LINK) return null
  const whole = phrases().whole.get(label)
  if (whole !== undefined) return whole
  const padded = ` ${label} `
  const part = phrases().parts.find(([phrase]) => padded.includes(` ${phrase} `))
  if (part === undefined) return null
  const [phrase, kind] = part
  return phrase.length / label.length >= LEAST_SHARE || IN_ADDRESS[kind].test(path) ? kind : null
}

/** What an address alone suggests, for links that are drawn (an icon) or in a language that is not known. */
export const policyKindOfAddress = (href: string): PolicyKind | null => {
  const path = pathOf(href)
  return KINDS.find((kind) => IN_ADDRESS[kind].test(path)) ?? null
}

const pathOf = (href: string): string => {
  const url = URL.parse(href, 'https://page.invalid/')
  return url === null ? '' : url.pathname.toLowerCase().slice(0, 500)
}

const phrases = lazily(() => {
  const all = KINDS.flatMap((kind) =>
    LANGUAGES.flatMap((words) => words[kind].map((text) => [fold(text), kind] as const)),
  )
  // The first kind wins: "privacy and cookies" is a privacy policy.
  return { whole: new Map(all.toReversed()), parts: all.toSorted(([a], [b]) => b.length - a.length) }
})
