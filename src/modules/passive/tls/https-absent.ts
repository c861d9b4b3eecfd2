import type { Check, FindingDefinition } from '../../module.ts'
import { isOrdinary, placeOf } from './facts-served.ts'

const absent: FindingDefinition = {
  id: 'tls/https-absent',
  title: 'HTTPS missing: the site cannot be reached over it',
  severity: 'high',
  cwe: 319,
  group: 'transport',
  why: 'Everything that visitors send and receive crosses the network in plain text: whoever sits on the way reads passwords and changes pages.',
  remediation:
    'Obtain a certificate (an ACME client such as certbot or lego does it without cost), let the web server listen on port 443 with it, and redirect every plain address to it.',
  references: ['https://letsencrypt.org/getting-started/', 'https://https.cio.gov/everything/'],
}

export const httpsAbsent: Check<'tls', 'site'> = {
  findings: [absent],
  judge: (facts, { site }) => {
    if (site.absent !== undefined) return { state: 'not_applicable', reason: `There is no website: ${site.absent}` }
    const tried = facts.handshakes.filter(isOrdinary)
    if (tried.some(({ result }) => result.ok)) return []
    if (site.https.error === null)
      return { state: 'inconclusive', reason: 'Pages came over https, but no handshake of this check succeeded.' }
    if (tried.length === 0) return { state: 'not_tested', reason: 'No address of the host could be asked.' }
    const reasons = tried.map(({ address, result }) => `${address}: ${result.ok ? 'answered' : result.message}`)
    const slow = tried.some(({ result }) => !result.ok && result.code === 'timeout')
    return [
      {
        definition: absent,
        confidence: slow ? 'firm' : 'confirmed',
        at: placeOf(facts),
        detail: `No TLS connection to port ${facts.port} succeeded (${reasons.join('; ')}).`,
        proof: {
          excerpt: reasons.join('\n').slice(0, 8000),
          mark: null,
          replay: `openssl s_client -connect ${tried[0]?.address}:${facts.port} -servername ${facts.host} </dev/null`,
        },
      },
    ]
  },
}
