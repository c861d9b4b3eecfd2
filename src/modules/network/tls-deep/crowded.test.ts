/** A server at its limit of connections refuses in clear text: that is no answer about what it offers. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { CASE_ADDRESS, casePair, surveyCase } from './testing/survey-case.ts'

const MOST = 3
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const serve = async (refuse: (socket: Socket) => void, most: number): Promise<number> => {
  const { keyPem, certPem } = casePair('rsa')
  const secure = createTlsServer({ key: keyPem, cert: certPem, ciphers: 'ECDHE+AES:AES', minVersion: 'TLSv1.2' })
  secure.on('tlsClientError', () => undefined)
  let open = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    sockets.add(socket)
    if (open >= most) return refuse(socket)
    open += 1
    // As a process for each connection would: the place is free a moment after its end.
    socket.once('close', () => setTimeout(() => (open -= 1), 20))
    secure.emit('connection', socket)
  })
  server.listen(0, CASE_ADDRESS)
  await once(server, 'listening')
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

it('a server that takes three at once is seen whole', { timeout: 60_000 }, async () => {
  let refused = 0
  const busy = (socket: Socket): void => {
    refused += 1
    socket.end('421 too many concurrent connections\r\n')
  }
  const [free, crowded] = [await serve(busy, 1_000), await serve(busy, MOST)]
  const expected = await surveyCase(free)
  const seen = await surveyCase(crowded)
  expect(refused).toBeGreaterThan(0)
  // As sets: which of two it prefers can stay open where it is asked through a narrow door.
  const shown = (facts: typeof seen) =>
    facts?.protocols.map(({ protocol, state, suites, complete }) => ({
      ...{ protocol, state, complete },
      suites: suites.toSorted((a, b) => a - b),
    }))
  expect(shown(seen)).toEqual(shown(expected))
})
