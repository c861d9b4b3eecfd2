import type { FindingDefinition } from '../../module.ts'
import { alpnOf, type DeepCheck, eachEndpoint, report, unseenBehind } from './report.ts'

const noAlpn: FindingDefinition = {
  id: 'tls-deep/http2-absent',
  title: 'HTTP/2 is not offered',
  severity: 'info',
  cwe: null,
  why: 'No flaw: browsers fall back to HTTP/1.1, which is slower and whose framing is what request smuggling rests on.',
  remediation: 'Switch it on: nginx `http2 on;`, Apache `Protocols h2 http/1.1`.',
  references: ['https://www.rfc-editor.org/rfc/rfc7301', 'https://www.rfc-editor.org/rfc/rfc9113'],
}

export const applicationProtocols: DeepCheck = {
  findings: [noAlpn],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint) => {
        const alpn = alpnOf(endpoint)
        if (endpoint.service !== 'https' || alpn === null || alpn.includes('h2')) return []
        const offered = alpn.length === 0 ? 'none' : alpn.join(', ')
        const lines = [`offered alone, one after another: h2, http/1.1, …; taken: ${offered}`]
        const detail = `taken of the protocols offered: ${offered}.`
        return [report(endpoint, noAlpn, { detail, lines, openssl: '-alpn h2' })]
      },
      (endpoint) => (endpoint.service === 'https' && alpnOf(endpoint) === null ? unseenBehind(endpoint) : null),
    ),
}
