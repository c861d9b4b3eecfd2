/** A request whose bytes go out as they are written, on a connection of its own. */
import type { Duplex } from 'node:stream'
import { type Egress, EgressError, type HeaderPairs } from '../../../egress/door/egress.ts'
import { bufferOf } from '../../language/bytes.ts'

export interface RawAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderPairs
  readonly body: Buffer
  readonly duration: number
}

const MOST = 1024 * 1024
/** Milliseconds of silence after which an answer without a length is whole. */
const QUIET = 1_500

/** @throws EgressError */
export const sendVerbatim = async (
  egress: Egress,
  place: URL,
  request: string,
  timeout: number,
  serverName: string | null,
): Promise<RawAnswer> => {
  const tls = place.protocol === 'https:'
  const began = performance.now()
  const stream = await egress.connect({
    host: place.hostname,
    port: Number(place.port || (tls ? 443 : 80)),
    ...(tls ? { tls: { servername: serverName ?? place.hostname, alpn: ['http/1.1'] } } : {}),
  })
  try {
    stream.write(bufferOf(request))
    const bytes = await readAnswer(stream, timeout)
    return { ...parseAnswer(bytes), duration: performance.now() - began }
  } finally {
    stream.destroy()
  }
}

const readAnswer = (stream: Duplex, timeout: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let quiet: NodeJS.Timeout | null = null
    const finish = (): void => {
      clearTimeout(deadline)
      if (quiet !== null) clearTimeout(quiet)
      stream.off('data', data).off('end', finish).off('close', finish).off('error', fail)
      if (size === 0) reject(new EgressError('protocol', 'closed without an answer'))
      else resolve(Buffer.concat(chunks))
    }
    const fail = (error: Error): void => {
      if (size > 0) finish()
      else {
        finishQuietly()
        reject(new EgressError('unreachable', error.message, { cause: error }))
      }
    }
    const finishQuietly = (): void => {
      clearTimeout(deadline)
      if (quiet !== null) clearTimeout(quiet)
      stream.off('data', data).off('end', finish).off('close', finish).off('error', fail)
    }
    const data = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      if (quiet !== null) clearTimeout(quiet)
      if (size >= MOST || isWhole(Buffer.concat(chunks))) finish()
      else quiet = setTimeout(finish, QUIET)
    }
    const deadline = setTimeout(() => {
      finishQuietly()
      if (size > 0) resolve(Buffer.concat(chunks))
      else reject(new EgressError('timeout', `no answer within ${timeout} ms`))
    }, timeout)
    stream.on('data', data).on('end', finish).on('close', finish).on('error', fail)
  })

const HEAD_END = '\r\n\r\n'

const isWhole = (bytes: Buffer): boolean => {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return false
  const length = /\r\ncontent-length:\s*(\d{1,9})/i.exec(bytes.toString('latin1', 0, end + 2))?.[1]
  if (length !== undefined) return bytes.length >= end + 4 + Number(length)
  return bytes.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n'
}

/** Lenient: what is no HTTP answer is a body without head, so that operators can look at it. */
const parseAnswer = (bytes: Buffer): Omit<RawAnswer, 'duration'> => {
  const end = bytes.indexOf(HEAD_END)
  const head = bytes.toString('latin1', 0, Math.max(end, 0))
  const [line = '', ...lines] = head.split('\r\n')
  const match = /^HTTP\/\d(?:\.\d)? (\d{3})(?: (.*))?$/.exec(line)
  if (!match) return { status: 0, statusText: '', headers: [], body: bytes }
  const headers = lines.flatMap((header) => {
    const colon = header.indexOf(':')
    return colon > 0 ? [[header.slice(0, colon), header.slice(colon + 1).trim()] as const] : []
  })
  const body = bytes.subarray(end + 4)
  const chunked = headers.some(([name, value]) => /^transfer-encoding$/i.test(name) && /chunked/i.test(value))
  return { status: Number(match[1]), statusText: match[2] ?? '', headers, body: chunked ? unchunked(body) : body }
}

const unchunked = (body: Buffer): Buffer => {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end < 0 ? at : end), 16)
    if (end < 0 || !Number.isFinite(size) || size <= 0) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
