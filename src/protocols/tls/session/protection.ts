/** Protection of records: MAC then CBC, and AEAD, up to TLS 1.2 (RFC 5246, 6.2.3) and in TLS 1.3 (RFC 8446, 5.2). */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Suite } from '../../../knowledge/tls/suites.ts'
import { u8, u16, WireError, xor } from '../wire/bytes.ts'
import { VERSION } from '../wire/record.ts'

export interface CipherParts {
  readonly kind: 'cbc' | 'gcm' | 'chacha'
  readonly algorithm: string
  readonly keyLength: number
  readonly block: number
  readonly mac: string | null
  readonly macLength: number
  /** Fixed part of the nonce. */
  readonly ivLength: number
}

const MACS: Readonly<Record<string, readonly [string, number]>> = {
  MD5: ['md5', 16],
  SHA: ['sha1', 20],
  SHA256: ['sha256', 32],
  SHA384: ['sha384', 48],
}

/** What the session code can speak; null for suites that it leaves to their bare hello. */
export const partsOf = (suite: Suite): CipherParts | null => {
  const { name, cipher, bits } = suite
  if (/_(128|256)_GCM_/.test(name) && cipher === 'AES') {
    return {
      kind: 'gcm',
      algorithm: `aes-${bits}-gcm`,
      keyLength: bits / 8,
      block: 0,
      mac: null,
      macLength: 0,
      ivLength: 4,
    }
  }
  if (cipher === 'CHACHA20' && !name.includes('_OLD_')) {
    return {
      kind: 'chacha',
      algorithm: 'chacha20-poly1305',
      keyLength: 32,
      block: 0,
      mac: null,
      macLength: 0,
      ivLength: 12,
    }
  }
  const mac = MACS[suite.mac ?? '']
  if (suite.mode !== 'cbc' || mac === undefined || suite.isExport) return null
  const shape = { kind: 'cbc', mac: mac[0], macLength: mac[1] } as const
  if (cipher === 'AES' || cipher === 'CAMELLIA') {
    return { ...shape, algorithm: `${cipher.toLowerCase()}-${bits}-cbc`, keyLength: bits / 8, block: 16, ivLength: 16 }
  }
  return cipher === '3DES' ? { ...shape, algorithm: 'des-ede3-cbc', keyLength: 24, block: 8, ivLength: 8 } : null
}

export interface DirectionKeys {
  readonly mac: Buffer
  readonly key: Buffer
  readonly iv: Buffer
}

export interface Protection {
  readonly seal: (type: number, plain: Buffer) => Buffer
  /** Encrypts octets as they are, MAC and padding included; CBC only. For records that break the rules. */
  readonly sealRaw: (octets: Buffer) => Buffer
  /** MAC over the next record's number, without using the number up. */
  readonly macOf: (type: number, plain: Buffer) => Buffer
  /** @throws WireError when it does not verify */
  readonly open: (type: number, payload: Buffer) => Buffer
}

