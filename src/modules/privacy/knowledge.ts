/** What the module knows of words and vendors, in one place. */
import type { ConsentWords } from '../../knowledge/consent/label.ts'
import { consentWords } from '../../knowledge/consent/words.ts'
import { createTrackers } from '../../knowledge/trackers/trackers.ts'
import type { Trackers } from '../../knowledge/trackers/vendor.ts'

export interface PrivacyKnowledge {
  readonly words: ConsentWords
  readonly trackers: Trackers
}

export const loadKnowledge = (): PrivacyKnowledge => ({ words: consentWords, trackers: createTrackers() })
