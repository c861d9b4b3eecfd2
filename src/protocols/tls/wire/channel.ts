/** One connection to the target, read as raw octets or as records, with a deadline on every wait and a cap on what is kept. */
import type { Duplex } from 'node:stream'
import { parseRecord, type RecordEvent } from './record.ts'

export type Ended =
  | { readonly kind: 'closed'; readonly reset: boolean }
  | { readonly kind: 'timeout' }
  /** What came is no TLS; the first octets of it. */
  | { readonly kind: 'garbage'; readonly start: Buffer }

export interface Channel {
  readonly write: (bytes: Buffer) => void
  /** @param until by the clock of performance.now() */
  readonly record: (until: number) => Promise<RecordEvent | Ended>
  /** Waits until `size` says how many octets belong together, then takes them. */
  readonly take: (size: (buffered: Buffer) => number | null, until: number) => Promise<Buffer | Ended>
  readonly close: () => void
}

/** More than any flight of a server needs; a server that sends on is cut off. */
const MOST_BUFFERED = 256 * 1024

export const createChannel = (stream: Duplex): Channel => {
  let chunks: Buffer[] = []
  let buffered = 0
  let ended: Ended | null = null
  let wake: (() => void) | null = null
  const stir = () => {
    const waiting = wake
    wake = null
    waiting?.()
  }
  const end = (reset: boolean) => {
    ended ??= { kind: 'closed', reset }
    stir()
  }
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    buffered += chunk.length
    if (buffered > MOST_BUFFERED) stream.pause()
    stir()
  })
  stream.on('end', () => end(false))
  stream.on('error', () => end(true))
  stream.on('close', () => end(false))

  const all = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)]
    return chunks[0] ?? Buffer.alloc(0)
  }
  const drop = (octets: number) => {
    const rest = all().subarray(octets)
    chunks = rest.length > 0 ? [rest] : []
    buffered = rest.length
    if (buffered <= MOST_BUFFERED && stream.isPaused()) stream.resume()
  }
  const change = (until: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          wake = null
          resolve(false)
        },
        Math.max(0, until - performance.now()),
      )
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })

  /** Octet by octet senders renew no deadline: `until` is one point in time. */
  const waitFor = async <T>(find: (input: Buffer) => T | null, until: number): Promise<T | Ended> => {
    for (;;) {
      const found = find(all())
      if (found !== null) return found
      if (ended) return ended
      if (buffered > MOST_BUFFERED) return { kind: 'garbage', start: Buffer.from(all().subarray(0, 64)) }
      if (performance.now() >= until || !(await change(until))) return ended ?? { kind: 'timeout' }
    }
  }

  return {
    write: (bytes) => {
      if (!stream.destroyed && stream.writable) stream.write(bytes)
    },
    record: async (until) => {
      const found = await waitFor(parseRecord, until)
      if (found === 'garbage') return { kind: 'garbage', start: Buffer.from(all().subarray(0, 64)) }
      if ('kind' in found) return found
      drop(found.size)
      return found.event
    },
    take: async (size, until) => {
      const found = await waitFor((input) => {
        const octets = size(input)
        return octets === null || input.length < octets ? null : { octets }
      }, until)
      if ('kind' in found) return found
      const taken = Buffer.from(all().subarray(0, found.octets))
      drop(found.octets)
      return taken
    },
    close: () => {
      stream.destroy()
    },
  }
}

export const isEnded = <Got extends Buffer | RecordEvent>(value: Got | Ended): value is Ended =>
  !Buffer.isBuffer(value) && value.kind !== 'record'
