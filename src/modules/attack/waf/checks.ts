import type { Check, FindingDefinition, Unjudged } from '../../module.ts'
import type { Category, Sample, WafFacts } from './facts.ts'
import { CATEGORIES, isProven, isRefusal } from './judging.ts'

const REFERENCE = 'https://owasp.org/www-community/Web_Application_Firewall'
const base = { severity: 'info', cwe: null, references: [REFERENCE] } as const

const edge: FindingDefinition = {
  ...base,
  id: 'waf/edge',
  title: 'Content delivery network: the site is delivered through somebody else',
  why: 'What the scan saw of TLS, headers and addresses is that network’s, and the server behind it may be reachable on its own.',
  remediation:
    'Let the server behind accept connections from that network alone (its published addresses, or mutual TLS).',
}

const present: FindingDefinition = {
  ...base,
  id: 'waf/present',
  title: 'Web application firewall: requests that look like attacks are blocked',
  why: 'A filter in front hides flaws without removing them. Checks of this run that send such requests may have been stopped by it, and then say so.',
  remediation:
    'Keep the filter. For a complete result, let the addresses of the scanner pass for the time of a scan, or verify requests by their Sonde-Run header.',
}

const gap: FindingDefinition = {
  ...base,
  id: 'waf/gap',
  title: 'Web application firewall with gaps: some kinds of attack pass',
  why: 'What is filtered for one kind and not for another is often a rule set that is switched off or only watching.',
  remediation:
    'Switch the missing rule group from watching to blocking (OWASP Core Rule Set: groups 930 paths, 932 commands, 941 scripts, 942 SQL; and XML in 921 and 944), after looking through its log for false alarms.',
  references: [REFERENCE, 'https://coreruleset.org/docs/'],
}

const absent: FindingDefinition = {
  ...base,
  id: 'waf/absent',
  title: 'Web application firewall missing: nothing stops requests that look like attacks',
  group: 'waf',
  why: 'A new flaw in the application or a library is open from the hour it becomes known until it is fixed. PCI DSS 4.0, 6.4.2, asks for such a filter on public payment pages.',
  remediation:
    'Put a filter in front: ModSecurity or Coraza with the OWASP Core Rule Set at the web server, or the firewall of the network that delivers the site. Let it watch first, then block.',
  references: [REFERENCE, 'https://coreruleset.org/docs/'],
}

const challenge: FindingDefinition = {
  ...base,
  id: 'waf/challenge',
  title: 'Browser challenge: the scanner is asked to prove that it is a browser',
  why: 'The scan saw the question instead of the site, so most of what it says is about that page.',
  remediation:
    'Let the addresses of the scanner pass for the time of a scan, or verify requests by their Sonde-Run header.',
}

const categories = Object.keys(CATEGORIES) as Category[]
const blockedOf = ({ samples }: WafFacts): readonly Category[] =>
  categories.filter(
    (category) =>
      isProven(samples, category) &&
      samples.some((one) => one.category === category && one.kind === 'probe' && isRefusal(one)),
  )
const words = (list: readonly Category[]): string => list.map((category) => CATEGORIES[category]).join(', ')
const host = (facts: WafFacts) => ({ host: new URL(facts.url).hostname })
const probesOf = ({ samples }: WafFacts, list: readonly Category[]): readonly Sample[] =>
  samples.filter((one) => one.kind === 'probe' && list.includes(one.category))
const shown = (samples: readonly Sample[]): string =>
  samples
    .map(
      ({ kind, category, status, title }) =>
        `${kind} ${category} → ${status ?? 'connection cut'}${title === '' ? '' : ` “${title}”`}`,
    )
    .join('\n')
const evidenceOf = (samples: readonly Sample[]) => samples.flatMap(({ evidence }) => evidence ?? []).slice(0, 8)
const replayOf = (samples: readonly Sample[]): string | null => (samples[0] ? `curl -si '${samples[0].url}'` : null)

const unanswered = ({ samples }: WafFacts): boolean =>
  samples.filter(({ kind }) => kind === 'control').every(({ status }) => status === null)

export const edgeNetwork: Check<'waf'> = {
  findings: [edge],
  judge: (facts) =>
    facts.products
      .filter(({ kind }) => kind === 'edge')
      .map(({ name, certainty, signals }) => ({
        definition: edge,
        confidence: certainty,
        at: host(facts),
        subject: name,
        detail: `${name}, by ${signals.join('; ')}.`,
        proof: {
          excerpt: signals.join('\n'),
          mark: signals[0] ?? null,
          replay: `curl -sI '${facts.url}'`,
          basis: 'delivered',
        },
      })),
}

/** Why nothing can be said of a firewall, or null. */
const unjudged = (facts: WafFacts): Unjudged | null => {
  if (unanswered(facts)) return { state: 'not_tested', reason: 'the site did not answer ordinary requests' }
  return facts.challenged ? { state: 'blocked', reason: 'the site answers ordinary requests with a challenge' } : null
}

export const blocking: Check<'waf'> = {
  findings: [present, gap],
  judge: (facts) => {
    const blocked = blockedOf(facts)
    if (blocked.length === 0) return unjudged(facts) ?? []
    const open = categories.filter((category) => !blocked.includes(category))
    const probes = probesOf(facts, blocked)
    const names = firewalls(facts)
    const found = {
      definition: present,
      confidence: 'confirmed',
      at: host(facts),
      detail: `Blocked: ${words(blocked)}. ${names.length > 0 ? `By its answers: ${names.join(', ')}.` : 'The product does not say its name.'}`,
      proof: { excerpt: shown(facts.samples), mark: null, replay: replayOf(probes) },
      evidence: evidenceOf(probes),
    } as const
    if (open.length === 0) return [found]
    const passing = probesOf(facts, open)
    return [
      found,
      {
        definition: gap,
        confidence: 'firm',
        at: host(facts),
        detail: `Blocked: ${words(blocked)}. Not blocked: ${words(open)}.`,
        proof: { excerpt: shown(passing), mark: null, replay: replayOf(passing) },
        evidence: evidenceOf(passing),
      },
    ]
  },
}

export const notBlocking: Check<'waf'> = {
  findings: [absent],
  judge: (facts) => {
    const unknown = unjudged(facts)
    if (unknown) return unknown
    if (blockedOf(facts).length > 0) return []
    const names = firewalls(facts)
    const probes = probesOf(facts, categories)
    return [
      {
        definition: absent,
        confidence: 'firm',
        at: host(facts),
        detail: `${probes.length} requests with ${words(categories)} were answered like ordinary ones.${names.length > 0 ? ` ${names.join(', ')} is there, but lets them pass.` : ''}`,
        proof: { excerpt: shown(facts.samples), mark: null, replay: replayOf(probes) },
        evidence: evidenceOf(facts.samples),
      },
    ]
  },
}

const firewalls = ({ products }: WafFacts): readonly string[] =>
  products.filter(({ kind }) => kind === 'firewall').map(({ name }) => name)

export const challenged: Check<'waf'> = {
  findings: [challenge],
  judge: (facts) => {
    if (!facts.challenged) return []
    const names = facts.products.filter(({ kind }) => kind !== 'edge')
    return [
      {
        definition: challenge,
        confidence: 'firm',
        at: host(facts),
        detail: `${names.map(({ name }) => name).join(', ')} answers an ordinary request with a refusal.`,
        proof: {
          excerpt: names.flatMap(({ signals }) => signals).join('\n'),
          mark: null,
          replay: `curl -si '${facts.url}'`,
        },
      },
    ]
  },
}
