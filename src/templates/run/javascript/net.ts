/** `nuclei/net` of scripts: a connection to a port of the target. */
import type { Egress } from '../../../egress/door/egress.ts'
import { openTalk, type Talk } from '../../../protocols/services/talk.ts'
import {
  functionOf,
  isFunction,
  isObject,
  numberOf,
  objectOf,
  ScriptError,
  type ScriptValue,
  stringOf,
} from '../../language/script/value.ts'

export interface NetParts {
  readonly egress: Egress
  /** @throws StepSkipped for a host that is not the target */
  readonly place: (host: string, port: number) => { readonly host: string; readonly port: number }
  /** Ended with the step. */
  readonly opened: Talk[]
}

const MOST_CONNECTIONS = 10
const WAIT = 3_000
const MOST_READ = 64 * 1024

export const netModule = (parts: NetParts): ScriptValue =>
  objectOf({
    Open: functionOf(([kind, address]) => open(parts, stringOf(kind), stringOf(address), false)),
    OpenTLS: functionOf(([kind, address]) => open(parts, stringOf(kind), stringOf(address), true)),
  })

const open = async (parts: NetParts, kind: string, address: string, secure: boolean): Promise<ScriptValue> => {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address)
  if (!match) throw new ScriptError(`“${address.slice(0, 80)}” is no address with a port`)
  const { host, port } = parts.place(match[1] ?? match[2] ?? '', Number(match[3]))
  if (kind === 'udp') return datagrams(parts, host, port)
  if (kind !== 'tcp') throw new ScriptError(`there is no network “${kind}”`)
  if (parts.opened.length >= MOST_CONNECTIONS)
    throw new ScriptError(`a script may open ${MOST_CONNECTIONS} connections`)
  const talk = await openTalk(parts.egress, { host, port, secure })
  parts.opened.push(talk)
  return connection(
    (bytes) => {
      talk.send(bytes)
    },
    (most, whole) => talk.read(whole ? undefined : (bytes) => bytes.length >= most, WAIT),
    () => talk.end(),
  )
}

/** UDP: what is sent waits for the reading, since an answer belongs to its question. */
const datagrams = (parts: NetParts, host: string, port: number): ScriptValue => {
  let waiting: Buffer[] = []
  return connection(
    (bytes) => {
      waiting.push(bytes)
    },
    async () => {
      const replies: Buffer[] = []
      for (const payload of waiting)
        replies.push(...(await parts.egress.datagram({ host, port, payload, wait: 1_500 })))
      waiting = []
      return Buffer.concat(replies)
    },
    () => undefined,
  )
}

const connection = (
  send: (bytes: Buffer) => void,
  read: (most: number, whole: boolean) => Promise<Buffer>,
  end: () => void,
): ScriptValue => {
  const bytesOf = (value: ScriptValue): Buffer => {
    // A buffer of `nuclei/bytes`, handed over as it is.
    const bytes = isObject(value) ? value.members.get('Bytes') : undefined
    const held = isFunction(bytes) ? bytes.call([]) : value
    return held instanceof Uint8Array ? Buffer.from(held) : Buffer.from(stringOf(value), 'latin1')
  }
  const sent = (bytes: Buffer): ScriptValue => {
    send(bytes)
    return bytes.length
  }
  const received = (whole: boolean, coded: (bytes: Buffer) => ScriptValue) =>
    functionOf(async ([count]) => {
      const most = count === undefined ? 4_096 : Math.min(MOST_READ, numberOf(count))
      return coded((await read(most, whole || count === undefined)).subarray(0, MOST_READ))
    })
  const text = (bytes: Buffer): ScriptValue => bytes.toString('latin1')
  const hex = (bytes: Buffer): ScriptValue => bytes.toString('hex')
  return objectOf({
    Send: functionOf(([data]) => sent(bytesOf(data))),
    SendHex: functionOf(([data]) => sent(Buffer.from(stringOf(data).replace(/\s+/g, ''), 'hex'))),
    SendArray: functionOf(([data]) => sent(Buffer.from(Array.isArray(data) ? data.map(numberOf) : []))),
    Recv: received(false, (bytes) => new Uint8Array(bytes)),
    RecvString: received(false, text),
    RecvHex: received(false, hex),
    RecvFull: received(true, (bytes) => new Uint8Array(bytes)),
    RecvFullString: received(true, text),
    RecvFullHex: received(true, hex),
    SetTimeout: functionOf(() => undefined),
    Close: functionOf(() => {
      end()
      return true
    }),
  })
}
