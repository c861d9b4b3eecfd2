/**
 * Whether a web service passes on what strangers ask for: each that speaks HTTP in clear is asked for another service of the same
 * host, and for nobody else's. What comes back has to be that service's own words, which the web service does not say by itself.
 */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { openTalk, type Talk } from '../../../protocols/services/talk.ts'
import { scoutSuites } from '../../../protocols/tls/probe/suites.ts'
import { helloRecord } from '../../../protocols/tls/wire/hello.ts'
import { RECORD, VERSION } from '../../../protocols/tls/wire/record.ts'
import type { CollectContext } from '../../module.ts'
import type { ProxyFacts, ServiceFacts } from './facts.ts'

/** Web services that are asked, and services that each is asked for. */
const MOST_ASKED = 12
const MOST_WITNESSES = 2
/** Octets that tell a service from another: of a greeting, and of a page. */
const LEAST_GREETING = 8
const LONGEST_GREETING = 24
const LEAST_PAGE = 48
const LONGEST_PAGE = 400

/** A service of the host, and how its words are known. */
interface Witness {
  readonly port: number
  /** What makes it speak; null where it speaks first. */
  readonly ask: Buffer | null
  readonly isItself: (bytes: Buffer) => boolean
  /** Its words come as the answer to GET, too. */
  readonly isText: boolean
}

export const askProxies = async (
  ctx: CollectContext,
  address: string,
  services: readonly ServiceFacts[],
): Promise<ProxyFacts> => {
  const candidates = services.filter(({ service, by, tls }) => by === 'protocol' && service === 'http' && !tls)
  const asked = candidates.slice(0, MOST_ASKED)
  const found: ProxyFacts['found'][number][] = []
  const open: number[] = candidates.slice(MOST_ASKED).map(({ port }) => port)
  await Promise.all(
    asked.map(async ({ port }) => {
      const witnesses = await witnessesFor(ctx, address, port, services)
      if (witnesses.length === 0) open.push(port)
      for (const witness of witnesses) {
        ctx.signal.throwIfAborted()
        const way = (await connects(ctx, address, port, witness)) ?? (await gets(ctx, address, port, witness))
        if (way === null) continue
        found.push({ port, through: witness.port, ...way })
        return
      }
    }),
  )
  return {
    asked: asked.map(({ port }) => port).filter((port) => !open.includes(port)),
    open: open.toSorted((a, b) => a - b),
    found: found.toSorted((a, b) => a.port - b.port),
  }
}

const witnessesFor = async (
  ctx: CollectContext,
  address: string,
  port: number,
  services: readonly ServiceFacts[],
): Promise<readonly Witness[]> => {
  const found: Witness[] = []
  const others = services.filter((one) => one.port !== port && (one.by === 'protocol' || one.tls))
  const weight = (one: ServiceFacts): number => (greetingOf(one) !== null ? 0 : one.tls ? 1 : 2)
  for (const other of others.toSorted((a, b) => weight(a) - weight(b))) {
    if (found.length >= MOST_WITNESSES) break
    const greeting = greetingOf(other)
    const witness =
      greeting !== null
        ? byGreeting(other.port, greeting)
        : other.tls
          ? byTls(other.port)
          : await byPage(ctx, address, port, other)
    if (witness !== null) found.push(witness)
  }
  return found
}

/** Null where the service does not speak first, or not in words. */
const greetingOf = ({ exchange, tls }: ServiceFacts): Buffer | null => {
  const [first] = exchange
  if (tls || first?.from !== 'peer') return null
  const line = Buffer.from(first.bytes, 'base64').subarray(0, LONGEST_GREETING)
  const words = line.subarray(0, /[^\x20-\x7e]/.exec(line.toString('latin1'))?.index ?? line.length)
  return words.length >= LEAST_GREETING ? words : null
}

const byGreeting = (port: number, greeting: Buffer): Witness => ({
  ...{ port, ask: null, isText: true },
  isItself: (bytes) => bytes.includes(greeting),
})

