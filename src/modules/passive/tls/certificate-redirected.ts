import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { isNamed } from './certificate-name.ts'
import type { Redirected, TlsFacts } from './facts.ts'
import { certificateProof, day, describeServed, type Served } from './facts-served.ts'

const refused: FindingDefinition = {
  id: 'tls/redirect-certificate',
  title: 'TLS certificate error where the redirect to https leads',
  severity: 'medium',
  cwe: 295,
  why: 'Visitors who type the name without https are sent to an address that their browser refuses with a full-page warning, and learn to click such warnings away.',
  remediation:
    'Install a valid certificate for the name that the redirect leads to, with its full chain, or let the redirect lead to a name that has one.',
  references: ['https://www.rfc-editor.org/rfc/rfc9525', 'https://cwe.mitre.org/data/definitions/295.html'],
}

/** The site's own certificate has checks of its own; this one speaks of another host or port of the site. */
export const certificateRedirected: Check<'tls', 'site'> = {
  findings: [refused],
  judge: (facts, _known, { now, target }): Judgement => {
    const { redirected } = facts
    if (!redirected)
      return { state: 'not_applicable', reason: 'No redirect of http leads to another host or port of the site.' }
    const { host, port, handshake, url } = redirected
    const served = describeServed(facts, handshake)
    if (served === null) {
      const why = handshake.result.ok ? 'no certificate that could be read' : handshake.result.message
      return { state: 'inconclusive', reason: `${url}, where http redirects to: ${why}`.slice(0, 500) }
    }
    const faults = faultsOf(facts, redirected, served, { now, internal: target.context === 'internal' })
    if (faults.length === 0) return []
    return [
      {
        definition: refused,
        confidence: 'confirmed',
        at: { host, port },
        detail: `http://${facts.host}/ redirects to ${url}, whose certificate ${faults.join(', and ')}.`.slice(
          0,
          2_000,
        ),
        proof: certificateProof({ ...facts, host, port }, served, faults, null),
        subject: served.leaf.sha256,
      },
    ]
  },
}

const faultsOf = (
  { host: own, port: ownPort, sibling }: TlsFacts,
  { host, port }: Redirected,
  { leaf, trust }: Served,
  { now, internal }: { readonly now: number; readonly internal: boolean },
): readonly string[] => {
  const isSibling = host === sibling?.servername && port === ownPort
  // With or without "www" another check speaks of the name; an authority of an organisation's own may be trusted there.
  const isOther = !isNamed(leaf, host) && !(isSibling && host !== own)
  return [
    ...(leaf.notAfter < now ? [`was valid until ${day(leaf.notAfter)}`] : []),
    ...(leaf.notBefore > now ? [`is valid from ${day(leaf.notBefore)}`] : []),
    ...(isOther ? [`is made out to ${leaf.dnsNames?.slice(0, 10).join(', ').slice(0, 500) || 'no name'}`] : []),
    ...(trust.state === 'self-signed' ? ['vouches for itself'] : []),
    ...(trust.state === 'untrusted' && !internal ? [`ends at no known root (${trust.anchor.slice(0, 300)})`] : []),
  ]
}
