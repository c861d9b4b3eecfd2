/** What recorders said of scripts, joined: one entry for each script and moment. */
import type { MessageRecord, ScriptUse } from '../facts.ts'
import type { Profile } from '../visit/profile.ts'

const MOST = 120

export const readUses = ({ told, log }: Pick<Profile, 'told' | 'log'>): readonly ScriptUse[] => {
  // A recorder tells its sums again whenever they grow: the last ones count.
  const latest = new Map<string, ScriptUse>()
  for (const one of told) {
    if (one.kind !== 'use') continue
    const key = `${one.realm} ${one.script}`
    const { canvas, fonts, webgl, audio, properties, keys, script } = one
    const moment = latest.get(key)?.moment ?? log.momentAt(one.at)
    const from = script || one.frame || one.page
    latest.set(key, { canvas, fonts, webgl, audio, properties, keys, script: from, page: one.page, moment })
  }
  const joined = new Map<string, ScriptUse>()
  for (const use of latest.values()) {
    const key = `${use.script} ${use.moment}`
    const other = joined.get(key)
    joined.set(key, other ? join(other, use) : use)
  }
  return [...joined.values()].slice(0, MOST)
}

const join = (a: ScriptUse, b: ScriptUse): ScriptUse => ({
  ...a,
  canvas: a.canvas ?? b.canvas,
  fonts: Math.max(a.fonts, b.fonts),
  webgl: a.webgl ?? b.webgl,
  audio: a.audio ?? b.audio,
  properties: [...new Set([...a.properties, ...b.properties])],
  keys: a.keys + b.keys,
})

/** Messages that a frame of another site was sent. */
export const readMessages = ({ told, log }: Pick<Profile, 'told' | 'log'>): readonly MessageRecord[] =>
  told
    .flatMap((one) =>
      one.kind === 'message' && one.page !== one.frame
        ? [
            {
              to: URL.parse(one.frame)?.origin ?? '',
              page: one.page,
              moment: log.momentAt(one.at),
              length: one.length,
              excerpt: one.excerpt.slice(0, 200),
            },
          ]
        : [],
    )
    .filter(({ to, page }) => to !== '' && to !== URL.parse(page)?.origin)
    .slice(0, 50)
