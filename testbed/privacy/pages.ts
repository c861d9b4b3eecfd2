/** All sites of the privacy testbed. A new behaviour adds itself and its innocent twin. */
import type { PrivacyPage } from './page.ts'
import { COOKIES } from './pages/cookies.ts'
import { DIALOGS } from './pages/dialogs.ts'
import { FINGERPRINTS } from './pages/fingerprints.ts'
import { KEYS } from './pages/keys.ts'
import { LANGUAGE_PAGES } from './pages/languages.ts'
import { LEAKS } from './pages/leaks.ts'
import { SIGNALS } from './pages/signals.ts'
import { THIRD_PARTY_PAGES } from './pages/third-parties.ts'
import { TOOL_PAGES } from './pages/tools.ts'

export const PRIVACY_PAGES: readonly PrivacyPage[] = [
  ...COOKIES,
  ...FINGERPRINTS,
  ...KEYS,
  ...DIALOGS,
  ...THIRD_PARTY_PAGES,
  ...SIGNALS,
  ...TOOL_PAGES,
  ...LEAKS,
  ...LANGUAGE_PAGES,
]
