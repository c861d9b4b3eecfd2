import type { Check, Finding, FindingDefinition, Judgement, Unjudged } from '../../module.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, placeOf, type Served } from './facts-served.ts'

const selfSigned: FindingDefinition = {
  id: 'tls/certificate-self-signed',
  title: 'TLS certificate self-signed: browsers do not trust it',
  severity: 'high',
  cwe: 295,
  why: 'Nobody but the server itself vouches for its identity: browsers warn, and an attacker on the way can put a self-signed certificate of his own in its place unnoticed.',
  remediation:
    'Replace it by a certificate of a public authority (an ACME client gets one without cost); for an internal site issue it from the authority that your devices already trust.',
  references: ['https://wiki.mozilla.org/CA', 'https://cwe.mitre.org/data/definitions/295.html'],
}

const untrusted: FindingDefinition = {
  ...selfSigned,
  id: 'tls/certificate-untrusted',
  title: 'TLS certificate untrusted: its authority is unknown to browsers',
  why: 'The chain does not lead to a root of the Mozilla store. Browsers warn before every visit, and visitors cannot tell the site from an impostor.',
}

const privateAuthority: FindingDefinition = {
  ...selfSigned,
  id: 'tls/certificate-private-authority',
  title: 'TLS certificate from a private authority',
  severity: 'info',
  why: 'For a site that is used inside the organisation this is usual: every device must have the authority installed, and it needs the same care as a public one.',
  remediation:
    'Make sure that every device which uses the site trusts the authority, and that its key is kept offline.',
}

export const certificateTrust: Check<'tls', 'site'> = {
  findings: [selfSigned, untrusted, privateAuthority],
  judge: (facts, _known, { target }) =>
    judgeServed(facts, (served): Judgement => {
      const internal = target.context === 'internal'
      const findings = served.flatMap((one): Finding[] => {
        const definition = definitionOf(one.trust.state, internal)
        if (definition === null) return []
        const line = `Chain ends at: ${one.trust.anchor}`.slice(0, 1000)
        return [
          {
            definition,
            confidence: 'confirmed',
            at: placeOf(facts),
            detail: `${one.addresses.join(', ')}: ${endOf(one)}; it is no root of the ${facts.roots}.`,
            proof: certificateProof(facts, one, [line], line),
          },
        ]
      })
      return served.some((one) => one.trust.state === 'incomplete') ? { ...UNKNOWN, findings } : findings
    }),
}

/** Where the issuer is not sent either, nobody can tell from here which of the two it is. */
const endOf = ({ sent, trust }: Served): string => {
  const anchor = trust.anchor.slice(0, 300)
  return sent.some(({ subject }) => subject === trust.anchor)
    ? `the chain ends at “${anchor}”`
    : `the issuer “${anchor}” is not sent, so that it is either an intermediate missing from the chain or a private authority`
}

const UNKNOWN: Unjudged = {
  state: 'inconclusive',
  reason:
    'An intermediate certificate is not sent, so it cannot be told from the connection whether the chain leads to a trusted root.',
  only: [untrusted.id, privateAuthority.id],
}

/** An authority that the operator gave the scanner is trusted by decision; inside an organisation so is an unknown one. */
const definitionOf = (state: string, internal: boolean): FindingDefinition | null => {
  if (state === 'self-signed') return selfSigned
  if (state === 'untrusted') return internal ? privateAuthority : untrusted
  return null
}
