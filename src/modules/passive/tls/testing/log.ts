/** A transparency log of the test's own, and certificates that carry its timestamps: made by hand from RFC 6962. */
import { createHash, createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import type { CtLog, CtLogs } from '../../../../knowledge/tls/ct-logs.ts'
import { logId } from '../../../../knowledge/tls/ct-logs.ts'
import type { Issued } from './authority.ts'

export interface CaseLog {
  readonly id: string
  readonly log: CtLog
  /** A timestamp of the entry: type and body as the log signs them. */
  readonly stamp: (entry: Buffer, time: number) => Buffer
}

export const caseLog = (operator = 'Operator', retired: number | null = null): CaseLog => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const id = logId(key)
  return {
    id,
    log: { operator, name: `${operator}’s log`, key, retired },
    stamp: (entry, time) => {
      const when = Buffer.alloc(8)
      when.writeBigUInt64BE(BigInt(time))
      const signature = sign(
        'sha256',
        Buffer.concat([Buffer.from([0, 0]), when, entry, Buffer.from([0, 0])]),
        privateKey,
      )
      const digitallySigned = Buffer.concat([Buffer.from([4, 3]), u16(signature.length), signature])
      return Buffer.concat([Buffer.from([0]), Buffer.from(id, 'hex'), when, Buffer.from([0, 0]), digitallySigned])
    },
  }
}

export const logsOf = (...logs: readonly CaseLog[]): CtLogs => ({
  version: 'of a test',
  find: (wanted) => logs.find(({ id }) => id === wanted)?.log ?? null,
})

/** What a log signs for a whole certificate: x509_entry. */
export const wholeEntry = (der: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0]), u24(der.length), der])

/** What it signs for one that is to carry the timestamp: precert_entry, over the certificate before. */
export const precertEntry = (before: Buffer, issuer: Buffer): Buffer => {
  const key = new X509Certificate(issuer).publicKey.export({ type: 'spki', format: 'der' })
  const tbs = before.subarray(4, 4 + sizeOf(before.subarray(4)))
  return Buffer.concat([Buffer.from([0, 1]), createHash('sha256').update(key).digest(), u24(tbs.length), tbs])
}

export const timestampList = (...stamps: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(stamps.map((stamp) => Buffer.concat([u16(stamp.length), stamp])))
  return Buffer.concat([u16(body.length), body])
}

/** The certificate once more, with the extension put behind its others and signed again by its authority. */
export const withTimestamps = async (before: Buffer, list: Buffer, authority: Issued): Promise<Buffer> => {
  const tbs = before.subarray(4, 4 + sizeOf(before.subarray(4)))
  const at = tbs.lastIndexOf(Buffer.from([0xa3])) // the extensions are the last part, and long
  const start = extensionsAt(tbs, at)
  const inner = tbs.subarray(start)
  const list3 = inner.subarray(headOf(inner))
  const extensions = list3.subarray(headOf(list3))
  const oid = Buffer.from('060a2b06010401d679020402', 'hex')
  const extension = node(0x30, oid, node(0x04, node(0x04, list)))
  const body = Buffer.concat([
    tbs.subarray(headOf(tbs), start),
    node(0xa3, node(0x30, Buffer.concat([extensions, extension]))),
  ])
  const next = node(0x30, body)
  const rest = before.subarray(4 + tbs.length)
  const algorithm = rest.subarray(0, sizeOf(rest))
  const signature = sign('sha256', next, createPrivateKey(await authority.keyPem()))
  return node(0x30, next, algorithm, node(0x03, Buffer.from([0]), signature))
}

/** The first [3] whose end is the end of the whole. */
const extensionsAt = (tbs: Buffer, from: number): number => {
  for (let at = from; at >= 0; at = tbs.lastIndexOf(0xa3, at - 1)) {
    if (at + sizeOf(tbs.subarray(at)) === tbs.length) return at
    if (at === 0) break
  }
  throw new Error('the certificate has no extensions')
}

const headOf = (value: Buffer): number => {
  const first = value[1] ?? 0
  return first < 0x80 ? 2 : 2 + (first & 0x7f)
}

const sizeOf = (value: Buffer): number => {
  const first = value[1] ?? 0
  return headOf(value) + (first < 0x80 ? first : value.readUIntBE(2, first & 0x7f))
}

const node = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body])
  return body.length < 256
    ? Buffer.concat([Buffer.from([tag, 0x81, body.length]), body])
    : Buffer.concat([Buffer.from([tag, 0x82]), u16(body.length), body])
}

const u16 = (value: number): Buffer => {
  const octets = Buffer.alloc(2)
  octets.writeUInt16BE(value)
  return octets
}

const u24 = (value: number): Buffer => {
  const octets = Buffer.alloc(3)
  octets.writeUIntBE(value, 0, 3)
  return octets
}
