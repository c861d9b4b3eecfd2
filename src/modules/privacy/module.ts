import { defineModule } from '../module.ts'
import { withoutStartPage } from '../passive/site/facts-absent.ts'
import { consentMode } from './judge/consent-mode.ts'
import { cookies } from './judge/cookies.ts'
import { dialog, effect } from './judge/dialog.ts'
import { embeds, tagManager, thirdPartyFonts } from './judge/embeds.ts'
import { fingerprint } from './judge/fingerprint.ts'
import { firstParty } from './judge/first-party.ts'
import { keys } from './judge/keys.ts'
import { pixels } from './judge/pixels.ts'
import { imprint, policies, terms } from './judge/policies.ts'
import { recorders } from './judge/recorders.ts'
import { requests } from './judge/requests.ts'
import { storage } from './judge/storage.ts'
import { tcf } from './judge/tcf.ts'
import { cloaking, reporting, trackers } from './judge/trackers.ts'
import { gpc, transfer } from './judge/transfer.ts'
import { privacyTables } from './tables.ts'

export const privacy = defineModule<'privacy', 'site'>({
  id: 'privacy',
  title: 'Privacy',
  conduct: 'privacy',
  needs: ['site'],
  unless: withoutStartPage,
  // A heavy page asks some hundred times a load; about fifteen loads in all states. Its own times end it sooner: 40 s,
  // and 100 s where the machine is slow.
  budget: { requests: 4_000, seconds: 140 },
  collect: async (ctx, known) => (await import('./collect.ts')).collectPrivacy(ctx, known),
  checks: [
    trackers,
    cloaking,
    firstParty,
    cookies,
    storage,
    fingerprint,
    recorders,
    keys,
    pixels,
    consentMode,
    tagManager,
    thirdPartyFonts,
    embeds,
    dialog,
    effect,
    tcf,
    policies,
    imprint,
    terms,
    requests,
    transfer,
    gpc,
    reporting,
  ],
  tables: privacyTables,
  knowledge: ({ versions }) => versions,
})
