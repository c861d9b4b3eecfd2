import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readFlight } from '../../../protocols/tls/wire/flight.ts'
import { surveyEndpoint } from './survey.ts'
import { startFake } from './testing/fake-server.ts'
import { CASE_ADDRESS, casePair, caseProber } from './testing/survey-case.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const serve = async (behave: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    behave(socket)
  })
  server.listen(0, CASE_ADDRESS)
  await once(server, 'listening')
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

const dripping = (bytes: Buffer) => (socket: Socket) => {
  let at = 0
  const timer = setInterval(() => socket.write(bytes.subarray(at % bytes.length, (at++ % bytes.length) + 1)), 100)
  socket.once('close', () => clearInterval(timer))
}

const flooding = (bytes: Buffer) => (socket: Socket) => {
  const push = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', push).resume()
  push()
}

const garbage = Buffer.alloc(64 * 1024, 0xee)
const endlessHandshake = Buffer.concat([Buffer.from('160303400002ffffff', 'hex'), Buffer.alloc(0x4000 - 4)])
const warnings = Buffer.from('15030300020170'.repeat(2_000), 'hex')

/** Milliseconds that one question may take, two tries of it included, with room for a busy machine. */
const BOUND = 14_000

const HOSTILE: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['accepts and never speaks', () => undefined],
  ['closes at once', (socket) => socket.end()],
  ['resets at once', (socket) => socket.resetAndDestroy()],
  ['one octet at a time', dripping(Buffer.from('16030300ff02', 'hex'))],
  ['garbage without end', flooding(garbage)],
  ['a handshake message that never ends', flooding(endlessHandshake)],
  ['warnings without end', flooding(warnings)],
  ['a record that is too long', (socket) => socket.write(Buffer.from('160303ffff', 'hex'))],
  ['a hello that is cut', (socket) => socket.write(Buffer.from('1603030006020000020303', 'hex'))],
]

describe('hostile servers', () => {
  it.each(HOSTILE)('%s', { timeout: 30_000 }, async (_name, behave) => {
    const port = await serve(behave)
    const { prober, close } = caseProber(port)
    cleanups.push(close)
    const before = process.memoryUsage().rss
    const began = performance.now()
    expect(await surveyEndpoint(prober, () => undefined)).toBeNull()
    expect(performance.now() - began).toBeLessThan(BOUND)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20)
  })

  it('keeps what it has when the endpoint runs out of time', { timeout: 30_000 }, async () => {
    const fake = await startFake(CASE_ADDRESS, casePair(), { heartbeat: 'sound' })
    cleanups.push(fake.close)
    const { prober, close } = caseProber(fake.port, 'https', 2)
    cleanups.push(close)
    const began = performance.now()
    const facts = await surveyEndpoint(prober, () => undefined)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(facts?.protocols.some((one) => one.state === 'offered')).toBe(true)
  })

  it('gives each wait one end, however the octets trickle', async () => {
    const port = await serve(dripping(Buffer.from('1603030040', 'hex')))
    const { prober, close } = caseProber(port)
    cleanups.push(close)
    const began = performance.now()
    const flight = await prober.converse((channel) => readFlight(channel, prober.deadline(500), true))
    expect(flight?.end.kind).toBe('timeout')
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
