/** The words of consent, in all languages of languages.ts, behind the interface that the privacy module asks. */
import { readLabel } from './buttons.ts'
import type { ConsentWords } from './label.ts'
import { policyKindOf } from './links.ts'
import { meansNecessary } from './necessary.ts'
import { asksToPay } from './pay.ts'
import { namesCookies, readConsentText } from './text.ts'

export const consentWords: ConsentWords = {
  roleOf: (label) => readLabel(label)?.role ?? null,
  speaksOfConsent: (text) => readConsentText(text) !== null,
  namesCookies,
  asksToPay,
  meansNecessary,
  policyOf: policyKindOf,
}
