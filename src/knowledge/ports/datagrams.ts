/** Every UDP service that is asked, each with one datagram of its own protocol. */
import type { DatagramService } from './datagram.ts'
import { DIRECTORY_DATAGRAMS } from './datagrams/directory.ts'
import { NETWORK_DATAGRAMS } from './datagrams/network.ts'

export const DATAGRAM_SERVICES: readonly DatagramService[] = [...DIRECTORY_DATAGRAMS, ...NETWORK_DATAGRAMS].toSorted(
  (a, b) => a.port - b.port,
)
