/**
 * Reads the Certificate message out of a handshake that Node performs. Node shows a chain that OpenSSL has sorted and
 * completed; checks for wrong order, missing and needless certificates must see the one the server sent.
 * Up to TLS 1.2 the message is in clear (RFC 5246, 7.4.2). In TLS 1.3 it is decrypted with the handshake secret that
 * the key log event gives (RFC 8446, 4.4.2 and 7.3).
 */
import { createDecipheriv, createHmac } from 'node:crypto'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

export interface Tap {
  /** To be given to tls.connect in place of the socket. */
  readonly stream: Duplex
  readonly keyLog: (line: Buffer) => void
  /** DER, as sent. Empty when the server sent none or it could not be read. Call after the handshake. */
  readonly chain: () => Buffer[]
}

/** A flight of certificates is far smaller; beyond it the records are not kept. */
const MAX_KEPT = 512 * 1024

export const tapped = (socket: Socket): Tap => {
  const parts: Buffer[] = []
  let kept = 0
  let secret: Buffer | null = null
  const stream = new Duplex({
    read: () => {
      socket.resume()
    },
    write: (chunk, _, done) => {
      socket.write(chunk, done)
    },
    final: (done) => {
      socket.end(done)
    },
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk) => {
    if (kept < MAX_KEPT) parts.push(chunk)
    kept += chunk.length
    if (!stream.push(chunk)) socket.pause()
  })
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => stream.destroy())
  return {
    stream,
    keyLog: (line) => {
      const match = /^SERVER_HANDSHAKE_TRAFFIC_SECRET [0-9a-f]+ ([0-9a-f]+)/i.exec(line.toString('latin1'))
      if (match?.[1]) secret = Buffer.from(match[1], 'hex')
    },
    chain: () => certificates(records(Buffer.concat(parts)), secret),
  }
}

interface TlsRecord {
  readonly type: number
  readonly header: Buffer
  readonly body: Buffer
}

const HANDSHAKE = 22
const APPLICATION_DATA = 23
const SERVER_HELLO = 2
const CERTIFICATE = 11

const records = (bytes: Buffer): TlsRecord[] => {
  const found: TlsRecord[] = []
  let at = 0
  while (at + 5 <= bytes.length) {
    const end = at + 5 + bytes.readUInt16BE(at + 3)
    if (end > bytes.length) break
    found.push({ type: bytes[at] ?? 0, header: bytes.subarray(at, at + 5), body: bytes.subarray(at + 5, end) })
    at = end
  }
  return found
}

const certificates = (found: readonly TlsRecord[], secret: Buffer | null): Buffer[] => {
  const plain: Buffer[] = []
  for (const record of found) {
    if (record.type === HANDSHAKE) plain.push(record.body)
    // TLS 1.2 ends its clear part here; what follows is encrypted under type 22 as well.
    else if (record.type !== 21) break
    if (message(Buffer.concat(plain), CERTIFICATE)) break
  }
  // Skips a hello retry request: the last server hello is the one whose cipher counts.
  const clear = Buffer.concat(found.filter((record) => record.type === HANDSHAKE).map((record) => record.body))
  const direct = message(Buffer.concat(plain), CERTIFICATE)
  if (direct) return list(direct, false)
  const cipher = cipherOf(clear)
  if (!secret || !cipher) return []
  const decrypted = message(decryptAll(found, secret, cipher), CERTIFICATE)
  return decrypted ? list(decrypted, true) : []
}

/** The body of the last complete handshake message of a type. */
const message = (bytes: Buffer, type: number): Buffer | null => {
  let found: Buffer | null = null
  let at = 0
  while (at + 4 <= bytes.length) {
    const end = at + 4 + bytes.readUIntBE(at + 1, 3)
    if (end > bytes.length) break
    if (bytes[at] === type) found = bytes.subarray(at + 4, end)
    at = end
  }
  return found
}

/** TLS 1.3 puts a request context before the list, and extensions after each certificate. */
const list = (body: Buffer, extended: boolean): Buffer[] => {
  const found: Buffer[] = []
  let at = (extended ? 1 + (body[0] ?? 0) : 0) + 3
  while (at + 3 <= body.length) {
    const end = at + 3 + body.readUIntBE(at, 3)
    if (end > body.length) break
    found.push(Buffer.from(body.subarray(at + 3, end)))
    at = end
    if (extended) {
      if (at + 2 > body.length) break
      at += 2 + body.readUInt16BE(at)
    }
  }
  return found
}

interface Suite {
  readonly name: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305'
  readonly key: number
  readonly hash: 'sha256' | 'sha384'
}

const SUITES: Readonly<Record<number, Suite>> = {
  4865: { name: 'aes-128-gcm', key: 16, hash: 'sha256' },
  4866: { name: 'aes-256-gcm', key: 32, hash: 'sha384' },
  4867: { name: 'chacha20-poly1305', key: 32, hash: 'sha256' },
}

/** legacy_version (2), random (32), session id (1 + n), then the suite (RFC 8446, 4.1.3). */
const cipherOf = (clear: Buffer): Suite | null => {
  const hello = message(clear, SERVER_HELLO)
  if (!hello || hello.length < 37) return null
  const at = 35 + (hello[34] ?? 0)
  return at + 2 <= hello.length ? (SUITES[hello.readUInt16BE(at)] ?? null) : null
}

/** The server's encrypted flight up to Finished. Stops where a record does not open: later ones use other keys. */
const decryptAll = (found: readonly TlsRecord[], secret: Buffer, suite: Suite): Buffer => {
  const key = expandLabel(secret, 'key', suite.key, suite.hash)
  const iv = expandLabel(secret, 'iv', 12, suite.hash)
  const flight: Buffer[] = []
  let sequence = 0
  for (const { type, header, body } of found) {
    if (type !== APPLICATION_DATA) continue
    const inner = open(suite, key, nonce(iv, sequence), header, body)
    sequence += 1
    if (!inner) break
    let last = inner.length - 1
    while (last >= 0 && inner[last] === 0) last -= 1
    if (inner[last] === HANDSHAKE) flight.push(inner.subarray(0, last))
  }
  return Buffer.concat(flight)
}

const open = (suite: Suite, key: Buffer, iv: Buffer, header: Buffer, body: Buffer): Buffer | null => {
  if (body.length < 17) return null
  try {
    // The overloads name each cipher mode apart; all of them take these options.
    const decipher = createDecipheriv(suite.name as 'chacha20-poly1305', key, iv, { authTagLength: 16 })
    decipher.setAAD(header, { plaintextLength: body.length - 16 })
    decipher.setAuthTag(body.subarray(-16))
    return Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()])
  } catch {
    // Not under these keys: the flight has ended.
    return null
  }
}

const nonce = (iv: Buffer, sequence: number): Buffer => {
  const made = Buffer.from(iv)
  made.writeUInt32BE((made.readUInt32BE(8) ^ sequence) >>> 0, 8)
  return made
}

/** HKDF-Expand-Label with an empty context (RFC 8446, 7.1); every length here fits one block of the hash. */
const expandLabel = (secret: Buffer, label: string, length: number, hash: Suite['hash']): Buffer => {
  const name = Buffer.from(`tls13 ${label}`)
  const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])])
  return createHmac(hash, secret).update(info).digest().subarray(0, length)
}
