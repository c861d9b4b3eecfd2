/** A socket as the hub's sink: Server-Sent Events as the HTML standard writes them. */
import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { Frame, Sink } from './event-hub.ts'

type ServerResponse = FastifyReply['raw']

/** Milliseconds that a reader may leave its buffer full. */
const SLOW = 30_000

interface About {
  readonly runId: string
  readonly credential: string
  readonly after: number
}

export const openSink = (response: ServerResponse, about: About, headers: Readonly<Record<string, string>>): Sink => {
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  // Apart from what follows: Node keeps the head as long as the connection, as one text once it was written alone, and else as the
  // fifty pieces of which it was made.
  response.flushHeaders()
  response.write('retry: 3000\n\n')
  return new ResponseSink(response, about)
}

/** Thousands are held at once: what they do is held once, and not by each. */
class ResponseSink implements Sink {
  readonly runId: string
  readonly credential: string
  after: number
  readonly #response: ServerResponse

  constructor(response: ServerResponse, { runId, credential, after }: About) {
    this.#response = response
    this.runId = runId
    this.credential = credential
    this.after = after
  }

  closed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  write(frames: readonly Frame[]): void {
    this.#response.write(frames.map(({ text }) => text).join(''))
  }

  full(): boolean {
    return this.#response.writableNeedDrain
  }

  async drained(): Promise<boolean> {
    if (this.closed()) return false
    return this.full() ? drain(this.#response) : true
  }

  comment(): void {
    this.#response.write(': still here\n\n')
  }

  end(): void {
    this.#response.end()
  }

  drop(): void {
    this.#response.destroy()
  }
}

const drain = async (response: ServerResponse): Promise<boolean> => {
  const waiting = new AbortController()
  const late = setTimeout(() => waiting.abort(), SLOW)
  const { signal } = waiting
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
    return !response.destroyed
  } catch (error) {
    if (signal.aborted) return false
    throw error
  } finally {
    clearTimeout(late)
    // Takes the other listener away.
    waiting.abort()
  }
}
