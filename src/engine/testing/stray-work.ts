/** A process with the last wall and work of several kinds in it; says as one line of JSON what became of each. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { raiseLastWall, Stray, warded } from '../last-wall.ts'

const told: (string | null)[] = []
raiseLastWall((name) => told.push(name))

const server = createServer((socket) => socket.on('error', () => undefined).resetAndDestroy()).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as { port: number }

const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  healthy: () => delay(400, 'done'),
  timer: async () => {
    setTimeout(() => {
      throw new Error('timer')
    }, 20)
    await delay(60_000)
  },
  forgotten: async () => {
    void delay(20).then(() => {
      throw new Error('forgotten')
    })
    await delay(60_000)
  },
  // Nobody listens for its error.
  socket: async () => {
    connect(port, '127.0.0.1')
    await delay(60_000)
  },
  callback: async () => {
    process.nextTick(() => {
      throw new Error('callback')
    })
    await delay(60_000)
  },
  text: async () => {
    setTimeout(() => {
      throw 'text' as unknown as Error
    }, 20)
    await delay(60_000)
  },
  'after its end': async () => {
    setTimeout(() => {
      throw new Error('late')
    }, 100)
    return 'done'
  },
  rejecting: () => Promise.reject(new Error('in the open')),
}

const ends = Object.entries(WORK).map(async ([name, work]) => {
  try {
    return [name, await warded(name, work)] as const
  } catch (error) {
    return [name, error instanceof Stray ? `stray: ${error.message}` : `rejected: ${(error as Error).message}`] as const
  }
})
const became = Object.fromEntries(await Promise.all(ends))
setTimeout(() => {
  throw new Error('of nobody')
}, 1)
await delay(300)
process.stdout.write(`${JSON.stringify({ became, told: told.map(String).toSorted() })}\n`)
process.exit(0)
