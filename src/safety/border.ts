/**
 * The policy at the border: what a request shows by itself when it leaves, whoever sends it. It knows no form and no label, so it
 * forbids what any request of that address, method and body would do; who knows more has decided before.
 */
import { asSent, type Sent } from './asked.ts'
import { type Around, decide } from './policy.ts'

export type { Sent } from './asked.ts'

/** Why a request must not leave, null where it may. */
export type Border = (sent: Sent) => string | null

/**
 * For modules that ask what nobody has decided about: templates, names of files, series of requests. Their requests are taken to
 * read, as each of them is written to; words and methods forbid, and what may write all the same leaves as often as the policy
 * says, counted by address for the whole run in `times`.
 */
export const fullBorder =
  (run: Around, times: Map<string, number>): Border =>
  (sent) => {
    const asked = asSent(sent)
    const around = sent.stranger ? { ...run, signedIn: false, staff: false } : run
    // What nobody would send to a production system may write.
    const writes = decide(asked, 'reads', { ...around, environment: 'production' }).send === 'never'
    const decision = decide(asked, writes ? 'writes' : 'reads', around)
    if (decision.send === 'never') return decision.reason
    if (decision.send === 'send') return null
    const { origin, pathname } = new URL(sent.url)
    const form = `${sent.method} ${origin}${pathname}`
    const before = times.get(form) ?? 0
    times.set(form, before + 1)
    return before < decision.most ? null : `${decision.reason}, and it was sent ${decision.most} times`
  }

/** For modules whose requests are decided on one by one: the address alone, in which a value may have become a deed. */
export const addressBorder =
  (around: Around): Border =>
  ({ url }) => {
    const decision = decide(asSent({ method: 'GET', url, contentType: null, body: null }), 'reads', around)
    return decision.send === 'never' ? decision.reason : null
  }
