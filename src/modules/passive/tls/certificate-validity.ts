import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { TlsFacts } from './facts.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, day, placeOf, type Served } from './facts-served.ts'

const DAY = 86_400_000
/** Certificates this short are renewed every few days; a fixed number of days would always alarm. */
const SHORT_LIVED = 10 * DAY

const expired: FindingDefinition = {
  id: 'tls/certificate-expired',
  title: 'TLS certificate expired',
  severity: 'high',
  cwe: 298,
  group: 'transport',
  why: 'Browsers refuse the site with a full-page warning, and visitors who click it away get used to accepting a forged certificate too.',
  remediation:
    'Renew the certificate now, reload the web server, and let a timer renew it from then on (`certbot renew` twice a day, with a deploy hook that reloads the server).',
  references: [
    'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
    'https://cwe.mitre.org/data/definitions/298.html',
  ],
}

const notYetValid: FindingDefinition = {
  ...expired,
  id: 'tls/certificate-not-yet-valid',
  title: 'TLS certificate not yet valid',
  remediation:
    'Install a certificate whose validity has begun, and check that the clock of the machine that requested it is right.',
}

const nearExpiry: FindingDefinition = {
  ...expired,
  id: 'tls/certificate-near-expiry',
  title: 'TLS certificate about to expire',
  severity: 'medium',
  why: 'Renewal should have happened by now. If it does not within days, browsers will refuse the site.',
  remediation:
    'Renew the certificate now and find out why the automatic renewal did not (look at the timer and its last log), then reload the web server.',
}

const renewalLate: FindingDefinition = {
  ...nearExpiry,
  id: 'tls/certificate-renewal-late',
  title: 'TLS certificate due for renewal',
  severity: 'low',
  why: 'Less than a fifth of its lifetime is left; an ACME client renews with a third left, so the automatic renewal may have stopped working.',
}

const issuerExpired: FindingDefinition = {
  ...expired,
  id: 'tls/issuer-certificate-expired',
  title: 'TLS certificate chain expired: a certificate above the site’s own is outside its dates',
  why: 'The site’s certificate is worth nothing without those above it: clients that find no other way to a root refuse the site.',
  remediation:
    'Install the authority’s current intermediate: renew the site’s certificate and point the server at the full chain that comes with it (`fullchain.pem`), then reload.',
}

export const certificateValidity: Check<'tls', 'site'> = {
  findings: [expired, notYetValid, nearExpiry, renewalLate, issuerExpired],
  judge: (facts, _known, { now }) =>
    judgeServed(facts, (served): Judgement => {
      return served.flatMap((one) => [...ofLeaf(facts, one, now), ...ofIssuers(facts, one, now)])
    }),
}

const ofLeaf = (facts: TlsFacts, one: Served, now: number): readonly Finding[] => {
  const { notBefore, notAfter } = one.leaf
  const definition = stateOf(notBefore, notAfter, now)
  if (definition === null) return []
  const span = `Validity: ${day(notBefore)} to ${day(notAfter)}`
  return [
    {
      definition,
      confidence: 'confirmed',
      at: placeOf(facts),
      detail: `The certificate given by ${one.addresses.join(', ')} is valid from ${day(notBefore)} to ${day(notAfter)}; it was seen on ${day(now)}.`,
      proof: certificateProof(facts, one, [span], span),
      subject: one.leaf.sha256,
    },
  ]
}

/** Those sent that the leaf's trust rests on. */
const ofIssuers = (facts: TlsFacts, one: Served, now: number): readonly Finding[] =>
  one.vouching.slice(1).flatMap((issuer): readonly Finding[] => {
    const { notBefore, notAfter, subject, sha256 } = issuer
    if (notBefore <= now && now <= notAfter) return []
    const lines = [`Chain: ${subject}`.slice(0, 500), `Its validity: ${day(notBefore)} to ${day(notAfter)}`]
    return [
      {
        definition: issuerExpired,
        confidence: 'confirmed',
        at: placeOf(facts),
        detail: `The chain given by ${one.addresses.join(', ')} rests on “${subject.slice(0, 300)}”, valid from ${day(notBefore)} to ${day(notAfter)}; it was seen on ${day(now)}.`,
        proof: certificateProof(facts, one, lines, lines[1] ?? null),
        subject: sha256,
      },
    ]
  })

const stateOf = (notBefore: number, notAfter: number, now: number): FindingDefinition | null => {
  const lifetime = notAfter - notBefore
  const left = notAfter - now
  if (left < 0) return expired
  if (now < notBefore) return notYetValid
  if (left < lifetime * 0.1 || (left < 7 * DAY && lifetime > SHORT_LIVED)) return nearExpiry
  return left < lifetime * 0.2 ? renewalLate : null
}
