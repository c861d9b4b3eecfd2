import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { ProbedPoint } from '../insertion-points/facts.ts'
import { findingAt, judgeProbed, parameterOf } from '../insertion-points/verdict.ts'
import type { CalledHit, InjectionHit } from './facts.ts'
import { isProven, listeningCheck } from './proven.ts'

const REFERENCES = [
  'https://owasp.org/www-community/attacks/Server_Side_Request_Forgery',
  'https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
] as const

const requestDefinition: FindingDefinition = {
  id: 'injection/server-side-request',
  title: 'Server-side request forgery (SSRF): a visitor can make the server send requests',
  severity: 'high',
  cwe: 918,
  why:
    'The server fetches what a visitor names. An attacker reaches services inside the network that nobody outside should, ' +
    'among them those that hand out credentials of the machine.',
  remediation:
    'Take an identifier instead of an address. Where an address is needed: allow hosts from a list, resolve the name, refuse ' +
    'private, loopback and link-local networks, connect to the address that was checked, and follow no redirects.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/918.html'],
}

const lookupDefinition: FindingDefinition = {
  id: 'injection/server-side-lookup',
  title: 'Server-side DNS lookup: a visitor can make the server look up names',
  severity: 'low',
  cwe: 918,
  why: 'The name in an address that a visitor sends is looked up, though no connection was seen. Often a filter between the server and the network is all that keeps requests from leaving.',
  remediation:
    'Find out which part of the application resolves the name, and allow hosts from a list before anything is looked up.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/918.html'],
}

const inclusionDefinition: FindingDefinition = {
  id: 'injection/file-inclusion',
  title: 'Remote file inclusion: code from a server of a visitor’s choice is run',
  severity: 'critical',
  cwe: 98,
  why: 'The value names a file that is included as code, and may be an address. An attacker puts a program on a server of their own and has it run here.',
  remediation:
    'Include files by an identifier from a fixed list. In PHP also set `allow_url_include = Off` and `allow_url_fopen = Off`.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11.2-Testing_for_Remote_File_Inclusion',
    'https://cwe.mitre.org/data/definitions/98.html',
  ],
}

export const serverSideRequest = listeningCheck('ssrf', requestDefinition)
export const fileInclusion = listeningCheck('inclusion', inclusionDefinition)

/** Names alone: somebody on the way may have looked them up, so it is firm, and said only where no connection came. */
export const serverSideLookup: Check<'injection', 'crawl'> = {
  findings: [lookupDefinition],
  judge: (facts) => {
    if (facts.listened !== true) return { state: 'not_tested', reason: 'nothing listens for calls from the target' }
    return judgeProbed(facts, lookupsAt, ['ssrf'])
  },
}

const lookupsAt = (point: ProbedPoint<InjectionHit>): readonly Finding[] => {
  const hit = point.hits.find(isLookup)
  const [first] = hit?.calls ?? []
  if (!hit || !first || point.hits.some((one) => one.kind === 'ssrf' && isProven(one))) return []
  return [
    findingAt(point, lookupDefinition, {
      confidence: 'firm',
      detail: `Two names that only ${parameterOf(point.at)} was given were looked up, by ${first.from}.`,
      proof: {
        excerpt: `${first.payload}\n${first.agent} ${first.detail}`,
        mark: first.payload,
        replay: first.replay,
        basis: 'lookup',
      },
    }),
  ]
}

const isLookup = (hit: InjectionHit): hit is CalledHit =>
  hit.proof === 'called' && hit.kind === 'ssrf' && hit.calls.length >= 2 && !hit.controlCalled
