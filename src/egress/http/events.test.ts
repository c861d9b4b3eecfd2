/** A stream of events has no end, and whoever reads one must not wait for it. */
import { expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'

const { bench, raw } = benches()

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n'

/** What is read of a server that says this and then keeps silent for ever. */
const read = async (said: string, headers: readonly (readonly [string, string])[] = [], timeout = 30_000) => {
  const server = await raw((socket) => void socket.once('data', () => socket.write(said)))
  const { body, truncated } = await bench().egress.http({ url: `http://site.test:${server.port}/`, headers, timeout })
  return [body.toString(), truncated]
}

test.each([
  ['the first event', ': hello\n\nevent: count\ndata: {"open": 3}\n\n'],
  ['a first event of two lines', 'data: a\r\ndata: b\r\n\r\n'],
  ['nothing, where nothing is said', ''],
])(
  'is read as far as %s',
  async (_name, said) => {
    expect(await read(HEAD + said)).toEqual([said, true])
  },
  5_000,
)

test('is heard to the end of the time by who asks for events', async () => {
  expect(await read(`${HEAD}data: a\n\n`, [['Accept', 'text/event-stream']], 1_500)).toEqual(['data: a\n\n', true])
})

test('another answer that pauses is read on', async () => {
  let goOn = (): void => undefined
  const server = await raw((socket) => {
    socket.once('data', (asked) => {
      // Whoever asks for the rest comes when the first part has been read.
      if (asked.includes('GET /rest')) {
        goOn()
        return socket.end('HTTP/1.1 204 No Content\r\n\r\n')
      }
      goOn = () => void socket.write('later')
      return socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\ndata: a\n\n', () =>
        begun.resolve(),
      )
    })
  })
  const begun = Promise.withResolvers<void>()
  const { egress } = bench()
  const answer = egress.http({ url: `http://site.test:${server.port}/` })
  await begun.promise
  await egress.http({ url: `http://site.test:${server.port}/rest` })
  expect((await answer).body.toString()).toBe('data: a\n\nlater')
})
