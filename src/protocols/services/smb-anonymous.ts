/**
 * What SMB gives to nobody: a session without a name (MS-NLMP 3.2.5.1.2), the list of shares over it (MS-SRVS 3.1.4.8, NetrShareEnum),
 * and which of them open their root. No folder is listed, no file is read, nothing is written.
 */
import { SPNEGO_ANONYMOUS } from './ntlm.ts'
import { framed, header2, negotiateSmb2, whole } from './smb.ts'
import type { Talk } from './talk.ts'

export interface SmbShare {
  readonly name: string
  readonly kind: 'disk' | 'printer' | 'pipe' | 'other'
  readonly remark: string
  /** Its root was opened for reading. */
  readonly opens: boolean
}

export interface SmbAnonymous {
  /** null: a session of nobody; guest: one of the guest account, whoever asks. */
  readonly session: 'null' | 'guest'
  /** Null where the list was refused. */
  readonly shares: readonly SmbShare[] | null
}

const COMMAND = { setup: 1, logoff: 2, connect: 3, create: 5, close: 6, ioctl: 11 } as const
const MOST_SHARES = 64
/** Shares whose root is tried. */
const MOST_TRIED = 8
const HEADER = 64
/** Milliseconds: a server may begin the program behind a pipe first. */
const PATIENCE = 4_500

interface Session {
  readonly talk: Talk
  readonly id: Buffer
  next: number
  /** Came with the message before. */
  rest: Buffer
}

interface Reply {
  readonly status: number
  readonly tree: number
  readonly body: Buffer
  /** The message with its header: offsets count from its start. */
  readonly message: Buffer
}

/** Null where version 2 is not spoken, or nobody is given a session. @throws EgressError */
export const askAnonymously = async (talk: Talk, host: string): Promise<SmbAnonymous | null> => {
  const negotiated = await negotiateSmb2(talk)
  if (negotiated === null || negotiated.session === null) return null
  const session: Session = { talk, id: negotiated.session, next: 2, rest: Buffer.alloc(0) }
  const opened = await ask(session, COMMAND.setup, setup(), 0)
  if (opened === null || opened.status !== 0 || opened.body.length < 4) return null
  const flags = opened.body.readUInt16LE(2)
  // A server that signs in whoever gives no name as somebody would be no anonymous session; none is known.
  const kind = (flags & 1) !== 0 ? 'guest' : 'null'
  const shares = await listShares(session, host)
  const tried = shares && (await opens(session, host, shares))
  await ask(session, COMMAND.logoff, Buffer.from([4, 0, 0, 0]), 0)
  return { session: kind, shares: tried }
}

const ask = async (session: Session, command: number, body: Buffer, tree: number): Promise<Reply | null> => {
  const head = header2(command, session.next)
  session.next += 1
  head.writeUInt32LE(tree, 36)
  session.id.copy(head, 40)
  session.talk.send(framed(head, body))
  for (let waits = 0; waits < 3; waits += 1) {
    const message = await nextMessage(session)
    if (message.length < HEADER || message.toString('latin1', 0, 4) !== '\xfeSMB') return null
    const status = message.readUInt32LE(8)
    // STATUS_PENDING: the answer itself comes later.
    if (status === 0x0000_0103) continue
    return { status, tree: message.readUInt32LE(36), body: message.subarray(HEADER), message }
  }
  return null
}

const nextMessage = async (session: Session): Promise<Buffer> => {
  const { rest, talk } = session
  const bytes = whole(rest)
    ? rest
    : Buffer.concat([rest, await talk.read((more) => whole(Buffer.concat([rest, more])), PATIENCE)])
  if (!whole(bytes)) return Buffer.alloc(0)
  const end = 4 + bytes.readUIntBE(1, 3)
  session.rest = Buffer.from(bytes.subarray(end))
  return Buffer.from(bytes.subarray(4, end))
}

