/**
 * Reads one HTTP/1.x response from bytes as they come (RFC 9112), bounded in every part and forgiving as browsers are:
 * bare LF, a missing reason, folded headers, lengths that lie and bodies that end early are read, not refused.
 */
import { EgressError, type HeaderPairs } from '../door/egress.ts'

export interface ResponseParser {
  /** True when the response is whole (or has reached its cap): no more bytes are wanted. */
  readonly push: (chunk: Buffer) => boolean
  /** The peer closed. @throws EgressError when there is no response to speak of */
  readonly end: () => void
  /** True once the header block is read. */
  readonly started: () => boolean
  /** What was read so far. Only after `started`. */
  readonly response: () => ParsedResponse
}

export interface ParsedResponse {
  readonly httpVersion: string
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderPairs
  /** As on the wire, without the chunk framing. */
  readonly body: Buffer
  /** The body is not whole: the cap, an early end, or broken framing. */
  readonly truncated: boolean
  /** The connection stands at the start of a next response. */
  readonly reusable: boolean
}

export const MAX_HEAD = 64 * 1024
const MAX_INTERIM = 8
const MAX_CHUNK_LINE = 1024

type Framing = 'none' | 'length' | 'chunked' | 'close'

/** @throws EgressError protocol from `push`, where the bytes are no HTTP response or the header block has no end */
export const createResponseParser = (options: {
  readonly method: string
  readonly maxBody: number
  /** It asked for another protocol: what comes in that, until the connection ends, is the body of a 101. Default false. */
  readonly upgrades?: boolean
}): ResponseParser => {
  const head = createHead()
  const body = createBody(options.maxBody)
  let interim = 0
  let parsed: Head | null = null
  let framing: Framing = 'none'
  let length = 0
  let chunks: ChunkReader | null = null
  let whole = false
  let broken = false
  let surplus = false

  const begin = (found: Head): void => {
    parsed = found
    framing = found.status === 101 && options.upgrades === true ? 'close' : framingOf(found, options.method)
    if (framing === 'length') length = contentLength(found.headers) ?? 0
    if (framing === 'chunked') chunks = createChunkReader(body)
    if (framing === 'none' || (framing === 'length' && length === 0)) whole = true
  }

  const readBody = (chunk: Buffer): boolean => {
    if (whole) {
      surplus ||= chunk.length > 0
      return true
    }
    if (framing === 'close') body.add(chunk)
    else if (framing === 'length') {
      const wanted = chunk.subarray(0, length - body.seen())
      body.add(wanted)
      whole = body.seen() >= length
      surplus = wanted.length < chunk.length
    } else if (chunks) {
      const state = chunks.push(chunk)
      whole = state === 'end'
      broken = state === 'broken'
      surplus = chunks.surplus()
    }
    return whole || broken || body.full()
  }

  return {
    started: () => parsed !== null,
    push: (chunk) => {
      let rest: Buffer | null = chunk
      while (parsed === null && rest !== null) {
        rest = head.push(rest)
        if (rest === null) return false
        const found = parseHead(head.take())
        if (found.status >= 200 || found.status === 101) begin(found)
        else if (++interim > MAX_INTERIM) throw new EgressError('protocol', 'interim responses without end')
      }
      return rest === null ? false : readBody(rest)
    },
    end: () => {
      if (parsed === null) {
        throw new EgressError(
          'protocol',
          head.size() > 0 ? 'closed within the header block' : 'closed without an answer',
        )
      }
      if (framing === 'close') whole = true
    },
    response: () => {
      if (parsed === null) throw new EgressError('protocol', 'no response yet')
      const truncated = body.cut() || !whole
      return {
        ...parsed,
        body: body.bytes(),
        truncated,
        reusable: whole && !truncated && !surplus && framing !== 'close' && persists(parsed),
      }
    },
  }
}

interface Head {
  readonly httpVersion: string
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderPairs
}

/** First value of a header, '' when absent. Name in lower case. */
export const headerOf = (headers: HeaderPairs, name: string): string =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1] ?? ''

const allOf = (headers: HeaderPairs, name: string): string[] =>
  headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value)

/** RFC 9112, 6.3. Several or unreadable lengths are read as browsers read them: the first, or to the end. */
const framingOf = (head: Head, method: string): Framing => {
  const { status, headers } = head
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 'none'
  const coding = allOf(headers, 'transfer-encoding').join(',').toLowerCase()
  if (/(^|,)\s*chunked\s*$/.test(coding)) return 'chunked'
  if (coding !== '') return 'close'
  return contentLength(headers) === null ? 'close' : 'length'
}

