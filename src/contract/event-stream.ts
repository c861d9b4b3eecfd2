/** Reading a run's Server-Sent Events with the typed client, resuming after every break. */
import { ApiError, type Client } from './client-core.ts'
import type { EventType, RunEvent } from './event.ts'
import { sleep } from './sleep.ts'

/** Not from the schemas: the web application reads streams without loading them. */
const KNOWN = { progress: true, audit: true, done: true } as const satisfies Record<EventType, true>

export interface WatchOptions {
  /** Sequence number to go on after. Default 0: from the beginning. */
  readonly after?: number
  readonly signal?: AbortSignal
  /** Breaks in a row without one event between them, after which the last error is thrown. Default 30: about five minutes. */
  readonly attempts?: number
  /** Milliseconds to wait after a break, twice as long after each in a row, 10,000 at most. Default 1,000. */
  readonly pause?: number
}

/** A service that is brought up to date is away for some minutes; whoever watches goes on where it was. */
const ATTEMPTS = 30
const PAUSE = 1_000
const LONGEST_PAUSE = 10_000

/** Every event of a run once and in order, `done` last. Reconnects with Last-Event-ID; a refusal (4xx) is thrown at once. */
export async function* watchScan(client: Client, id: string, options: WatchOptions = {}): AsyncGenerator<RunEvent> {
  let after = options.after ?? 0
  const { attempts = ATTEMPTS, pause = PAUSE } = options
  let left = attempts
  while (true) {
    try {
      for await (const event of readOnce(client, id, after, options.signal)) {
        after = event.seq
        left = attempts
        yield event
        if (event.type === 'done') return
      }
      left -= 1
      if (left <= 0) throw new Error('The stream ends again and again without a done event')
    } catch (error) {
      left -= 1
      if (options.signal?.aborted || left <= 0) throw error
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error
    }
    await sleep(Math.min(LONGEST_PAUSE, pause * 2 ** (attempts - left - 1)), options.signal)
  }
}

async function* readOnce(client: Client, id: string, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent> {
  const response = await client.request('streamScan', {
    params: { id },
    headers: { accept: 'text/event-stream', 'last-event-id': String(after) },
    ...(signal ? { signal } : {}),
  })
  if (response.body === null) return
  for await (const block of blocks(response.body)) {
    const event = parseBlock(block)
    if (event !== null) yield event
  }
}

/** Longest event that is believed; an audit line is a few kilobytes. */
const MAX_BLOCK = 1 << 20

/** Of a stream of Server-Sent Events, one after the other. @throws where one has no end */
export async function* blocks(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of texts(body)) {
    text += chunk
    let end = text.indexOf('\n\n')
    while (end >= 0) {
      yield text.slice(0, end)
      text = text.slice(end + 2)
      end = text.indexOf('\n\n')
    }
    if (text.length > MAX_BLOCK) throw new Error('The stream sends an event without end')
  }
}

/** By a reader: not every browser iterates over a stream. */
async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield decoder.decode(read.value, { stream: true })
    }
  } finally {
    await reader.cancel()
  }
}

/** Null for comments and for event types of a later version. */
export const parseBlock = (block: string): RunEvent | null => {
  const fields = fieldsOf(block)
  const type = fields.get('event')
  const seq = Number(fields.get('id'))
  const data = fields.get('data')
  if (type === undefined || data === undefined || !Number.isSafeInteger(seq) || !Object.hasOwn(KNOWN, type)) {
    return null
  }
  return { seq, type, data: JSON.parse(data) } as RunEvent & { type: EventType }
}

/** What an event says, by the names of its fields; each stands once in ours. */
export const fieldsOf = (block: string): ReadonlyMap<string, string> =>
  new Map(block.split('\n').map((line) => split(line)))

const split = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}
