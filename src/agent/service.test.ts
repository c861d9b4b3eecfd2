import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLogger } from '../../tests/support/worker.ts'
import { type Answer, type FakeService, fakeService, problem } from '../cli/testing/fake-service.ts'
import * as agents from '../contract/agent-examples.ts'
import { agentService } from './service.ts'

let service: FakeService
let answers: Answer[]
let logger: ReturnType<typeof silentLogger>
beforeEach(async () => {
  answers = []
  logger = silentLogger()
  service = await fakeService(() => ({ 'GET /v1/agent': () => answers.shift() ?? { json: agents.self } }))
})
afterEach(() => service.close())

const TOKEN = `sonde_agent_${'a'.repeat(40)}`
const asked = (lost: AbortSignal = new AbortController().signal) => {
  const { client, insist } = agentService({ url: service.url, token: TOKEN, logger })
  return insist(() => client.readAgent(), lost)
}

test('what fails for a while is asked again, and told once', async () => {
  answers = [problem(503, 'unavailable', 'away'), { status: 502, text: '<html>', type: 'text/html' }]
  expect((await asked()).agent.name).toBe('warehouse')
  expect(logger.lines.filter((line) => line.includes('cannot be reached'))).toHaveLength(1)
  expect(logger.lines.at(-1)).toMatch(/reached again/)
  expect(logger.lines.join()).not.toContain(TOKEN)
})

test.each([
  ['a lease that is lost', problem(409, 'lease_lost', 'lost')],
  ['a token that is revoked', problem(401, 'unauthenticated', 'revoked')],
])('%s ends it at once', async (_name, answer) => {
  answers = [answer]
  await expect(asked()).rejects.toThrow('The lease was lost')
  expect(service.seen).toHaveLength(1)
})

test('what is refused for what it says is not asked again', async () => {
  answers = [problem(413, 'payload_too_large', 'too large')]
  await expect(asked()).rejects.toThrow('too large')
  expect(service.seen).toHaveLength(1)
})

test('a lost lease ends the waiting, too', async () => {
  const lost = new AbortController()
  answers = Array.from({ length: 50 }, () => problem(503, 'unavailable', 'away'))
  const waiting = asked(lost.signal)
  lost.abort()
  await expect(waiting).rejects.toThrow('The lease was lost')
})
