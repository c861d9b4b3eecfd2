import type { FactTable } from '../../../contract/findings-file.ts'
import { factorOf } from './amplification.ts'
import type { PortsFacts } from './facts.ts'

const STATES = { answered: 'open', other: 'open, other protocol', closed: 'closed', silent: 'no answer' } as const

/** Open TCP ports with what runs there are in the services module's table. */
export const portsTables = (facts: PortsFacts): readonly FactTable[] => [
  {
    id: 'ports-sweep',
    module: 'ports',
    title: 'Sweep of TCP ports',
    columns: ['Address', 'Tried', 'Open', 'Closed', 'No answer', 'Opened only once', 'Answered only on repeat'],
    rows: [
      [
        facts.address,
        String(facts.triedCount),
        String(facts.openCount),
        String(facts.closedCount),
        String(facts.filteredCount),
        String(facts.unsteady.length),
        String(facts.recovered),
      ],
      ...(facts.others ?? []).map(({ address, tried, open, filtered }) => [
        address,
        String(tried),
        String(open.length),
        String(tried - open.length - filtered),
        String(filtered),
        '',
        '',
      ]),
    ],
  },
  {
    id: 'ports-udp',
    module: 'ports',
    title: 'UDP services',
    columns: ['Port', 'Service', 'State', 'Sent', 'Received', 'Factor', 'Answer'],
    rows: facts.udp.map((udp) => [
      String(udp.port),
      udp.title,
      STATES[udp.state],
      String(udp.sent),
      String(udp.received),
      udp.received === 0 ? '' : factorOf(udp).toFixed(1),
      udp.says.slice(0, 120),
    ]),
  },
]
