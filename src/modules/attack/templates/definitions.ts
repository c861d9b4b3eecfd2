import type { ResultKind } from '../../../templates/run/match.ts'
import type { FindingDefinition } from '../../module.ts'

const REFERENCES = ['https://docs.projectdiscovery.io/templates/introduction'] as const

const WEIGHED =
  'The template says how grave it is; what a single common word or a status alone shows is kept as information.'

export const DEFINITIONS: Readonly<Record<ResultKind, FindingDefinition>> = {
  vulnerability: {
    id: 'templates/vulnerability',
    title: 'Known vulnerability: a template matches',
    severity: 'from-source',
    cwe: 1395,
    why: `The server answered a request that is made for this vulnerability in the way that only a vulnerable one does. Such requests are public and sent around the internet all day. ${WEIGHED}`,
    remediation:
      'Install the release in which the maker has fixed it; the CVE or the advisory named in the detail says which. Until then, take the path that the proof shows off the internet.',
    references: ['https://cwe.mitre.org/data/definitions/1395.html', ...REFERENCES],
  },
  misconfiguration: {
    id: 'templates/misconfiguration',
    title: 'Misconfiguration: a template matches',
    severity: 'from-source',
    cwe: 16,
    why: `An interface, a default or a debugging aid answers that is not meant for everybody. ${WEIGHED}`,
    remediation:
      'Switch the interface off or let only known addresses and signed-in people reach it; then ask again with the command of the proof.',
    references: ['https://owasp.org/Top10/A05_2021-Security_Misconfiguration/', ...REFERENCES],
  },
  exposure: {
    id: 'templates/exposure',
    title: 'Exposed file or record: a template matches',
    severity: 'from-source',
    cwe: 552,
    why: `Files of development, settings, logs and backups tell outsiders how the site is built, and often hold secrets. ${WEIGHED}`,
    remediation:
      'Delete the file from the web root, or refuse its path in the server; change every secret that it holds. Then ask again with the command of the proof.',
    references: ['https://cwe.mitre.org/data/definitions/552.html', ...REFERENCES],
  },
  detection: {
    id: 'templates/detection',
    title: 'Detection: a template recognised a product or an interface',
    severity: 'from-source',
    cwe: null,
    why: 'It is no problem by itself. Log-in pages and panels of administration are where attacks begin, and an inventory that knows them is the base of every other check.',
    remediation:
      'Check that it is meant to be reachable from everywhere. Let only known networks reach panels of administration.',
    references: REFERENCES,
  },
}
