/** A connection as the hub's sink: Server-Sent Events as the HTML standard writes them. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Frame, Sink } from './event-hub.ts'

type ServerResponse = FastifyReply['raw']

/** Milliseconds that a reader may leave its buffer full. */
const SLOW = 30_000

export interface About {
  readonly runId: string
  readonly credential: string
  readonly after: number
}

type Headers = Readonly<Record<string, string>>

const STREAM: Headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}
const RETRY = 'retry: 3000\n\n'
const COMMENT = Buffer.from(': still here\n\n')

/** Writes the head and the first line. A response keeps its request as long as it is open. */
export const openSink = (response: ServerResponse, about: About, headers: Headers): Sink => {
  response.writeHead(200, { ...headers, ...STREAM })
  // Apart from what follows: Node keeps the head as long as the connection, as one text once it was written alone, and else as the
  // fifty pieces of which it was made.
  response.flushHeaders()
  response.write(RETRY)
  return new ConnectionSink(response, about)
}

/** As `openSink`, of a connection of HTTP/1.1 that nothing else uses any more; see bare-socket.ts. */
export const openSocketSink = (socket: Socket, about: About, headers: Headers): Sink => {
  const lines = Object.entries({
    ...{ ...headers, ...STREAM, Date: new Date().toUTCString() },
    ...{ Connection: 'close', 'Transfer-Encoding': 'chunked' },
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n${framed(Buffer.from(RETRY)).toString('latin1')}`, 'latin1')
  return new SocketSink(socket, about)
}

/** Thousands are held at once: what they do is held once, and not by each. */
class ConnectionSink<Out extends Socket | ServerResponse = ServerResponse> implements Sink {
  readonly runId: string
  readonly credential: string
  after: number
  protected readonly out: Out

  constructor(out: Out, { runId, credential, after }: About) {
    this.out = out
    this.runId = runId
    this.credential = credential
    this.after = after
  }

  closed(): boolean {
    return this.out.destroyed || this.out.writableEnded
  }

  write(frames: readonly Frame[]): void {
    this.out.write(renderedOf(frames).bytes)
  }

  full(): boolean {
    return this.out.writableNeedDrain
  }

  async drained(): Promise<boolean> {
    if (this.closed()) return false
    return this.full() ? drain(this.out) : true
  }

  comment(): void {
    this.out.write(COMMENT)
  }

  end(): void {
    this.out.end()
  }

  drop(): void {
    this.out.destroy()
  }
}

class SocketSink extends ConnectionSink<Socket> {
  override write(frames: readonly Frame[]): void {
    this.out.write(renderedOf(frames).chunk)
  }

  override comment(): void {
    this.out.write(COMMENT_CHUNK)
  }

  override end(): void {
    this.out.end(LAST_CHUNK)
    this.out.destroySoon()
  }
}

/** RFC 9112, 7.1: one chunk. */
const framed = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

const COMMENT_CHUNK = framed(COMMENT)
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

interface Rendered {
  readonly bytes: Buffer
  readonly chunk: Buffer
}

/** Made once for all streams that are handed the same frames; a socket that cannot take it now holds on to the one that all have. */
const rendered = new WeakMap<readonly Frame[], Rendered>()
const renderedOf = (frames: readonly Frame[]): Rendered => {
  const known = rendered.get(frames)
  if (known !== undefined) return known
  const bytes = Buffer.from(frames.map(({ text }) => text).join(''))
  const made = { bytes, chunk: framed(bytes) }
  rendered.set(frames, made)
  return made
}

const drain = async (out: Socket | ServerResponse): Promise<boolean> => {
  const waiting = new AbortController()
  const late = setTimeout(() => waiting.abort(), SLOW)
  const { signal } = waiting
  try {
    await Promise.race([once(out, 'drain', { signal }), once(out, 'close', { signal })])
    return !out.destroyed
  } catch (error) {
    if (signal.aborted) return false
    throw error
  } finally {
    clearTimeout(late)
    // Takes the other listener away.
    waiting.abort()
  }
}
