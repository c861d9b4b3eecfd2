/** What is sent to a peer whose bytes are no HTTP request: there is no request object yet, only a socket. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ProblemError } from '../contract/problem.ts'
import type { Connections } from './connections.ts'
import { type Limiter, limitHeaders } from './limiter.ts'
import { badRequest, PROBLEM_TYPE, problemDocument, toProblem } from './problems.ts'

/** Milliseconds that earlier requests of the connection get to be answered first. */
const ANSWERS = 5_000
/** Milliseconds that a peer gets to read the answer: closing on unread bytes would reset it away (RFC 9112, 9.6). */
const LINGER = 2_000

export interface SocketAnswers {
  /** For the server's `clientError`. */
  readonly broken: (error: Error & { readonly code?: string }, socket: Socket) => void
  /** Answers and closes. */
  readonly refuse: (problem: ProblemError, socket: Socket) => void
}

export const answerSockets = (
  baseUrl: () => string,
  limiter: Limiter,
  connections: () => Pick<Connections, 'whenAnswered'>,
): SocketAnswers => {
  /** Node reports an error again for every packet behind the first mistake. */
  const answered = new WeakSet<Socket>()

  const refuse = (problem: ProblemError, socket: Socket): void => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    answered.add(socket)
    const requestId = randomUUID()
    const document = problemDocument(problem, requestId, baseUrl())
    const body = JSON.stringify(document)
    const headers = {
      Date: new Date().toUTCString(),
      'Content-Type': PROBLEM_TYPE,
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...limitHeaders([limiter.refusals(socket.remoteAddress ?? '')]),
      ...problem.headers,
      Connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${document.status} \r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    const late = setTimeout(() => socket.destroy(), LINGER)
    socket.once('close', () => clearTimeout(late))
  }

  return {
    refuse,
    broken: (error, socket) => {
      if (answered.has(socket)) return
      // The peer went away, or never said a word: nobody waits for an answer.
      if (error.code === 'ECONNRESET' || socket.bytesRead === 0) {
        socket.destroy()
        return
      }
      answered.add(socket)
      const known = toProblem(error)
      const problem = known.code === 'internal' ? badRequest('is not an HTTP/1.1 request', error) : known
      connections().whenAnswered(socket, ANSWERS, () => refuse(problem, socket))
    },
  }
}
