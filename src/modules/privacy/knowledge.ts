/** What the module knows of words and vendors, in one place. */

import type { ConsentWords } from '../../knowledge/consent/label.ts'
import { consentWords } from '../../knowledge/consent/words.ts'
import { loadTrackers } from '../../knowledge/trackers/trackers.ts'
import type { Trackers } from '../../knowledge/trackers/vendor.ts'

export interface PrivacyKnowledge {
  readonly words: ConsentWords
  readonly trackers: Trackers
}

/** `folder` holds the feeds that the operator imported. */
export const loadKnowledge = async (folder: string | undefined): Promise<PrivacyKnowledge> => ({
  words: consentWords,
  trackers: await loadTrackers(folder),
})
