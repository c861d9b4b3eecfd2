/** What the module knows of words and vendors, in one place. */
import type { ConsentWords } from '../../knowledge/consent/label.ts'
import { consentWords } from '../../knowledge/consent/words.ts'
import { type CookieCategory, type CookiePurposes, openCookiePurposes } from '../../knowledge/cookies.ts'
import { importedFilters } from '../../knowledge/trackers/filters/imported.ts'
import { createTrackers } from '../../knowledge/trackers/trackers.ts'
import type { CookieKnowledge, CookiePurpose, Trackers } from '../../knowledge/trackers/vendor.ts'

export interface PrivacyKnowledge {
  readonly words: ConsentWords
  readonly trackers: Trackers
  readonly close: () => void
}

/** `folder` holds the feeds that the operator imported; what it says of a cookie goes before the own table. */
export const loadKnowledge = (folder: string | undefined): PrivacyKnowledge => {
  const cookies = openCookiePurposes(folder)
  const filters = importedFilters(folder)
  return {
    words: consentWords,
    trackers: createTrackers({
      cookieOf: importedCookie(cookies),
      ...(filters ? { listed: filters.listed } : {}),
      versions: { cookies: cookies.version, ...(filters ? { filters: filters.version } : {}) },
    }),
    close: cookies.close,
  }
}

const PURPOSES: Readonly<Record<CookieCategory, CookiePurpose>> = {
  necessary: 'necessary',
  security: 'necessary',
  functional: 'functional',
  personalization: 'functional',
  analytics: 'analytics',
  marketing: 'marketing',
}

const importedCookie =
  ({ cookiePurpose }: CookiePurposes) =>
  (name: string, host: string): CookieKnowledge | null => {
    const known = cookiePurpose(name, host)
    if (known?.source !== 'imported') return null
    return {
      purpose: PURPOSES[known.category],
      vendor: known.vendor || null,
      source: 'the imported database of cookies',
    }
  }
