/** A socket as the hub's sink: Server-Sent Events as the HTML standard writes them. */
import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { Sink } from './event-hub.ts'

type ServerResponse = FastifyReply['raw']

/** Milliseconds that a reader may leave its buffer full. */
const SLOW = 30_000

export const openSink = (
  response: ServerResponse,
  about: { readonly runId: string; readonly credential: string; readonly after: number },
  headers: Readonly<Record<string, string>>,
): Sink => {
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  response.write('retry: 3000\n\n')
  const closed = (): boolean => response.destroyed || response.writableEnded
  return {
    ...about,
    closed,
    write: (frames) => void response.write(frames.map(({ text }) => text).join('')),
    full: () => response.writableNeedDrain,
    drained: async () => {
      if (closed()) return false
      if (!response.writableNeedDrain) return true
      return drain(response)
    },
    comment: () => void response.write(': still here\n\n'),
    end: () => void response.end(),
    drop: () => void response.destroy(),
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
