/** A server that speaks WebSocket by hand (RFC 6455): what it says by itself, and what it answers to each message. */
import { createHash } from 'node:crypto'
import { type Listening, listen } from './servers.ts'

export interface Talk {
  /** Said as soon as it is open. */
  readonly greeting?: readonly string[]
  /** What is said to a message; one that waits is answered later. */
  readonly answers: (message: string) => readonly string[] | Promise<readonly string[]>
  /** Whether the handshake is taken. */
  readonly takes?: (head: string) => boolean
  /** Told of each message. */
  readonly heard?: (message: string) => void
  /** Told of each that is open: how to say something to it, which says nothing once it has left. */
  readonly joined?: (say: (text: string) => void) => void
  /** Answers what is no handshake; absent where nothing else is asked. */
  readonly page?: (head: string) => string
}

export const talking = (talk: Talk, host?: string, port?: number): Promise<Listening> =>
  listen(
    (socket) => {
      let bytes = Buffer.alloc(0)
      let open = false
      const read = async (chunk: Buffer): Promise<void> => {
        bytes = Buffer.concat([bytes, chunk])
        if (!open) {
          const end = bytes.indexOf('\r\n\r\n')
          if (end < 0) return
          const head = bytes.subarray(0, end).toString('latin1')
          bytes = bytes.subarray(end + 4)
          if (!/^upgrade: websocket$/im.test(head) && talk.page) {
            const page = talk.page(head)
            socket.end(
              `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${Buffer.byteLength(page)}\r\nConnection: close\r\n\r\n${page}`,
            )
            return
          }
          if (talk.takes?.(head) === false)
            return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno')
          open = true
          const opened = Buffer.from(
            `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(head)}\r\n\r\n`,
          )
          // In one write, as a fast server does.
          socket.write(Buffer.concat([opened, ...(talk.greeting ?? []).map(unmasked)]))
          talk.joined?.((text) => {
            if (socket.writable) socket.write(unmasked(text))
          })
        }
        for (let message = take(); message !== null; message = take()) {
          talk.heard?.(message)
          for (const said of await talk.answers(message)) socket.write(unmasked(said))
        }
      }
      const take = (): string | null => {
        if (bytes.length < 6) return null
        // What is no text or a part of one closes it (5.5.1).
        if (((bytes[0] ?? 0) & 0x0f) > 1) {
          socket.end()
          return null
        }
        const short = (bytes[1] ?? 0) & 0x7f
        const [length, head] = short === 126 ? [bytes.readUInt16BE(2), 4] : [short, 2]
        if (bytes.length < head + 4 + length) return null
        const mask = bytes.subarray(head, head + 4)
        const text = Buffer.from(
          bytes.subarray(head + 4, head + 4 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
        ).toString()
        bytes = bytes.subarray(head + 4 + length)
        return text
      }
      let last = Promise.resolve()
      socket.on('data', (chunk) => {
        last = last.then(() => read(chunk))
      })
    },
    host,
    port,
  )

/** Proves that the key of the handshake was read (RFC 6455, 4.2.2). */
const acceptOf = (head: string): string => {
  const key = /^sec-websocket-key: *(\S+)/im.exec(head)?.[1] ?? ''
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
}

const unmasked = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, payload.length])
      : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff])
  return Buffer.concat([head, payload])
}