const setup = (): Buffer => {
  const body = Buffer.alloc(24)
  body.writeUInt16LE(25, 0)
  body[3] = 1
  body.writeUInt16LE(HEADER + 24, 12)
  body.writeUInt16LE(SPNEGO_ANONYMOUS.length, 14)
  return Buffer.concat([body, SPNEGO_ANONYMOUS])
}

const connectTo = (host: string, share: string): Buffer => {
  const path = Buffer.from(`\\\\${host}\\${share}`, 'utf16le')
  const body = Buffer.alloc(8)
  body.writeUInt16LE(9, 0)
  body.writeUInt16LE(HEADER + 8, 4)
  body.writeUInt16LE(path.length, 6)
  return Buffer.concat([body, path])
}

/** @param access rights of MS-SMB2 2.2.13.1 · `options` of 2.2.13 */
const create = (name: string, access: number, options: number): Buffer => {
  const path = Buffer.from(name, 'utf16le')
  const body = Buffer.alloc(56)
  body.writeUInt16LE(57, 0)
  body.writeUInt32LE(2, 4)
  body.writeUInt32LE(access, 24)
  body.writeUInt32LE(7, 32)
  // FILE_OPEN: what is not there is not made.
  body.writeUInt32LE(1, 36)
  body.writeUInt32LE(options, 40)
  body.writeUInt16LE(HEADER + 56, 44)
  body.writeUInt16LE(path.length, 46)
  return Buffer.concat([body, path.length > 0 ? path : Buffer.alloc(1)])
}

const fileOf = ({ status, body }: Reply): Buffer | null =>
  status === 0 && body.length >= 80 ? Buffer.from(body.subarray(64, 80)) : null

const close = (file: Buffer): Buffer => Buffer.concat([Buffer.from([24, 0, 0, 0, 0, 0, 0, 0]), file])

/** FSCTL_PIPE_TRANSCEIVE: writes to a pipe and reads the answer. */
const transceive = (file: Buffer, input: Buffer): Buffer => {
  const body = Buffer.alloc(56)
  body.writeUInt16LE(57, 0)
  body.writeUInt32LE(0x0011_c017, 4)
  file.copy(body, 8)
  body.writeUInt32LE(HEADER + 56, 24)
  body.writeUInt32LE(input.length, 28)
  body.writeUInt32LE(32_768, 44)
  body.writeUInt32LE(1, 48)
  return Buffer.concat([body, input])
}

const outputOf = (reply: Reply | null): Buffer | null => {
  if (reply === null || reply.status !== 0 || reply.body.length < 48) return null
  const offset = reply.body.readUInt32LE(32)
  const length = reply.body.readUInt32LE(36)
  return offset + length <= reply.message.length ? reply.message.subarray(offset, offset + length) : null
}

const listShares = async (session: Session, host: string): Promise<readonly Omit<SmbShare, 'opens'>[] | null> => {
  const connected = await ask(session, COMMAND.connect, connectTo(host, 'IPC$'), 0)
  if (connected === null || connected.status !== 0) return null
  const made = await ask(session, COMMAND.create, create('srvsvc', 0x0012_019f, 0), connected.tree)
  const file = made && fileOf(made)
  if (!file) return null
  const bound = outputOf(await ask(session, COMMAND.ioctl, transceive(file, BIND), connected.tree))
  const listed = bound && outputOf(await ask(session, COMMAND.ioctl, transceive(file, shareEnum(host)), connected.tree))
  await ask(session, COMMAND.close, close(file), connected.tree)
  return listed ? readShares(listed) : null
}

/** Whether the root of each disk opens for reading. */
const opens = async (
  session: Session,
  host: string,
  shares: readonly Omit<SmbShare, 'opens'>[],
): Promise<readonly SmbShare[]> => {
  const found: SmbShare[] = []
  for (const share of shares) {
    const isTried = share.kind === 'disk' && found.filter(({ kind }) => kind === 'disk').length < MOST_TRIED
    found.push({ ...share, opens: isTried && (await opensRoot(session, host, share.name)) })
  }
  return found
}

