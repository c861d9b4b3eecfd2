import { describe, expect, test } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { silentLogger } from '../../tests/support/worker.ts'
import { repeat } from './repeat.ts'

const start = (work: () => Promise<void>, every = 60_000) => {
  const stop = new AbortController()
  const logger = silentLogger()
  return { stop, logger, ...repeat({ every, signal: stop.signal, logger, name: 'work' }, work) }
}

describe('repeat', () => {
  test('never twice at once; asked during a round, exactly one more follows', async () => {
    let running = 0
    let most = 0
    let rounds = 0
    const gate: (() => void)[] = []
    const repeated = start(async () => {
      rounds += 1
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => gate.push(resolve))
      running -= 1
    })
    for (let i = 0; i < 5; i += 1) repeated.now()
    gate.shift()?.()
    await until(() => gate.length > 0)
    gate.shift()?.()
    await repeated.ended()
    expect({ most, rounds }).toEqual({ most: 1, rounds: 2 })
    repeated.stop.abort()
  })

  test('a failed round is logged and the next one comes', async () => {
    let rounds = 0
    const repeated = start(async () => {
      rounds += 1
      if (rounds === 1) throw new Error('first')
    }, 5)
    await until(() => rounds > 1)
    repeated.stop.abort()
    expect(repeated.logger.lines[0]).toContain('work: a round failed Error: first')
  })

  test('after the end nothing runs', async () => {
    let rounds = 0
    const repeated = start(async () => {
      rounds += 1
    }, 5)
    repeated.stop.abort()
    repeated.now()
    await repeated.ended()
    expect(rounds).toBe(0)
  })
})
