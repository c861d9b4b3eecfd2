/** The mount daemon of NFS (RFC 1813, appendix I): what is exported, and to whom. Nothing is mounted. */
import type { Probe } from './probe.ts'
import { textOf } from './talk.ts'

const XID = 0x5e0d0002
const MOST_EXPORTS = 64
const LONGEST_NAME = 1_024

/** A call of MOUNTPROC3_EXPORT (program 100005, version 3, procedure 5) without credentials, in one record (RFC 5531). */
const CALL = ((): Buffer => {
  const words = [0x8000_0000 | 40, XID, 0, 2, 100_005, 3, 5, 0, 0, 0, 0]
  const call = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) call.writeUInt32BE(word >>> 0, index * 4)
  return call
})()

export const mountd: Probe = {
  services: ['mountd'],
  run: async (talk) => {
    talk.send(CALL)
    const reply = await talk.read(
      (bytes) => bytes.length >= 4 && bytes.length >= 4 + (bytes.readUInt32BE(0) & 0x7fffffff),
    )
    const exported = readExports(reply)
    if (exported === null) return null
    const shown = exported.map(({ folder, to }) => `${folder} to ${to.length === 0 ? 'everybody' : to.join(' ')}`)
    const [first] = exported
    return {
      service: 'mountd',
      info: shown.slice(0, 8).join('; ').slice(0, 200) || null,
      access: first
        ? {
            kind: 'listing',
            says: `the exports were listed: ${shown.slice(0, 8).join('; ').slice(0, 400)}`,
            mark: first.folder,
          }
        : null,
    }
  },
}

export interface Export {
  readonly folder: string
  /** Hosts and networks; empty means everybody. */
  readonly to: readonly string[]
}

/** Null for what is no accepted answer to our call. */
export const readExports = (reply: Buffer): readonly Export[] | null => {
  let at = 4
  const word = (): number | null => {
    if (at + 4 > reply.length) return null
    at += 4
    return reply.readUInt32BE(at - 4)
  }
  const text = (): string | null => {
    const length = word()
    if (length === null || length > LONGEST_NAME || at + length > reply.length) return null
    const value = textOf(reply.subarray(at, at + length))
    at += Math.ceil(length / 4) * 4
    return value.replace(/[^\x20-\x7e]/g, '?')
  }
  // xid, reply, accepted, verifier of no length, success.
  const head = [word(), word(), word(), word(), word(), word()]
  if (head[0] !== XID || head[1] !== 1 || head[2] !== 0 || head[4] !== 0 || head[5] !== 0) return null
  const found: Export[] = []
  while (word() === 1 && found.length < MOST_EXPORTS) {
    const folder = text()
    if (folder === null) break
    const to: string[] = []
    while (word() === 1 && to.length < MOST_EXPORTS) {
      const group = text()
      if (group === null) break
      to.push(group)
    }
    found.push({ folder, to: to.includes('*') ? [] : to })
  }
  return found
}
