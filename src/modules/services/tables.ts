import type { FactTable } from '../../contract/findings-file.ts'
import type { ServicesFacts } from './facts.ts'

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
      (one.info ?? '').slice(0, 80),
      one.cpe ?? '',
      one.recog === null ? HOW[one.by] : `${HOW[one.by]}, rule “${one.recog.slice(0, 60)}”`,
    ]),
  },
]
