/** One request and its response on an open connection. */
import type { Socket } from 'node:net'
import { EgressError } from '../door/egress.ts'
import { socketError } from '../sockets/errors.ts'
import { createResponseParser, type ParsedResponse } from './response-parser.ts'

export interface RawExchange {
  readonly response: ParsedResponse
  /** When the first byte came, by performance.now(). */
  readonly firstByteAt: number
  /** Bytes received. */
  readonly received: number
}

/** A failure before any byte of an answer: on a kept connection the peer may simply have closed it. */
export class NoAnswer extends EgressError {}

/**
 * Once the header block is there, nothing fails any more: what came of the body is the answer, `truncated`.
 * The caller keeps or destroys the socket.
 * @throws EgressError
 */
export const exchange = (
  socket: Socket,
  request: { readonly bytes: Buffer; readonly method: string; readonly maxBody: number; readonly what: string },
  signal: AbortSignal,
): Promise<RawExchange> =>
  new Promise((resolve, reject) => {
    const parser = createResponseParser(request)
    let firstByteAt = 0
    let received = 0
    const settle = () => {
      signal.removeEventListener('abort', abort)
      socket.off('data', data).off('error', fail).off('end', end).off('close', end)
    }
    const succeed = () => {
      settle()
      resolve({ response: parser.response(), firstByteAt, received })
    }
    const give = (error: EgressError) => {
      settle()
      const early = received === 0 && (error.code === 'unreachable' || error.code === 'protocol')
      reject(early ? new NoAnswer(error.code, error.message, { cause: error.cause }) : error)
    }
    const fail = (error: Error) => {
      if (parser.started()) succeed()
      else give(socketError(error, request.what))
    }
    const abort = () => {
      const reason: unknown = signal.reason
      // A module that is told to stop wants no half answer; a slow body is one.
      if (parser.started() && reason instanceof EgressError && reason.code === 'timeout') succeed()
      else give(reason instanceof EgressError ? reason : new EgressError('aborted', `${request.what}: stopped`))
    }
    const end = () =>
      guarded(() => {
        parser.end()
        succeed()
      })
    const data = (chunk: Buffer) =>
      guarded(() => {
        if (received === 0) firstByteAt = performance.now()
        received += chunk.length
        if (parser.push(chunk)) succeed()
      })
    const guarded = (step: () => void) => {
      try {
        step()
      } catch (error) {
        const message = `${request.what}: ${error instanceof Error ? error.message : error}`
        give(
          error instanceof EgressError
            ? new EgressError(error.code, message, { cause: error.cause })
            : socketError(error, message),
        )
      }
    }
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.on('data', data).on('error', fail).on('end', end).on('close', end)
    socket.resume()
    socket.write(request.bytes)
  })
