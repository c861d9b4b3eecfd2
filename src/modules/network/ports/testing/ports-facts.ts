/** Ports facts for tables of cases: a host with a website and nothing else. */
import { commonPorts } from '../../../../knowledge/ports/common.ts'
import { DATAGRAM_SERVICES } from '../../../../knowledge/ports/datagrams.ts'
import { writePorts } from '../../../../knowledge/ports/range.ts'
import { udpPort } from '../collect.ts'
import type { PortsFacts, UdpPort } from '../facts.ts'

export const casePorts = (change: Partial<PortsFacts> = {}): PortsFacts => ({
  host: 'shop.test',
  address: '192.0.2.10',
  addresses: ['192.0.2.10'],
  tried: writePorts(commonPorts()),
  triedCount: 1000,
  left: '',
  open: [80, 443],
  openCount: 2,
  unsteady: [],
  closedCount: 998,
  filteredCount: 0,
  decoys: { tried: 12, open: 0 },
  recovered: 0,
  slowedTo: null,
  udp: DATAGRAM_SERVICES.map((service) => udpPort(service, [], 'silent')),
  ...change,
})

/** As the module records it when this service sends these replies. */
export const caseUdp = (id: string, replies: readonly Buffer[]): UdpPort => {
  const service = DATAGRAM_SERVICES.find((one) => one.id === id)
  if (!service) throw new Error(`no datagram service ${id}`)
  return udpPort(service, replies, null)
}
