/**
 * The policy at the border: what a request shows by itself when it leaves, whoever sends it. It knows no form and no label, so it
 * forbids what any request of that address, method and body would do; who knows more has decided before.
 */
import { asSent, type Sent } from './asked.ts'
import { ENDS_SESSION } from './deeds.ts'
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

export const ENDS_OTHERS = 'it may end sessions of other browsers, too'
/** Of the account, and not of the session alone that asks. */
const OF_OTHERS =
  /(?:^|[^a-z])(?:all|every\w*|others?|devices?|sessions|global|alle\w*|andere\w*|tous|toutes|todos|todas)(?:[^a-z]|$)/i

/**
 * For a session that the run has begun beside its own to see what becomes of it: what reads, and on a test system the end of that very
 * session. The run's own is none of its business, nor are those of the people who have the account.
 */
export const spareBorder =
  ({ environment, excludes }: Pick<Around, 'environment' | 'excludes'>): Border =>
  (sent) => {
    const decision = decide(asSent(sent), null, { environment, excludes, signedIn: true, staff: false })
    const isEnd = decision.send === 'never' && decision.reason === ENDS_SESSION && environment === 'test'
    if (!isEnd) return decision.send === 'send' ? null : decision.reason
    const { pathname, search } = new URL(sent.url)
    return OF_OTHERS.test(`${pathname}${search} ${sent.body ?? ''}`) ? ENDS_OTHERS : null
  }
