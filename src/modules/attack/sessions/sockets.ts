import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const REMEDIATION =
  'Compare the Origin of the handshake with the addresses of your own pages, and refuse others: ws `verifyClient`, Socket.IO `cors.origin`, Spring `setAllowedOrigins("https://shop.example")`, Django Channels `AllowedHostsOriginValidator`. Or ask for a token in the first message.'
const REFERENCES = [
  'https://cheatsheetseries.owasp.org/cheatsheets/WebSocket_Security_Cheat_Sheet.html',
  'https://cwe.mitre.org/data/definitions/1385.html',
] as const

const hijacked: FindingDefinition = {
  id: 'sessions/websocket-hijacking',
  title: 'Cross-site WebSocket hijacking: a page of another site opens the connection with the visitor’s session',
  severity: 'high',
  cwe: 1385,
  why: 'Any site that somebody visits while signed in can open this connection in their name, read all that comes over it, and send what they may send. The same-origin policy does not hold for WebSockets.',
  remediation: REMEDIATION,
  references: REFERENCES,
}

const anyOrigin: FindingDefinition = {
  id: 'sessions/websocket-origin',
  title: 'WebSocket without origin validation: pages of any site can open the connection',
  severity: 'low',
  cwe: 1385,
  why: 'Pages of other sites reach it from the browsers of their visitors, with the visitors’ addresses and within their networks. As soon as a session is read from a cookie, they act in its name.',
  remediation: REMEDIATION,
  references: REFERENCES,
}

/** Whether WebSockets look at where they are opened from. */
export const webSockets: Check<'sessions'> = {
  findings: [hijacked, anyOrigin],
  judge: ({ sockets }) =>
    toldOnce(
      judged(
        sockets,
        sockets.seen.map((seen) => {
          const came = seen.bytes > 0 ? `, and ${seen.bytes} bytes came over it` : ''
          if (seen.kind === 'anybody')
            return findingOf(anyOrigin, seen, {
              ...{ confidence: 'confirmed', subject: new URL(seen.url).pathname, basis: seen.kind },
              detail: `A handshake with the Origin of another site was taken${came}.`,
            })
          const held =
            seen.sameSite === 'absent' || seen.sameSite === null
              ? '; the cookie says nothing of other sites, so that some browsers send it and some do not'
              : ''
          return findingOf(hijacked, seen, {
            ...{ confidence: 'confirmed', subject: new URL(seen.url).pathname, basis: seen.kind },
            detail: `A handshake with the session’s cookie and the Origin of another site was taken${came}, otherwise than one without the cookie${held}.`,
          })
        }),
        { unit: 'WebSockets', absent: 'no WebSocket was found' },
      ),
    ),
}

/** A socket that is opened with a session takes any origin, too: that is told there, and no pass beside it. */
const toldOnce = (judgement: Judgement): Judgement => {
  if ('state' in judgement || judgement.some(({ definition }) => definition === anyOrigin)) return judgement
  return judgement.length === 0
    ? judgement
    : {
        state: 'not_applicable',
        reason: 'the sockets are told as opened with a session',
        only: [anyOrigin.id],
        findings: judgement,
      }
}
