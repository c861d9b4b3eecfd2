import type { Handshake } from '../../../protocols/tls/certificate/facts.ts'
import { nameMatches } from '../../../protocols/tls/certificate/names.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { describeServed, isOrdinary, placeOf } from '../tls/facts-served.ts'

const broken: FindingDefinition = {
  id: 'names/ipv6-broken',
  title: 'IPv6 broken: the site does not work over IPv6 as it does over IPv4',
  severity: 'medium',
  cwe: null,
  why: 'Visitors with IPv6 alone cannot reach it, the others wait for a failed attempt first; a forgotten server may answer there.',
  remediation:
    'Let the web server listen on the IPv6 address with the same certificate (`listen [::]:443 ssl;`), or remove the AAAA record.',
  references: ['https://www.rfc-editor.org/rfc/rfc8305', 'https://www.rfc-editor.org/rfc/rfc6555'],
}

/** Judged by the handshakes of the tls module: same service, same name, same trust. */
export const ipv6: Check<'names', 'site' | 'tls' | 'dns'> = {
  findings: [broken],
  judge: (_facts, { tls }): Judgement => {
    const shakes = tls.handshakes.filter(isOrdinary)
    const [four, six] = [
      shakes.filter(({ address }) => !address.includes(':')),
      shakes.filter(({ address }) => address.includes(':')),
    ]
    if (!tls.addresses.some((address) => address.includes(':')))
      return { state: 'not_applicable', reason: `${tls.host} has no IPv6 address.` }
    if (six.length === 0) return { state: 'not_tested', reason: 'Its IPv6 addresses were not among those looked at.' }
    const sound = four.find(({ result }) => result.ok)
    if (!sound) return { state: 'not_applicable', reason: 'There is no TLS over IPv4 to compare with.' }
    const verdicts = six.map((one) => ({ one, fault: faultOf(tls.host, one, tls, sound) }))
    const findings = verdicts.flatMap(({ one, fault }) =>
      fault === null || fault === UNKNOWN
        ? []
        : [
            {
              definition: broken,
              confidence: 'confirmed' as const,
              at: placeOf(tls),
              subject: one.address,
              detail: `${one.address}: ${fault}; over ${sound.address} it works.`,
              proof: {
                excerpt: `${sound.address}: TLS and certificate in order\n${one.address}: ${fault}`,
                mark: fault,
                replay: `curl -6sSI https://${tls.host}:${tls.port}/`,
              },
            },
          ],
    )
    if (!verdicts.some(({ fault }) => fault === UNKNOWN)) return findings
    return {
      state: 'not_tested',
      reason: 'There is no way to IPv6 addresses from here, or none was answered.',
      findings,
    }
  },
}

const UNKNOWN = 'unknown'

/** What is worse than over IPv4; null for nothing. Silence and missing routes may be of our own network. */
const faultOf = (
  host: string,
  one: Handshake,
  tls: Parameters<typeof describeServed>[0],
  sound: Handshake,
): string | null => {
  const { result } = one
  if (!result.ok) {
    if (result.code === 'protocol') return `no TLS connection (${result.message.slice(0, 200)})`
    return /connection (?:refused|reset)/.test(result.message)
      ? `the connection is refused (${result.message.slice(0, 200)})`
      : UNKNOWN
  }
  const [there, here] = [describeServed(tls, one), describeServed(tls, sound)]
  const named = (served: typeof there) => served?.leaf.dnsNames?.some((pattern) => nameMatches(pattern, host)) ?? false
  if (named(here) && !named(there)) return 'the certificate is not made out to the name'
  if (here?.trust.state === 'public' && there?.trust.state !== 'public')
    return `the certificate is not trusted (${there?.trust.state})`
  return null
}
