/** From a service's facts to a finding's proof and words. */
import type { Proof } from '../../../contract/finding.ts'
import { printable } from '../../../knowledge/ports/datagram.ts'
import { writeBytes } from '../../evidence/hex-dump.ts'
import type { Finding } from '../../module.ts'
import type { ServiceFacts, ServicesFacts } from './facts.ts'

const SHOWN = 1_600

/** "MongoDB 6.0.1 on port 27017" */
export const nameOf = ({ product, title, version, port, tls }: ServiceFacts): string =>
  `${[product ?? title ?? 'Something', version].filter(Boolean).join(' ')} on port ${port}${tls ? ' (TLS)' : ''}`

/** Text where the exchange is text, a dump where it is not. */
export const proofOf = (
  service: Pick<ServiceFacts, 'port' | 'exchange' | 'replay'>,
  mark: string | null = null,
): Proof => {
  const excerpt = service.exchange
    .map(({ from, bytes, size }) => `${from === 'us' ? '>' : '<'} ${size} bytes\n${legible(bytes)}`)
    .join('\n')
    .slice(0, 8_000)
  const shown = excerpt.trim() === '' ? `port ${service.port}: connection accepted` : excerpt
  return {
    excerpt: shown,
    mark: mark !== null && mark !== '' && shown.includes(mark) ? mark.slice(0, 1_024) : null,
    replay: service.replay,
  }
}

const legible = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64')
  const text = bytes.toString('latin1')
  const strange = text.replace(/[\x20-\x7e\r\n\t]/g, '').length
  if (strange * 10 > text.length) return writeBytes(bytes, 512)
  return text
    .slice(0, SHOWN)
    .split(/\r?\n/)
    .map((line) => printable(line, 300))
    .join('\n')
}

export const at = (facts: ServicesFacts, service: ServiceFacts): Pick<Finding, 'at' | 'evidence'> => ({
  at: { host: facts.host, port: service.port },
  ...(service.evidence ? { evidence: [service.evidence] } : {}),
})
