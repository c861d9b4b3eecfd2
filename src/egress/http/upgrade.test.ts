import { afterEach, expect, test } from 'vitest'
import { answering, type Listening, openBench } from '../testing/servers.ts'

let listening: Listening | null = null
afterEach(async () => listening?.close())

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
const asked = async (headers: readonly (readonly [string, string])[]) => {
  listening = await answering(`${SWITCHED}frames`)
  const { run, egress } = openBench()
  const answer = await egress.http({ url: `http://site.test:${listening.port}/live`, headers, timeout: 400 })
  await run.close()
  return answer
}

test('what comes after another protocol was asked for and taken is the body, for as long as one listens', async () => {
  const { status, body, truncated } = await asked([
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
  ])
  expect([status, body.toString('latin1'), truncated]).toEqual([101, 'frames', true])
})

test('who has not asked for one waits for nothing', async () => {
  const { status, body } = await asked([])
  expect([status, body.length]).toEqual([101, 0])
})
