/** Peers that talk TCP or TLS on one loopback address, and templates asked of them. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { runCase, templateOf } from './template-case.ts'

export const peersAt = (address: string) => {
  const closing: (() => Promise<void>)[] = []
  return {
    /** The port that it listens at. */
    serve: async (talk: (socket: Socket) => void, tls?: TlsOptions): Promise<number> => {
      const sockets = new Set<Socket>()
      const listener = (socket: Socket): void => {
        sockets.add(socket)
        socket.on('error', () => undefined) // The other end may go as it likes.
        talk(socket)
      }
      const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
      server.on('tlsClientError', () => undefined)
      server.listen(0, address)
      await once(server, 'listening')
      closing.push(async () => {
        for (const socket of sockets) socket.destroy()
        server.close()
        await once(server, 'close')
      })
      const bound = server.address()
      return typeof bound === 'object' && bound !== null ? bound.port : 0
    },
    ran: async (yaml: string, port: number) => {
      const outcome = await runCase(templateOf(yaml), { address, port })
      const extracted = outcome.hits.flatMap((hit) => hit.extracted.flatMap(({ values }) => values))
      return { ...outcome, count: outcome.hits.length, extracted }
    },
    close: async (): Promise<void> => {
      for (const close of closing.splice(0).reverse()) await close()
    },
  }
}

let made: { readonly key: string; readonly cert: string } | null = null
/** Key and certificate for *.acme.test in one PEM, signed by itself. */
export const certificate = (): { readonly key: string; readonly cert: string } => {
  if (made) return made
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-set_serial', '0x08BB00EE'],
      ...['-subj', '/C=US/ST=California/L=Sunnyvale/O=Acme/OU=Gate/CN=*.acme.test/emailAddress=a@acme.test'],
      ...['-addext', 'subjectAltName=DNS:*.acme.test,DNS:acme.test', '-keyout', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 },
  )
  made = { key: pem, cert: pem }
  return made
}
