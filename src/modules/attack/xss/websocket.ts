import { SESSION_LOST } from '../../../contract/reach.ts'
import { faultReason } from '../../faults.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { PRESSED_IN_PART, UNOPENED } from '../crawl/facts.ts'
import { unreadOf } from '../insertion-points/unread.ts'
import { codeOf, locationOf, parameterOf, shortOf } from '../insertion-points/verdict.ts'
import type { MessageHit } from './facts.ts'
import { withAlert } from './payloads/calls.ts'
import { SCRIPTING } from './reflected.ts'

const definition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/websocket-message',
  title: 'Cross-site scripting over a WebSocket: script in a message runs in pages that listen',
  severity: 'high',
  why: 'Who sends the message runs script in every page that is open at the time and gets it, with the session of each. Nobody has to follow a link or to open anything.',
}

/** Confirmed where a browser without a session ran it; firm where one of the same account did, as others may not get the message. */
export const websocketMessage: Check<'xss', 'crawl'> = {
  findings: [definition],
  judge: ({ messages, fault, browser, sessionLost }, { crawl }) => {
    if (messages === undefined && fault !== undefined)
      return { state: 'inconclusive', reason: faultReason(fault), fault }
    if (sessionLost && messages === undefined) return { state: 'not_tested', reason: SESSION_LOST }
    if (messages === undefined) return { state: 'not_tested', reason: 'the time was over' }
    const { known, asked, left } = messages
    if (known === 0 && crawl?.reach?.rows.some(({ reason }) => reason === UNOPENED))
      return { state: 'not_tested', reason: NOT_OPENED }
    if (known === 0) return { state: 'not_applicable', reason: 'no page was seen to say anything over a WebSocket' }
    const findings = messages.hits.map(findingOf)
    if (browser !== null) return { state: 'inconclusive', reason: browser, findings }
    // What a page says when something is pressed nobody has heard where it was not opened, or pressed in part.
    const unheard = crawl === undefined ? [] : unreadOf(crawl).filter(({ reason }) => isOfBrowser(reason))
    const reasons = [...Object.entries(left).map(([reason, count]) => ({ reason, count })), ...unheard]
    const short = shortOf(
      'messages',
      known + unheard.reduce((sum, { count }) => sum + count, 0),
      reasons.toSorted((a, b) => b.count - a.count),
    )
    if (asked === known && unheard.length === 0) return findings
    return { state: asked === 0 ? 'not_tested' : 'inconclusive', ...short, findings }
  },
}

const isOfBrowser = (reason: string): boolean =>
  reason === PRESSED_IN_PART || reason.startsWith('not opened in the browser')

const NOT_OPENED = 'some pages were not opened in the browser, and no other was seen to say anything over a WebSocket'

const findingOf = (hit: MessageHit): Finding => ({
  definition,
  confidence: hit.seenBy === 'anyone' ? 'confirmed' : 'firm',
  at: locationOf(hit.at),
  ...codeOf(hit.at),
  places: [{ url: hit.page, method: 'GET' }],
  detail: `A script said in ${parameterOf(hit.at)} ran at ${hit.page}, which was open ${hit.seenBy === 'anyone' ? 'in the browser of a stranger' : 'in another browser with the same account; whether other accounts get the message was not seen'}.`,
  proof: { excerpt: hit.excerpt, mark: hit.mark, replay: withAlert(hit.replay), basis: 'script' },
  ...(hit.screenshot ? { evidence: [hit.screenshot] } : {}),
})
