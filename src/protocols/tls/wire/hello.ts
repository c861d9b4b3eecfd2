/** ClientHello of any kind (RFC 8446, 4.1.2; RFC 5246, 7.4.1.2), SSL 3.0 included. */
import { randomBytes } from 'node:crypto'
import { u8, u16, u16s, vector } from './bytes.ts'
import { HANDSHAKE, handshake, record, VERSION } from './record.ts'

export const EXTENSION = {
  serverName: 0,
  statusRequest: 5,
  groups: 10,
  pointFormats: 11,
  schemes: 13,
  heartbeat: 15,
  alpn: 16,
  timestamps: 18,
  padding: 21,
  encryptThenMac: 22,
  extendedMasterSecret: 23,
  sessionTicket: 35,
  presharedKey: 41,
  earlyData: 42,
  supportedVersions: 43,
  cookie: 44,
  pskModes: 45,
  keyShare: 51,
  renegotiation: 0xff01,
} as const

export interface Extension {
  readonly type: number
  readonly body: Buffer
}

export interface KeyShare {
  readonly group: number
  readonly key: Buffer
}

export interface Hello {
  /** The field of the hello; TLS 1.3 goes into `supportedVersions`. */
  readonly version: number
  readonly suites: readonly number[]
  readonly servername: string | null
  /** Default null alone. */
  readonly compression?: readonly number[]
  readonly sessionId?: Buffer
  readonly random?: Buffer
  /** Of the record; default TLS 1.0 as browsers do, SSL 3.0 for SSL 3.0. */
  readonly recordVersion?: number
  readonly groups?: readonly number[]
  readonly schemes?: readonly number[]
  readonly supportedVersions?: readonly number[]
  /** An empty list asks the server to name the group (RFC 8446, 4.2.8). */
  readonly keyShares?: readonly KeyShare[]
  readonly alpn?: readonly string[]
  /** Put after the ones above. */
  readonly more?: readonly Extension[]
}

export const extension = (type: number, body: Buffer = Buffer.alloc(0)): Extension => ({ type, body })

export const buildHello = (hello: Hello): Buffer => {
  const extensions = extensionsOf(hello)
  const body = Buffer.concat([
    u16(hello.version),
    hello.random ?? randomBytes(32),
    vector(1, hello.sessionId ?? Buffer.alloc(0)),
    vector(2, u16s(hello.suites)),
    vector(1, Buffer.from(hello.compression ?? [0])),
    ...(extensions.length === 0 ? [] : [vector(2, ...extensions.map(encode))]),
  ])
  return handshake(HANDSHAKE.clientHello, body)
}

export const helloRecord = (hello: Hello): Buffer => {
  const version = hello.recordVersion ?? Math.min(hello.version, VERSION.tls10)
  return record(0x16, version, buildHello(hello))
}

/** SSL 3.0 knows no extensions, and some of its servers refuse a hello that has any. */
const extensionsOf = (hello: Hello): readonly Extension[] => {
  if (hello.version === VERSION.ssl3) return hello.more ?? []
  const list: Extension[] = []
  if (hello.servername !== null) list.push(extension(EXTENSION.serverName, serverName(hello.servername)))
  if (hello.groups) {
    list.push(extension(EXTENSION.groups, vector(2, u16s(hello.groups))))
    list.push(extension(EXTENSION.pointFormats, vector(1, u8(0))))
  }
  if (hello.schemes) list.push(extension(EXTENSION.schemes, vector(2, u16s(hello.schemes))))
  if (hello.alpn)
    list.push(extension(EXTENSION.alpn, vector(2, ...hello.alpn.map((name) => vector(1, Buffer.from(name))))))
  if (hello.supportedVersions) {
    list.push(extension(EXTENSION.supportedVersions, vector(1, u16s(hello.supportedVersions))))
    list.push(extension(EXTENSION.pskModes, vector(1, u8(1))))
  }
  if (hello.keyShares) {
    const shares = hello.keyShares.map(({ group, key }) => Buffer.concat([u16(group), vector(2, key)]))
    list.push(extension(EXTENSION.keyShare, vector(2, ...shares)))
  }
  return [...list, ...(hello.more ?? [])]
}

const encode = ({ type, body }: Extension): Buffer => Buffer.concat([u16(type), vector(2, body)])
const serverName = (name: string): Buffer => vector(2, Buffer.concat([u8(0), vector(2, Buffer.from(name, 'latin1'))]))
