import type { FactTable } from '../../../contract/findings-file.ts'
import type { ServiceFacts, ServicesFacts } from './facts.ts'

const HOW = {
  protocol: 'spoke it',
  port: 'guessed by port',
  untouched: 'not asked: may harm',
  nothing: 'unknown',
} as const

export const servicesTables = (facts: ServicesFacts): readonly FactTable[] => [
  {
    id: 'services',
    module: 'services',
    title: 'Open ports and services',
    columns: ['Port', 'Service', 'TLS', 'Product', 'Version', 'More', 'CPE', 'Known by'],
    rows: facts.services.map((one) => [
      String(one.port),
      one.title ?? 'unknown',
      one.tls ? 'yes' : one.starttls ? 'STARTTLS' : 'no',
      one.product ?? '',
      one.version ?? '',
      [one.info ?? '', hostKeyOf(one)]
        .filter((part) => part !== '')
        .join('; ')
        .slice(0, 120),
      one.cpe ?? '',
      one.recog === null ? HOW[one.by] : `${HOW[one.by]}, rule “${one.recog.slice(0, 60)}”`,
    ]),
  },
]

const hostKeyOf = ({ kex }: ServiceFacts): string => {
  const key = kex?.hostKey
  return key ? `host key ${key.type}${key.bits === null ? '' : ` ${key.bits}`} SHA256:${key.sha256}` : ''
}