export const createProtection = (version: number, parts: CipherParts, keys: DirectionKeys): Protection => {
  let sequence = 0n
  let chained = keys.iv
  const header = (type: number, length: number, number: bigint): Buffer => {
    const count = Buffer.alloc(8)
    count.writeBigUInt64BE(number)
    return Buffer.concat([count, u8(type), u16(version), u16(length)])
  }
  const macOf = (type: number, plain: Buffer): Buffer =>
    createHmac(parts.mac ?? 'sha1', keys.mac)
      .update(header(type, plain.length, sequence))
      .update(plain)
      .digest()

  const sealRaw = (octets: Buffer): Buffer => {
    const explicit = version >= VERSION.tls11
    const iv = explicit ? randomBytes(parts.block) : chained
    const cipher = createCipheriv(parts.algorithm, keys.key, iv).setAutoPadding(false)
    const sealed = Buffer.concat([cipher.update(octets), cipher.final()])
    chained = sealed.subarray(-parts.block)
    sequence += 1n
    return explicit ? Buffer.concat([iv, sealed]) : sealed
  }

  const openCbc = (type: number, payload: Buffer): Buffer => {
    const explicit = version >= VERSION.tls11 ? parts.block : 0
    const iv = explicit > 0 ? payload.subarray(0, explicit) : chained
    const body = payload.subarray(explicit)
    if (body.length < parts.block || body.length % parts.block !== 0) throw new WireError('record is no whole blocks')
    const decipher = createDecipheriv(parts.algorithm, keys.key, iv).setAutoPadding(false)
    const octets = Buffer.concat([decipher.update(body), decipher.final()])
    chained = Buffer.from(body.subarray(-parts.block))
    const padding = (octets.at(-1) ?? 0) + 1
    const end = octets.length - padding - parts.macLength
    if (end < 0) throw new WireError('padding is longer than the record')
    const plain = octets.subarray(0, end)
    const isMac = macOf(type, plain).equals(octets.subarray(end, end + parts.macLength))
    if (!isMac || octets.subarray(-padding).some((octet) => octet !== padding - 1))
      throw new WireError('bad record MAC')
    sequence += 1n
    return plain
  }

  const nonceOf = (explicit: Buffer): Buffer => {
    if (parts.kind === 'gcm') return Buffer.concat([keys.iv, explicit])
    const count = Buffer.alloc(12)
    count.writeBigUInt64BE(sequence, 4)
    return xor(keys.iv, count)
  }
  const sealAead = (type: number, plain: Buffer): Buffer => {
    const explicit = Buffer.alloc(parts.kind === 'gcm' ? 8 : 0)
    if (explicit.length > 0) explicit.writeBigUInt64BE(sequence)
    const cipher = createCipheriv(parts.algorithm as 'aes-128-gcm', keys.key, nonceOf(explicit), { authTagLength: 16 })
    cipher.setAAD(header(type, plain.length, sequence))
    sequence += 1n
    return Buffer.concat([explicit, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  const openAead = (type: number, payload: Buffer): Buffer => {
    const explicit = parts.kind === 'gcm' ? 8 : 0
    if (payload.length < explicit + 16) throw new WireError('record is shorter than its tag')
    const nonce = nonceOf(payload.subarray(0, explicit))
    const aad = header(type, payload.length - explicit - 16, sequence)
    sequence += 1n
    return openWith(parts.algorithm, keys.key, nonce, aad, payload.subarray(explicit))
  }

  return {
    macOf,
    sealRaw,
    seal: (type, plain) => {
      if (parts.kind !== 'cbc') return sealAead(type, plain)
      const padding = parts.block - ((plain.length + parts.macLength) % parts.block)
      return sealRaw(Buffer.concat([plain, macOf(type, plain), Buffer.alloc(padding, padding - 1)]))
    },
    open: (type, payload) => (parts.kind === 'cbc' ? openCbc(type, payload) : openAead(type, payload)),
  }
}

/** The type travels inside (RFC 8446, 5.2). */
export interface ModernProtection {
  /** A whole record. */
  readonly seal: (type: number, plain: Buffer) => Buffer
  /** @throws WireError */
  readonly open: (payload: Buffer) => { readonly type: number; readonly plain: Buffer }
}

export const createModernProtection = (
  algorithm: string,
  keys: { readonly key: Buffer; readonly iv: Buffer },
): ModernProtection => {
  let sequence = 0n
  const nonce = (): Buffer => {
    const count = Buffer.alloc(12)
    count.writeBigUInt64BE(sequence, 4)
    sequence += 1n
    return xor(keys.iv, count)
  }
  const header = (length: number) => Buffer.concat([u8(0x17), u16(0x0303), u16(length)])
  return {
    seal: (type, plain) => {
      const aad = header(plain.length + 1 + 16)
      const cipher = createCipheriv(algorithm as 'aes-128-gcm', keys.key, nonce(), { authTagLength: 16 })
      cipher.setAAD(aad)
      return Buffer.concat([aad, cipher.update(Buffer.concat([plain, u8(type)])), cipher.final(), cipher.getAuthTag()])
    },
    open: (payload) => {
      const inner = openWith(algorithm, keys.key, nonce(), header(payload.length), payload)
      const end = inner.findLastIndex((octet) => octet !== 0)
      if (end < 0) throw new WireError('record without a type')
      return { type: inner[end] ?? 0, plain: inner.subarray(0, end) }
    },
  }
}

const openWith = (algorithm: string, key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer => {
  if (sealed.length < 16) throw new WireError('record is shorter than its tag')
  const decipher = createDecipheriv(algorithm as 'aes-128-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAAD(aad)
  decipher.setAuthTag(sealed.subarray(-16))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  } catch (cause) {
    throw new WireError('bad record MAC', { cause })
  }
}
