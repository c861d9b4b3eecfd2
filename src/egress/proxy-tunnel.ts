/** Carries a browser's tunnel byte for byte, and counts. */
import type { Duplex } from 'node:stream'
import type { Passage, ProxyParts } from './browser-proxy.ts'

/** Per tunnel and direction; a page that streams without end is cut here. */
const MAX_BYTES = 256 * 1024 * 1024

/** Settles when the tunnel has ended, however it did; the audit entry is written then. */
export const carryTunnel = (client: Duplex, head: Buffer, passage: Passage, parts: ProxyParts): Promise<void> =>
  new Promise((resolve) => {
    const { socket, address, host, port } = passage
    const began = performance.now()
    const counts = { sent: head.length, received: 0 }
    let error: string | undefined
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      client.destroy()
      socket.destroy()
      parts.signal.removeEventListener('abort', end)
      parts.audit({
        event: 'tunnel',
        url: `${host}:${port}`,
        address,
        port,
        bytes: counts.received,
        duration_ms: performance.now() - began,
        detail: `${counts.sent} bytes sent`,
        ...(error === undefined ? {} : { error }),
      })
      resolve()
    }
    const count = (direction: 'sent' | 'received', chunk: Buffer) => {
      counts[direction] += chunk.length
      if (counts[direction] <= MAX_BYTES) return
      error = `cut after ${MAX_BYTES} bytes`
      end()
    }
    client.on('data', (chunk: Buffer) => count('sent', chunk))
    socket.on('data', (chunk: Buffer) => count('received', chunk))
    const fail = (cause: Error) => {
      error ??= cause.message
      end()
    }
    socket.on('error', fail).on('close', end)
    client.on('error', end).on('close', end)
    parts.signal.addEventListener('abort', end, { once: true })
    if (parts.signal.aborted || client.destroyed) {
      end()
      return
    }
    if (head.length > 0) socket.write(head)
    client.pipe(socket)
    socket.pipe(client)
  })
