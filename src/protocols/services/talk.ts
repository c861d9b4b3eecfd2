/**
 * A short conversation with one port: bytes out, bytes in, each wait with an end and everything received with a bound,
 * so that a peer which never speaks, speaks one byte a second or never stops costs a deadline and 64 KiB at most.
 */
import type { Egress } from '../../egress/door/egress.ts'

/** One message of an exchange, base64, at most 4 KiB of it kept. */
export interface Said {
  readonly from: 'us' | 'peer'
  readonly bytes: string
  readonly size: number
}

export interface Talk {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  /** The server certificate is not looked at here; that is the tls module's matter. */
  readonly send: (bytes: Uint8Array | string) => void
  /**
   * What came since the last read, as soon as `enough` says so; what there is after `wait` ms, a closed connection or
   * 64 KiB otherwise. Empty when nothing came.
   */
  readonly read: (enough?: (bytes: Buffer) => boolean, wait?: number) => Promise<Buffer>
  readonly said: () => readonly Said[]
  readonly end: () => void
}

/** Milliseconds. */
export const ANSWER_WAIT = 2_500
const LONGEST_WAIT = 5_000
const TALK_SECONDS = 8
const CONNECT_WAIT = 3_000
const MOST_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024
/** Without a rule for what is enough, silence of this length after some bytes is the end of an answer. */
const QUIET = 120

export interface TalkTarget {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  /** Milliseconds that any one answer may take at most. */
  readonly patience?: number
}

/** @throws EgressError */
export const openTalk = async (egress: Pick<Egress, 'connect'>, target: TalkTarget): Promise<Talk> => {
  const { host, port, secure, patience = LONGEST_WAIT } = target
  const stream = await egress.connect({
    host,
    port,
    timeout: Math.min(CONNECT_WAIT, patience),
    ...(secure ? { tls: {} } : {}),
  })
  const said: Said[] = []
  const until = performance.now() + TALK_SECONDS * 1000
  let unread: Buffer[] = []
  let unreadSize = 0
  let total = 0
  let over = false
  let wake: () => void = () => undefined
  stream.on('data', (chunk: Buffer) => {
    total += chunk.length
    unread.push(chunk)
    unreadSize += chunk.length
    if (total >= MOST_BYTES) {
      over = true
      stream.destroy()
    }
    wake()
  })
  const closed = (): void => {
    over = true
    wake()
  }
  stream.on('end', closed).on('close', closed).on('error', closed)

  const note = (from: Said['from'], bytes: Buffer): void => {
    const kept = said.reduce((sum, { bytes: text }) => sum + text.length * 0.75, 0)
    if (bytes.length > 0 && said.length < 24) {
      const room = Math.max(0, Math.floor(KEPT_BYTES * 2 - kept))
      said.push({ from, bytes: bytes.subarray(0, Math.min(KEPT_BYTES, room)).toString('base64'), size: bytes.length })
    }
  }

  return {
    host,
    port,
    secure,
    said: () => said,
    send: (bytes) => {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
      note('us', buffer)
      if (!over) stream.write(buffer)
    },
    read: async (enough, wait = ANSWER_WAIT) => {
      const deadline = Math.min(until, performance.now() + Math.min(wait, patience))
      for (;;) {
        const bytes = Buffer.concat(unread)
        unread = [bytes]
        const now = performance.now()
        if (over || now >= deadline || (enough ? enough(bytes) : false)) break
        const left = deadline - now
        const before = unreadSize
        const pause = !enough && bytes.length > 0 ? Math.min(QUIET, left) : left
        await woken(pause, (ready) => {
          wake = ready
        })
        if (!enough && bytes.length > 0 && unreadSize === before) break
      }
      const bytes = Buffer.concat(unread)
      unread = []
      unreadSize = 0
      note('peer', bytes)
      return bytes
    },
    end: () => {
      stream.destroy()
    },
  }
}

/** Resolves when woken, or after so many milliseconds. */
const woken = (milliseconds: number, arm: (ready: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(1, milliseconds))
    arm(() => {
      clearTimeout(timer)
      resolve()
    })
  })

/** The bytes end with a whole line. */
export const aLine = (bytes: Buffer): boolean => bytes.includes(0x0a)

/** At least so many bytes. */
export const atLeast =
  (size: number) =>
  (bytes: Buffer): boolean =>
    bytes.length >= size

/** Bytes as latin1 text, so that patterns see every byte as one character. */
export const textOf = (bytes: Buffer): string => bytes.toString('latin1')