const contentLength = (headers: HeaderPairs): number | null => {
  const text = headerOf(headers, 'content-length').split(',')[0]?.trim() ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

const persists = ({ httpVersion, status, headers }: Head): boolean => {
  const options = allOf(headers, 'connection')
    .join(',')
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
  if (status === 101 || options.includes('close')) return false
  // Two lengths, or a length beside chunks: nobody can say where the next response begins (RFC 9112, 6.3).
  const lengths = allOf(headers, 'content-length').length
  if (lengths > 1 || (lengths === 1 && allOf(headers, 'transfer-encoding').length > 0)) return false
  return httpVersion === '1.1' || options.includes('keep-alive')
}

const parseHead = (bytes: Buffer): Head => {
  const lines = bytes.toString('latin1').split(/\r?\n/)
  const first = lines.shift() ?? ''
  const match = /^HTTP\/(\d(?:\.\d)?)[ \t]+(\d{3})(?:[ \t]+(.*))?$/i.exec(first)
  if (!match) {
    const seen = JSON.stringify(first.slice(0, 60))
    throw new EgressError('protocol', `not an HTTP answer: it begins with ${seen}`)
  }
  const headers: [string, string][] = []
  for (const line of lines) {
    const last = headers.at(-1)
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`.trim()
    else {
      const colon = line.indexOf(':')
      if (colon > 0) headers.push([line.slice(0, colon).trimEnd(), line.slice(colon + 1).trim()])
    }
  }
  return { httpVersion: match[1] ?? '', status: Number(match[2]), statusText: (match[3] ?? '').trim(), headers }
}

/** Collects bytes up to the first empty line. Linear even when they come one by one. */
const createHead = () => {
  let bytes = Buffer.allocUnsafe(4096)
  let used = 0
  let total = 0
  let line = 0
  return {
    size: () => used,
    /** The bytes after the block, or null when it is not complete. */
    push: (chunk: Buffer): Buffer | null => {
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0
        if (byte === LF && line === 0 && used > 0) return chunk.subarray(at + 1)
        if (++total > MAX_HEAD) throw new EgressError('protocol', `header block over ${MAX_HEAD} bytes`)
        if (byte === LF) line = 0
        else if (byte !== CR) line += 1
        // Empty lines before the status line are skipped (RFC 9112, 2.2).
        if (used === 0 && line === 0) continue
        if (used === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
        bytes[used++] = byte
      }
      return null
    },
    /** The block read, and room for the next. */
    take: (): Buffer => {
      const block = Buffer.from(bytes.subarray(0, used))
      used = 0
      line = 0
      return block
    },
  }
}

const createBody = (max: number) => {
  const parts: Buffer[] = []
  let kept = 0
  let seen = 0
  return {
    add: (chunk: Buffer) => {
      seen += chunk.length
      const part = chunk.subarray(0, max - kept)
      if (part.length > 0) parts.push(part)
      kept += part.length
    },
    seen: () => seen,
    full: () => kept >= max && seen > max,
    cut: () => seen > kept,
    bytes: () => Buffer.concat(parts, kept),
  }
}

interface ChunkReader {
  readonly push: (chunk: Buffer) => 'more' | 'end' | 'broken'
  readonly surplus: () => boolean
}

/** RFC 9112, 7.1. Extensions and trailers are read and dropped. */
const createChunkReader = (body: {
  readonly add: (chunk: Buffer) => void
  readonly full: () => boolean
}): ChunkReader => {
  let state: 'size' | 'data' | 'after' | 'trailer' = 'size'
  let line = ''
  let left = 0
  let trailer = 0
  let surplus = false

  const endOfLine = (): 'more' | 'end' | 'broken' => {
    const text = line
    line = ''
    if (state === 'after') {
      state = 'size'
      return text === '' ? 'more' : 'broken'
    }
    if (state === 'trailer') return text === '' ? 'end' : 'more'
    const size = /^[ \t]*([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(text)?.[1]
    if (size === undefined) return 'broken'
    left = Number.parseInt(size, 16)
    state = left === 0 ? 'trailer' : 'data'
    return 'more'
  }

  return {
    surplus: () => surplus,
    push: (chunk) => {
      let at = 0
      while (at < chunk.length) {
        if (body.full()) return 'more'
        if (state === 'data') {
          const part = chunk.subarray(at, at + left)
          body.add(part)
          at += part.length
          left -= part.length
          if (left === 0) state = 'after'
          continue
        }
        const feed = chunk.indexOf(LF, at)
        const piece = chunk.toString('latin1', at, feed < 0 ? chunk.length : feed)
        line += piece
        if (state === 'trailer') trailer += piece.length + 1
        if (line.length > MAX_CHUNK_LINE || trailer > MAX_HEAD) return 'broken'
        if (feed < 0) return 'more'
        at = feed + 1
        line = line.replace(/\r$/, '')
        const result = endOfLine()
        if (result === 'end') surplus = at < chunk.length
        if (result !== 'more') return result
      }
      return 'more'
    },
  }
}

const LF = 10
const CR = 13
