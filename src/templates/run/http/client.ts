/**
 * Sends each distinct request once, whoever asks: templates that share one share its answer. An answer is kept as long as
 * somebody is known to want it again, and a few of the last ones beside, within a bound of bytes.
 */
import { createHash } from 'node:crypto'
import { type Egress, EgressError, type HeaderPairs } from '../../../egress/door/egress.ts'
import { createText, type Text, type Vocabulary } from '../../language/match/text.ts'
import { type HttpSpec, keyOf, wholeRequest } from './request.ts'
import { sendVerbatim } from './unsafe.ts'

/** One answer, its body interned: equal bodies are one object with one set of findings. */
export interface Reply {
  readonly spec: HttpSpec
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderPairs
  readonly body: Text
  /** Seconds. */
  readonly duration: number
  readonly address: string
}

export interface HttpClient {
  /** @throws EgressError */
  readonly send: (spec: HttpSpec, fresh?: boolean) => Promise<Reply>
  /** How often a request will be asked, so that its answer is kept that long. */
  readonly expect: (spec: HttpSpec) => void
  /** Told of every answer that comes, once each; gives what ends it. */
  readonly observe: (watch: (reply: Reply) => void) => () => void
  readonly text: (bytes: string) => Text
  readonly stats: () => ClientStats
}

export interface ClientStats {
  /** Requests that templates named, and those that went out. */
  readonly named: number
  readonly sent: number
  readonly failed: number
  readonly distinctBodies: number
}

const TIMEOUT = 10_000
const MOST_BODY = 4 * 1024 * 1024
/** Bytes of bodies that are kept for later. */
const KEPT_BYTES = 64 * 1024 * 1024
/** Answers that are kept although nobody is known to want them: redirects lead there. */
const RECENT = 128
const INTERNED = 512

export const createHttpClient = (egress: Egress, vocabulary: Vocabulary | null): HttpClient => {
  const wanted = new Map<string, number>()
  const kept = new Map<string, Promise<Reply>>()
  const recent = new Map<string, Promise<Reply>>()
  const bodies = createBodies(vocabulary)
  const watching = new Set<(reply: Reply) => void>()
  const counts = { named: 0, sent: 0, failed: 0 }
  let keptBytes = 0

  const ask = async (spec: HttpSpec): Promise<Reply> => {
    counts.sent += 1
    try {
      const reply = await exchange(egress, spec, bodies.text)
      for (const watch of watching) watch(reply)
      return reply
    } catch (error) {
      counts.failed += 1
      throw error
    }
  }

  const keep = (key: string, reply: Promise<Reply>, left: number): void => {
    if (left > 0) {
      kept.set(key, reply)
      reply.then(
        (got) => {
          keptBytes += got.body.bytes.length
          if (keptBytes > KEPT_BYTES) forget(key, got)
        },
        () => undefined,
      )
    }
    recent.delete(key)
    recent.set(key, reply)
    const [oldest] = recent.keys()
    if (recent.size > RECENT && oldest !== undefined) recent.delete(oldest)
  }
  const forget = (key: string, reply: Reply): void => {
    if (kept.delete(key)) keptBytes -= reply.body.bytes.length
  }

  return {
    expect: (spec) => {
      const key = keyOf(spec)
      wanted.set(key, (wanted.get(key) ?? 0) + 1)
    },
    send: (spec, fresh = false) => {
      counts.named += 1
      if (fresh) return ask(spec)
      const key = keyOf(spec)
      const left = (wanted.get(key) ?? 0) - 1
      wanted.set(key, left)
      const known = kept.get(key) ?? recent.get(key)
      if (known === undefined) {
        const reply = ask(spec)
        keep(key, reply, left)
        return reply
      }
      if (left <= 0)
        known.then(
          (reply) => forget(key, reply),
          () => kept.delete(key),
        )
      return known
    },
    observe: (watch) => {
      watching.add(watch)
      return () => watching.delete(watch)
    },
    text: bodies.text,
    stats: () => ({ ...counts, distinctBodies: bodies.count() }),
  }
}

/** Texts by their hash; the last few hundred are kept. Short ones are not worth it. */
const createBodies = (vocabulary: Vocabulary | null) => {
  const known = new Map<string, Text>()
  let count = 0
  return {
    count: () => count,
    text: (bytes: string): Text => {
      if (bytes.length < 64) return createText(bytes, vocabulary)
      const hash = createHash('sha1').update(bytes, 'latin1').digest('base64')
      const found = known.get(hash)
      if (found !== undefined) {
        known.delete(hash)
        known.set(hash, found)
        return found
      }
      count += 1
      const made = createText(bytes, vocabulary)
      known.set(hash, made)
      const [oldest] = known.keys()
      if (known.size > INTERNED && oldest !== undefined) known.delete(oldest)
      return made
    },
  }
}

const exchange = async (egress: Egress, spec: HttpSpec, text: (bytes: string) => Text): Promise<Reply> => {
  const timeout = spec.timeout ?? TIMEOUT
  // Another name in the TLS hello than that of the host is not what an HTTP client offers.
  if (spec.verbatim !== null || spec.serverName !== null) {
    const place = new URL(spec.origin)
    const bytes = spec.verbatim ?? wholeRequest(spec)
    const { body, duration, ...answer } = await sendVerbatim(egress, place, bytes, timeout, spec.serverName)
    return { ...answer, spec, body: text(body.toString('latin1')), duration: duration / 1_000, address: '' }
  }
  const got = await egress.http({
    method: spec.method,
    url: `${spec.origin}/`,
    target: spec.target,
    // Headers go out as latin1 where they can, so that bytes stay bytes.
    headers: spec.headers,
    ...(spec.body === null ? {} : { body: Buffer.from(spec.body, 'latin1') }),
    timeout,
    maxBody: MOST_BODY,
  })
  return {
    spec,
    status: got.status,
    statusText: got.statusText,
    headers: got.headers,
    body: text(got.body.toString('latin1')),
    duration: got.timing.total / 1_000,
    address: got.address,
  }
}

/** True where asking others makes no sense either: the module is told to stop, or has nothing left to ask with. */
export const isFinal = (error: unknown): boolean =>
  error instanceof EgressError && (error.code === 'aborted' || error.code === 'budget')