const LIST_DIRECTORY = 0x0010_0001
const DIRECTORY_FILE = 1

const opensRoot = async (session: Session, host: string, share: string): Promise<boolean> => {
  const connected = await ask(session, COMMAND.connect, connectTo(host, share), 0)
  if (connected === null || connected.status !== 0) return false
  const made = await ask(session, COMMAND.create, create('', LIST_DIRECTORY, DIRECTORY_FILE), connected.tree)
  const file = made && fileOf(made)
  if (!file) return false
  await ask(session, COMMAND.close, close(file), connected.tree)
  return true
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

/** DCE/RPC 1.1, 12.6.4: one fragment that is first and last. */
const rpc = (type: number, call: number, body: Buffer): Buffer => {
  const head = Buffer.from([5, 0, type, 3, 0x10, 0, 0, 0, 0, 0, 0, 0, call, 0, 0, 0])
  head.writeUInt16LE(head.length + body.length, 8)
  return Buffer.concat([head, body])
}

/** To srvsvc 3.0 (4b324fc8-1670-01d3-1278-5a47bf6ee188) in NDR 2.0. */
const BIND = rpc(
  11,
  1,
  Buffer.concat([
    Buffer.from([0xb8, 0x10, 0xb8, 0x10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]),
    Buffer.from('c84f324b7016d30112785a47bf6ee18803000000', 'hex'),
    Buffer.from('045d888aeb1cc9119fe808002b10486002000000', 'hex'),
  ]),
)

/** NetrShareEnum (15), level 1. */
const shareEnum = (host: string): Buffer => {
  const name = Buffer.from(`\\\\${host}\0`, 'utf16le')
  const count = name.length / 2
  const padded = Buffer.concat([name, Buffer.alloc((4 - (name.length % 4)) % 4)])
  const stub = Buffer.concat([
    ...[u32(0x0002_0000), u32(count), u32(0), u32(count), padded],
    ...[u32(1), u32(1), u32(0x0002_0004), u32(0), u32(0)],
    ...[u32(0xffff_ffff), u32(0x0002_0008), u32(0)],
  ])
  return rpc(0, 2, Buffer.concat([u32(stub.length), Buffer.from([0, 0, 15, 0]), stub]))
}

const KINDS = ['disk', 'printer', 'other', 'pipe'] as const

/** Entries of level 1, their names behind them (NDR). Null for a fault, and for what leads out of the answer. */
export const readShares = (answer: Buffer): readonly Omit<SmbShare, 'opens'>[] | null => {
  if (answer.length < 24 + 24 || answer[2] !== 2) return null
  const stub = answer.subarray(24)
  let at = 0
  const number = (): number => {
    if (at + 4 > stub.length) throw new RangeError('the answer ends')
    at += 4
    return stub.readUInt32LE(at - 4)
  }
  const text = (): string => {
    number()
    number()
    const count = number()
    const end = at + count * 2
    if (count > 1_024 || end > stub.length) throw new RangeError('a name leads out of the answer')
    const value = stub.toString('utf16le', at, end).replace(/\0$/, '')
    at = end + ((4 - (end % 4)) % 4)
    return value.slice(0, 100)
  }
  try {
    const [level, , container, entries, buffer] = [number(), number(), number(), number(), number()]
    if (level !== 1 || container === 0 || buffer === 0 || entries === undefined) return []
    const count = number()
    if (count > 1_024) return null
    const kinds = Array.from({ length: count }, () => {
      const [, type = 0] = [number(), number(), number()]
      return KINDS[type & 0x0fff_ffff] ?? 'other'
    })
    return kinds.map((kind) => ({ name: text(), kind, remark: text() })).slice(0, MOST_SHARES)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
