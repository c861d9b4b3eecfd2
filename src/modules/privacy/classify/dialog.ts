/** The consent dialog as facts: what its first layer offers, and what the four states found out about it. */

import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { ConsentWords } from '../../../knowledge/consent/label.ts'
import type { ConsentButton, DialogFacts, StateName } from '../facts.ts'
import type { RawState } from '../visit/states.ts'

/** Share of the page that has to be covered for it to count as locked. */
const LOCKED = 0.85

export const readDialog = (
  states: ReadonlyMap<StateName, RawState>,
  words: ConsentWords,
  screenshot: EvidenceRef | null,
): DialogFacts | null => {
  const dialog = states.get('untouched')?.dialog ?? null
  if (dialog === null) return null
  const reject = states.get('reject')
  const accept = states.get('accept')
  const { seen, tool } = dialog
  const buttons = (seen?.buttons ?? []).map(
    ({ role, text, selector, width, height, contrast, prominence, look, fontSize }): ConsentButton => ({
      ...{ role, text, selector, width, height, contrast, prominence, look, fontSize },
    }),
  )
  const clicks = (state: RawState | undefined) =>
    state && state.missed === null && state.presses.length > 0 ? state.presses.length : null
  const refusable = buttons.some(({ role }) => role === 'reject' || role === 'settings' || role === 'save')
  return {
    tool,
    text: (seen?.text ?? '').slice(0, 1_500),
    frame: seen?.frame.url() ?? '',
    buttons,
    clicksToReject: clicks(reject),
    clicksToAccept: clicks(accept),
    preTicked: preTicked(states, words),
    wall: seen !== null && seen.covered >= LOCKED && !refusable && clicks(reject) === null,
    asksToPay: words.asksToPay(seen?.text ?? ''),
    forgets: { reject: reject?.again ?? null, accept: accept?.again ?? null },
    revisit: accept?.revisit ?? states.get('revoke')?.revisit ?? null,
    screenshot,
  }
}

/** On the first layer, on those that were opened on the way to a refusal, and on the one behind "settings". */
const preTicked = (states: ReadonlyMap<StateName, RawState>, words: ConsentWords): readonly string[] => {
  const layers = [
    states.get('untouched')?.dialog?.seen,
    ...(states.get('reject')?.layersSeen ?? []),
    ...(states.get('revoke')?.layersSeen.slice(0, 1) ?? []),
  ]
  return [
    ...new Set(
      layers.flatMap((layer) =>
        (layer?.ticks ?? [])
          .filter(
            ({ checked, disabled, label, shown }) => checked && !disabled && shown && !words.meansNecessary(label),
          )
          .map(({ label }) => label),
      ),
    ),
  ].slice(0, 20)
}
