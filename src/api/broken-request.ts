/** What is sent to a peer whose bytes are no HTTP request: there is no request object yet, only a socket. */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { type Limiter, limitHeaders } from './limiter.ts'
import { badRequest, PROBLEM_TYPE, problemDocument, toProblem } from './problems.ts'

/** As much of a TCP socket as is needed here. */
type Socket = Duplex & { readonly remoteAddress?: string | undefined; readonly bytesWritten: number }

export const answerBrokenRequest = (
  error: Error & { readonly code?: string },
  socket: Socket,
  baseUrl: string,
  limiter: Limiter,
): void => {
  // The peer went away, or an answer is already under way on this connection.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const known = toProblem(error)
  const problem = known.code === 'internal' ? badRequest('is not an HTTP/1.1 request', error) : known
  const requestId = randomUUID()
  const document = problemDocument(problem, requestId, baseUrl)
  const body = JSON.stringify(document)
  const headers = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    ...limitHeaders([limiter.peek(socket.remoteAddress ?? '')]),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${document.status} \r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
