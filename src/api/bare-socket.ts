/** The connection of an answer that goes on for hours, without what Node keeps of a request for as long as its answer lasts. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The socket without parser, request and response, or null where that cannot be had and the response has to be written to: of a
 * request that has not come whole, of HTTP/1.0, and where another request of the connection waits for its answer. Nothing may have
 * been answered yet. From here on the answer is the socket's, chunks and the end of the connection with it, and what the peer says is
 * dropped.
 */
export const bareSocket = (server: Server, request: IncomingMessage, response: ServerResponse): Socket | null => {
  const { socket } = request
  if (!request.complete || request.httpVersion !== '1.1' || response.socket !== socket || socket.destroyed) return null
  // As long as an earlier answer has not gone out Node has the parser wait, and reading would be an error.
  if (socket.writableNeedDrain) return null
  letGo(server, request)
  // Whoever is not let go of has its response yet: two must not write to one socket.
  if (holdsParser(socket)) return null
  response.detachSocket(socket)
  socket.on('error', ignore)
  socket.on('timeout', cut)
  socket.on('end', hangUp)
  socket.resume()
  return socket
}

/**
 * As of a connection that another protocol takes over: Node frees the parser and takes its listeners away when it has read on a
 * connection whose request is marked so. Reading nothing is enough.
 */
const letGo = (server: Server, request: IncomingMessage & { upgrade?: boolean }): void => {
  server.on('upgrade', ignore)
  request.upgrade = true
  request.socket.emit('data', Buffer.alloc(0))
  // Where it was not let go of, what comes next is read as a request.
  request.upgrade = false
  // What others ask to upgrade is answered as if they had not.
  server.off('upgrade', ignore)
}

const holdsParser = (socket: Socket & { readonly parser?: object | null }): boolean => Boolean(socket.parser)

const ignore = (): void => undefined

function cut(this: Socket): void {
  this.destroy()
}

/** Who has stopped to speak is not there to read, as with every other answer. */
function hangUp(this: Socket): void {
  this.end()
}
