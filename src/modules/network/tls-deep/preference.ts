import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { FindingDefinition } from '../../module.ts'
import { type DeepCheck, eachEndpoint, report, suiteLine, WIKI } from './report.ts'

const clientDecides: FindingDefinition = {
  id: 'tls-deep/preference-client',
  title: 'Cipher order of the client: it decides although weak suites are offered',
  severity: 'medium',
  cwe: 327,
  why: 'An old or misled client that names a weak suite first gets it, even where both sides could do better.',
  remediation:
    'Take the weak suites out, and let the server choose: nginx `ssl_prefer_server_ciphers on;`, Apache `SSLHonorCipherOrder on`.',
  references: [WIKI, 'https://www.rfc-editor.org/rfc/rfc9325#section-4.2'],
}

const weakFirst: FindingDefinition = {
  ...clientDecides,
  id: 'tls-deep/preference-weak',
  title: 'Cipher order weak: the server prefers a weak suite to a strong one',
  why: 'Clients that could do better are given the weak suite all the same.',
  remediation: 'Order the list of suites from strong to weak, or take the weak ones out.',
}

const strong = (code: number): boolean => {
  const suite = suiteOf(code)
  return suite.modern || (suite.mode === 'aead' && suite.forwardSecret && suite.authentication !== 'anon')
}
const weak = (code: number): boolean => {
  const suite = suiteOf(code)
  return suite.bits < 128 || suite.cipher === 'RC4' || suite.authentication === 'anon' || suite.isExport
}

export const preference: DeepCheck = {
  findings: [clientDecides, weakFirst],
  judge: (facts) =>
    eachEndpoint(facts, (endpoint) =>
      endpoint.protocols.flatMap(({ protocol, order, suites }) => {
        const poor = suites.filter(weak)
        const [first] = poor
        if (first === undefined || poor.length === suites.length) return []
        const lines = suites.map((code) => suiteLine(code, [protocol]))
        const { name } = suiteOf(first)
        if (order === 'client') {
          const detail = `in ${protocol} two opposite orders gave two choices, and ${poor.length} weak suites are among them.`
          return [report(endpoint, clientDecides, { detail, lines, mark: name })]
        }
        const [chosen] = suites
        if (order !== 'server' || chosen === undefined || !weak(chosen) || !suites.some(strong)) return []
        const detail = `in ${protocol} the first choice is ${suiteOf(chosen).name}.`
        return [report(endpoint, weakFirst, { detail, lines, mark: suiteOf(chosen).name })]
      }),
    ),
}
