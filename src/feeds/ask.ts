/**
 * One request over HTTP whose answer is read as slowly as it can be kept. By Node's own client: `fetch` of the Node that the product
 * brings ends the whole process where a server closes while the body waits for the disk (nodejs/undici#5360).
 */
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secured } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'

export interface Answered {
  readonly status: number
  /** By name in lower case. */
  readonly header: (name: string) => string | null
  readonly body: Readable
  /** Where it came from, after all redirects. */
  readonly url: string
}

const MOST_REDIRECTS = 10
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Milliseconds for a name and a connection. */
const CONNECT = 10_000

/** Follows redirects, also to another host. Rejects with the error of the connection, or with the signal's reason. */
export const ask = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answered> => {
  let here = new URL(url)
  for (let turn = 0; turn <= MOST_REDIRECTS; turn += 1) {
    const answer = await once(here, headers, signal)
    const { statusCode: status = 0, headers: said } = answer
    const to = said.location
    if (!REDIRECTS.has(status) || to === undefined) {
      const header = (name: string): string | null => {
        const value = said[name]
        return Array.isArray(value) ? value.join(', ') : (value ?? null)
      }
      return { status, header, body: decoded(answer), url: here.href }
    }
    answer.destroy()
    here = new URL(to, here)
  }
  throw new Error(`it is redirected more than ${MOST_REDIRECTS} times`)
}

const once = (url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secured : plain
    const sent = send(url, { headers: { 'user-agent': 'sonde', ...headers }, signal })
    const late = setTimeout(
      () => sent.destroy(Object.assign(new Error('no connection within 10 s'), { code: 'ETIMEDOUT' })),
      CONNECT,
    )
    sent.once('socket', (socket) => {
      if (!socket.connecting) return clearTimeout(late)
      socket.once('connect', () => clearTimeout(late))
    })
    sent.once('close', () => clearTimeout(late))
    sent.once('error', (error) => reject(signal.aborted ? signal.reason : error))
    sent.once('response', (answer) => {
      // What breaks before the body is read is told to whoever reads it then.
      answer.on('error', () => undefined)
      resolve(answer)
    })
    sent.end()
  })

/** Of a coding that was not asked for, what it stands for. */
const decoded = (answer: IncomingMessage): Readable => {
  const coding = answer.headers['content-encoding']?.toLowerCase()
  const open =
    coding === 'gzip' || coding === 'x-gzip' ? createGunzip() : coding === 'br' ? createBrotliDecompress() : null
  if (open === null) return answer
  answer.once('error', (error) => open.destroy(error))
  open.on('error', () => undefined)
  return answer.pipe(open)
}
