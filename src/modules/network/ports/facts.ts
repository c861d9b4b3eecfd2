/** What the sweep of ports saw. Plain JSON. */
export interface PortsFacts {
  readonly host: string
  readonly address: string
  /** All the addresses of the host; one of them was swept whole. */
  readonly addresses: readonly string[]
  /** The common ports at further addresses. Absent in facts of older runs. */
  readonly others?: readonly OtherAddress[]
  /** Ports that were tried, as `22,80,8000-8100`. */
  readonly tried: string
  readonly triedCount: number
  /** Ports that the time did not suffice for, as above; empty when all were tried. */
  readonly left: string
  /** Ports to which two connections in a row succeeded, at most 1,024 of them. */
  readonly open: readonly number[]
  readonly openCount: number
  /** Accepted one connection and not the second. */
  readonly unsteady: readonly number[]
  readonly closedCount: number
  readonly filteredCount: number
  /** How many of the ports nobody uses accept connections; a host that accepts all of them accepts everything. */
  readonly decoys: { readonly tried: number; readonly open: number }
  /** Ports that answered only on repeat, and the narrowest window after a loss (null without loss). */
  readonly recovered: number
  readonly slowedTo: number | null
  readonly udp: readonly UdpPort[]
}

export interface OtherAddress {
  readonly address: string
  readonly tried: number
  /** Two connections in a row succeeded, at most 256 of them. */
  readonly open: readonly number[]
  readonly filtered: number
  /** So many open that the list means nothing. */
  readonly everything: boolean
}

export interface UdpPort {
  /** Of the datagram service in knowledge/ports. */
  readonly id: string
  readonly title: string
  readonly port: number
  /** answered: in the protocol asked for · other: with something else · closed: refused · silent: open or filtered */
  readonly state: 'answered' | 'other' | 'closed' | 'silent'
  /** Bytes of UDP payload. */
  readonly sent: number
  readonly received: number
  readonly replies: number
  readonly says: string
  readonly product: string | null
  readonly version: string | null
  /** The well-known word that opened it, null for all others. */
  readonly openTo: string | null
  /** First 1 KiB of the datagram sent and of the first reply, base64. */
  readonly request: string
  readonly reply: string
}
