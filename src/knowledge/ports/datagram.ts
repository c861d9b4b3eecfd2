/** One UDP service: the one datagram that asks it, and the grammar that tells its answer from noise. */
export interface DatagramService {
  /** Stored in facts, so never renamed. */
  readonly id: string
  readonly title: string
  readonly port: number
  /** Made anew for each run where the protocol wants an identifier of the asker's own. */
  readonly payload: Buffer
  /** What the answer says, in one line, or null where it is no answer of this protocol. Never throws. */
  readonly read: (reply: Buffer) => DatagramAnswer | null
  /** Answers come from another port of the server. */
  readonly anyPort?: boolean
}

export interface DatagramAnswer {
  readonly says: string
  readonly product?: string
  readonly version?: string
  /** Gives its answer to whoever sends the well-known word. */
  readonly openTo?: string
}

/** Text of bytes from outside: printable ASCII, the rest as spaces, at most `most` characters. */
export const printable = (bytes: Uint8Array | string, most = 200): string =>
  (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1'))
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, most)
