import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { freeNetwork } from './testbed.ts'

/** As the system answers an ordinary user who asks for a port below 1024, whoever has it. */
const reserved = vi.hoisted(() => ({ on: false }))
vi.mock('node:net', async (original) => {
  const net = await original<typeof import('node:net')>()
  const { EventEmitter } = await import('node:events')
  const refusing = () => {
    const server = new EventEmitter()
    const refuse = () => server.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' }))
    return Object.assign(server, { listen: () => void setImmediate(refuse) })
  }
  const createServer = (...options: []) => (reserved.on ? refusing() : net.createServer(...options))
  return { ...net, createServer, default: { ...net, createServer } }
})

const NETWORK = `127.${60 + (process.pid % 40)}.${(process.pid >> 8) % 256}`
const OTHER = NETWORK.replace('127.', '127.1')
let taken: Server | null = null
afterEach(() => {
  taken?.close()
  reserved.on = false
})
const take = async (address: string, port: number): Promise<void> => {
  taken = createServer().listen(port, address)
  await once(taken, 'listening')
}

describe.each([
  ['who may have the usual ports', false],
  ['who may not', true],
])('the demo shop of one %s', (_, ordinary) => {
  test.each([
    ['9', 80],
    ['10', 443],
  ])('is not put beside what answers at .%s port %i: the scan would not tell them apart', async (last, port) => {
    await take(`${NETWORK}.${last}`, port)
    reserved.on = ordinary
    expect(await freeNetwork([NETWORK, OTHER])).toBe(OTHER)
  })

  test('is not started where somebody answers everywhere, as a server that listens at every address does', async () => {
    await take(`${NETWORK}.9`, 443)
    reserved.on = ordinary
    await expect(freeNetwork([NETWORK])).rejects.toThrow(/port 80 or 443 at every address.*"sonde serve"/)
  })

  test('is put where nobody answers', async () => {
    reserved.on = ordinary
    expect(await freeNetwork([NETWORK])).toBe(NETWORK)
  })
})
