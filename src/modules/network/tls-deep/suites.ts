import { type Suite, suiteOf } from '../../../knowledge/tls/suites.ts'
import type { FindingDefinition } from '../../module.ts'
import {
  type DeepCheck,
  eachEndpoint,
  offeredSuites,
  protocolsUnsure,
  report,
  SUITES_LINE,
  suiteLine,
  WIKI,
} from './report.ts'

const REMEDY = `Offer suites with forward secrecy and authenticated encryption alone. ${SUITES_LINE}, then reload.`

const nothing: FindingDefinition = {
  id: 'tls-deep/suite-null',
  title: 'NULL cipher suites: connections without encryption are offered',
  severity: 'critical',
  cwe: 327,
  why: 'With such a suite everything is sent in clear under the name of TLS, and whoever is on the path reads it.',
  remediation: REMEDY,
  references: [WIKI, 'https://www.rfc-editor.org/rfc/rfc9325#section-4.1'],
}

const anonymous: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-anonymous',
  title: 'Anonymous cipher suites: connections without a certificate are offered',
  why: 'The server proves nothing with an anonymous suite, so anybody on the path can be the server.',
}

const exported: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-export',
  title: 'Export cipher suites of 40 or 56 bits are offered',
  why: 'Their keys are found within minutes, and a client can be led to them even where it would choose better (FREAK, Logjam).',
}

const short: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-short-key',
  title: 'Weak cipher suites: keys of at most 64 bits are offered',
  severity: 'high',
  why: 'A key of 56 bits is found by trying all of them, within a day on rented machines.',
}

const rc4: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-rc4',
  title: 'RC4 cipher suites are offered',
  severity: 'high',
  why: 'The output of RC4 is so uneven that cookies can be read from many repeated connections; RFC 7465 forbids it.',
  references: ['https://www.rfc-editor.org/rfc/rfc7465', WIKI],
}

const md5: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-md5',
  title: 'MD5 cipher suites are offered',
  severity: 'high',
  cwe: 328,
  why: 'MD5 is broken; only suites that are weak in everything else still use it.',
}

const smallBlock: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-small-block',
  title: 'SWEET32: 3DES, IDEA or another cipher with blocks of 64 bits is offered',
  severity: 'medium',
  why: 'After some 32 GB in one connection blocks repeat and give away their difference, enough for a session cookie (CVE-2016-2183).',
  references: ['https://sweet32.info/', 'https://nvd.nist.gov/vuln/detail/CVE-2016-2183'],
}

const cbc: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-cbc',
  title: 'CBC cipher suites are offered (LUCKY13)',
  severity: 'low',
  cwe: 208,
  group: 'tls-hygiene',
  why: 'Up to TLS 1.2 this mode is safe only where a library takes the same time for every wrong record; one after another has turned out not to.',
  references: ['https://www.rfc-editor.org/rfc/rfc9325#section-4.1', 'https://nvd.nist.gov/vuln/detail/CVE-2013-0169'],
}

const noSecrecy: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-no-forward-secrecy',
  title: 'Forward secrecy missing: suites without it are offered',
  severity: 'low',
  cwe: 310,
  group: 'tls-hygiene',
  why: 'Whoever records connections today can read them all on the day the key of the certificate is lost.',
}

const noAead: FindingDefinition = {
  ...nothing,
  id: 'tls-deep/suite-no-aead',
  title: 'AEAD missing: no suite with authenticated encryption is offered',
  severity: 'medium',
  why: 'All that is left are modes with a history of attacks; browsers are taking them out.',
}

const RULES: readonly (readonly [FindingDefinition, (suite: Suite) => boolean])[] = [
  [nothing, (suite) => suite.bits === 0 && !suite.modern],
  [anonymous, (suite) => suite.authentication === 'anon'],
  [exported, (suite) => suite.isExport],
  [short, (suite) => suite.bits > 0 && suite.bits <= 64 && !suite.isExport],
  [rc4, (suite) => suite.cipher === 'RC4' && !suite.isExport],
  [md5, (suite) => suite.mac === 'MD5' && !suite.isExport],
  [smallBlock, (suite) => ['3DES', 'IDEA', 'RC2'].includes(suite.cipher) && !suite.isExport],
  [cbc, (suite) => suite.mode === 'cbc' && suite.bits >= 112],
  [noSecrecy, (suite) => !suite.forwardSecret && suite.bits >= 112],
]

export const suites: DeepCheck = {
  findings: [...RULES.map(([definition]) => definition), noAead],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint) => {
        const offered = [...offeredSuites(endpoint)]
        const found = RULES.flatMap(([definition, applies]) => {
          const matching = offered.filter(([code]) => applies(suiteOf(code)))
          const [first] = matching
          if (first === undefined) return []
          const lines = matching.map(([code, protocols]) => suiteLine(code, protocols))
          const names = matching.map(([code]) => suiteOf(code).name)
          const detail = `${names.length} such ${names.length === 1 ? 'suite' : 'suites'}: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}.`
          return [report(endpoint, definition, { detail, lines, mark: names[0] ?? '' })]
        })
        if (offered.length === 0 || offered.some(([code]) => suiteOf(code).mode === 'aead')) return found
        const lines = offered.map(([code, protocols]) => suiteLine(code, protocols))
        return [...found, report(endpoint, noAead, { detail: `none of ${offered.length} suites is an AEAD.`, lines })]
      },
      // Weak suites are those of versions up to TLS 1.2.
      (endpoint) => protocolsUnsure(endpoint, ['SSLv3', 'TLSv1', 'TLSv1.1', 'TLSv1.2']),
    ),
}
