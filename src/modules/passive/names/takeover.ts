import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { Candidate, NamesFacts } from './facts.ts'

const host: FindingDefinition = {
  id: 'names/takeover-host',
  title: 'Subdomain takeover: a name of the domain leads to a place that a stranger can claim',
  severity: 'high',
  cwe: 672,
  why: 'Whoever claims it serves pages under this name: with its cookies, its reputation, and a valid certificate of their own.',
  remediation: 'Delete the CNAME record, or claim the named target again, today.',
  references: [
    'https://cwe.mitre.org/data/definitions/672.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/10-Test_for_Subdomain_Takeover',
  ],
}

const nameserver: FindingDefinition = {
  ...host,
  id: 'names/takeover-nameserver',
  title: 'Subdomain takeover, name server: it lies in a domain that anybody may register',
  severity: 'critical',
  why: 'Whoever registers it answers for the whole domain: site, mail and certificates are theirs.',
  remediation:
    'Remove the name server from the zone and at the registrar at once; register its domain until the change has spread.',
}

const mail: FindingDefinition = {
  ...host,
  id: 'names/takeover-mail',
  title: 'Subdomain takeover, mail server: it lies in a domain that anybody may register',
  why: 'Whoever registers it receives mail of the domain, password resets and certificate approvals among it.',
  remediation: 'Remove the MX record, or register the domain again.',
}

const thirdParty: FindingDefinition = {
  ...host,
  id: 'names/takeover-third-party',
  title: 'Third-party domain takeover: the site trusts a domain that anybody may register',
  why: 'Pages load scripts or styles from it, or the content security policy allows it: whoever registers it runs code in the site.',
  remediation: 'Remove the script or style, and take the host out of the Content-Security-Policy header.',
}

const link: FindingDefinition = {
  ...host,
  id: 'names/takeover-link',
  title: 'Broken link hijacking: the site links to a domain that anybody may register',
  severity: 'medium',
  why: 'Visitors who follow the link reach whoever registers the domain, with the site’s recommendation.',
  remediation: 'Remove the link or correct it.',
}

/** The first that fits names the worst that a stranger could do. */
const KINDS = [
  ['ns', nameserver],
  ['mx', mail],
  ['script', thirdParty],
  ['policy', thirdParty],
] as const

export const takeover: Check<'names', 'site' | 'tls' | 'dns'> = {
  findings: [nameserver, mail, host, thirdParty, link],
  judge: (facts): Judgement => {
    const findings = facts.candidates.filter(isProven).map((candidate) => judgeCandidate(facts, candidate))
    const { seen, asked } = facts.others
    const { passedOver } = facts
    const unsure = facts.candidates.filter((one) => !isProven(one) && one.looks.some(({ control }) => !control))
    const reasons = [
      ...(asked < seen ? [`Of ${seen} other domains ${asked} were asked.`] : []),
      ...(passedOver > 0 ? [`${passedOver} more names may be free and were not looked at.`] : []),
      ...(unsure.length > 0 ? [`The counter-question failed for ${unsure.map(({ name }) => name).join(', ')}.`] : []),
    ]
    return reasons.length === 0 ? findings : { state: 'inconclusive', reason: reasons.join(' '), findings }
  },
}

/** Two looks that agree, with the counter-question answered both times. */
const isProven = ({ looks }: Candidate): boolean =>
  looks.length >= 2 && looks.every(({ unclaimed, control }) => unclaimed && control)

const judgeCandidate = ({ domain }: NamesFacts, candidate: Candidate): Finding => {
  const { name, sources, kind, target, service, guarded, looks, seenAt } = candidate
  const isOwn = name === domain || name.endsWith(`.${domain}`)
  const ruled = KINDS.find(([source]) => sources.includes(source))?.[1]
  const definition = ruled === nameserver || ruled === mail ? ruled : isOwn ? host : (ruled ?? link)
  const chain = [name, ...candidate.aliases].join(' → ')
  const seconds = Math.round(((looks.at(-1)?.after ?? 0) - (looks[0]?.after ?? 0)) / 1000)
  return {
    definition,
    // Nobody but the owner should try the claim itself.
    confidence: guarded ? 'tentative' : 'firm',
    at: { host: name },
    subject: target,
    detail: `${chain} (seen: ${seenAt}): ${SAYING[kind](target, service ?? '')} Two looks ${seconds} s apart agree.${guarded ? ' The service may ask for proof of ownership.' : ''}`,
    proof: {
      excerpt: looks
        .map(({ after, evidence }) => `after ${after} ms\n${evidence}`)
        .join('\n\n')
        .slice(0, 7_000),
      mark: null,
      replay:
        kind === 'page'
          ? `dig ${name}; curl -si http://${name}/`
          : `dig ${name}; dig ${kind === 'registrable' ? 'NS ' : ''}${target}`,
    },
  }
}

const SAYING: Readonly<Record<Candidate['kind'], (target: string, service: string) => string>> = {
  registrable: (target) => `the domain ${target} does not exist.`,
  vanished: (target, service) => `${target} is not taken at ${service}.`,
  page: (target, service) => `${service} shows its page for names that nobody holds (${target}).`,
}
