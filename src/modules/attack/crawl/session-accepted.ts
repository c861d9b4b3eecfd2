import { SESSION_LOST } from '../../../contract/reach.ts'
import type { Check, FindingDefinition } from '../../module.ts'

const unaccepted: FindingDefinition = {
  id: 'crawl/session-not-accepted',
  title: 'Session not accepted: the credentials of this run change nothing that the site shows',
  severity: 'info',
  cwe: null,
  why: 'Pages behind the login were not seen, so this run says nothing about them. The credentials have expired, belong to another host, or are sent in the wrong place.',
  remediation:
    'Sign in again, copy the whole Cookie header (or the Authorization header) of a request from the developer tools of the browser, and start the run with it. Where sessions are bound to the browser they began in, give the run its `User-Agent` as the header, too.',
  references: ['https://www.rfc-editor.org/rfc/rfc6265.html#section-4.2'],
}

/** Says whether what the other modules saw was seen signed in. */
export const sessionAccepted: Check<'crawl'> = {
  findings: [unaccepted],
  judge: ({ session, urls, graphql }) => {
    if (session.state === 'none') return { state: 'not_applicable', reason: 'the run has no credentials' }
    if (session.state === 'lost') {
      return {
        state: 'not_tested',
        reason: `${SESSION_LOST}: ${session.canary} no longer shows what it showed with the credentials; ${session.doubtful.length} addresses were asked for since the last proof`,
      }
    }
    const [start] = urls
    if (session.state === 'live' || !start) return []
    // What asks for everything by POST shows everybody the same pages.
    if (graphql.length > 0)
      return {
        state: 'inconclusive',
        reason:
          'no page differed between a request with the credentials and one without them, and what GraphQL answers was not compared',
      }
    return [
      {
        definition: unaccepted,
        confidence: 'firm',
        at: { host: new URL(start.url).hostname },
        detail: 'No page differed between a request with the credentials and one without them.',
      },
    ]
  },
}