/** A record of TLS in answer to a hello: no web server says that in clear. */
const byTls = (port: number): Witness => ({
  ...{ port, isText: false },
  ask: helloRecord({ version: VERSION.tls12, suites: scoutSuites, servername: null, groups: [29, 23] }),
  isItself: (bytes) => (bytes[0] === RECORD.handshake || bytes[0] === RECORD.alert) && bytes[1] === 3,
})

/** The page of another web service, where the one that is asked has another for the same name. */
const byPage = async (
  ctx: CollectContext,
  address: string,
  port: number,
  other: ServiceFacts,
): Promise<Witness | null> => {
  if (other.service !== 'http') return null
  const ask = question(`${bracketed(address)}:${other.port}`)
  const [theirs, own] = [await answerTo(ctx, address, other.port, ask), await answerTo(ctx, address, port, ask)]
  const page = bodyOf(theirs).subarray(0, LONGEST_PAGE)
  if (page.length < LEAST_PAGE || own.length === 0 || own.includes(page)) return null
  return { port: other.port, ask, isText: true, isItself: (bytes) => bytes.includes(page) }
}

const question = (host: string): Buffer => Buffer.from(`GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`)
const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)
const bodyOf = (answer: Buffer): Buffer => {
  const end = answer.indexOf('\r\n\r\n')
  return end < 0 ? Buffer.alloc(0) : answer.subarray(end + 4)
}

type Way = Pick<ProxyFacts['found'][number], 'method' | 'exchange' | 'replay'>

const connects = (ctx: CollectContext, address: string, port: number, witness: Witness): Promise<Way | null> => {
  const to = `${bracketed(address)}:${witness.port}`
  return talking(ctx, address, port, async (talk) => {
    talk.send(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`)
    const head = await talk.read((bytes) => bytes.includes('\r\n\r\n'))
    const end = head.indexOf('\r\n\r\n')
    if (end < 0 || !/^HTTP\/1\.[01] 2\d\d/.test(head.toString('latin1', 0, 12))) return null
    if (witness.ask !== null) talk.send(witness.ask)
    const first = head.subarray(end + 4)
    const said = witness.isItself(first) ? first : Buffer.concat([first, await talk.read(witness.isItself)])
    return witness.isItself(said)
      ? {
          method: 'CONNECT',
          exchange: talk.said(),
          replay: witness.isText
            ? `curl -sv --max-time 5 -p -x http://${bracketed(ctx.target.host)}:${port} telnet://${to} </dev/null`
            : `openssl s_client -proxy ${bracketed(ctx.target.host)}:${port} -connect ${to} </dev/null`,
        }
      : null
  })
}

const gets = (ctx: CollectContext, address: string, port: number, witness: Witness): Promise<Way | null> => {
  if (!witness.isText) return Promise.resolve(null)
  const to = `${bracketed(address)}:${witness.port}`
  return talking(ctx, address, port, async (talk) => {
    talk.send(`GET http://${to}/ HTTP/1.0\r\nHost: ${to}\r\n\r\n`)
    const said = await talk.read(witness.isItself)
    return witness.isItself(said)
      ? {
          method: 'GET',
          exchange: talk.said(),
          replay: `curl -s --http0.9 -x http://${bracketed(ctx.target.host)}:${port} http://${to}/`,
        }
      : null
  })
}

const answerTo = async (ctx: CollectContext, address: string, port: number, ask: Buffer): Promise<Buffer> =>
  (await talking(ctx, address, port, async (talk) => {
    talk.send(ask)
    return talk.read()
  })) ?? Buffer.alloc(0)

const talking = async <T>(
  ctx: CollectContext,
  address: string,
  port: number,
  work: (talk: Talk) => Promise<T | null>,
): Promise<T | null> => {
  try {
    const talk = await openTalk(ctx.egress, { host: address, port, secure: false })
    try {
      return await work(talk)
    } finally {
      talk.end()
    }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
