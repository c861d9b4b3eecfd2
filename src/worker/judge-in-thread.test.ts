import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../tests/support/seed.ts'
import { silentLogger } from '../../tests/support/worker.ts'
import { createFeedJudge, createJudge } from './judge-in-thread.ts'

const ABOUT = {
  target: { host: 'shop.test', port: null, context: null, tier: 'passive', environment: 'production' },
  options: OPTIONS,
  now: 0,
} as const
const body = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const never = new AbortController().signal

describe('judge in a thread', () => {
  test('the real checks: a run without facts is covered and graded, none of it as clean', async () => {
    const judged = await createJudge({ logger: silentLogger() })([], ABOUT, never)
    expect(judged.grade.provisional).toBe(true)
    expect(judged.coverage.length).toBeGreaterThan(0)
    expect(judged.coverage.filter(({ state }) => state === 'pass')).toEqual([])
  })

  test.each([
    ['spins', 'for (;;);', /within 0.5 seconds/, 0.5],
    ['throws', 'throw new Error("bug")', /could not be judged/, 30],
    ['says nothing', '', /ended early/, 30],
    [
      'takes all memory',
      'const all = []; for (;;) all.push(new Array(1e4).fill({}))',
      /could not be judged|ended early/,
      30,
    ],
  ])('one that %s costs its run only', async (_, code, sentence, seconds) => {
    const judge = createJudge({ logger: silentLogger(), seconds, memoryMb: 16, body: async () => body(code) })
    await expect(judge([], ABOUT, never)).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(sentence),
    })
  })

  test('one that ends over a module is asked again without it, and that module is not called clean', async () => {
    const code = `import { parentPort } from 'node:worker_threads'
      parentPort.on('message', ({ leftOut }) => {
        parentPort.postMessage({ begins: 'site' })
        if (!leftOut.dns) { parentPort.postMessage({ begins: 'dns' }); for (;;); }
        const answer = { coverage: [], tables: [], knowledge: {}, failures: [], grade: leftOut }
        parentPort.postMessage({ answer, asItBegan: true })
      })`
    const logger = silentLogger()
    const judged = await createJudge({ logger, seconds: 2, body: async () => body(code) })([], ABOUT, never)
    expect(judged.grade).toEqual({ dns: expect.stringMatching(/^F-[0-9a-f]{8}$/) })
    expect(logger.lines.join()).toContain('left out')
  })

  test('the feeds: what they answer now, and a run that does not hold enough', async () => {
    const judge = createFeedJudge(undefined, {})
    const subject = {
      product: 'jQuery',
      version: '3.4.1',
      keys: ['cpe:jquery:jquery'],
      identified: true,
      distribution: null,
    }
    const asked = [
      { module: 'cve', question: JSON.stringify(subject) },
      { module: 'technology', question: JSON.stringify({ product: 'jQuery', version: '3.4.1' }) },
      { module: 'gone', question: 'x' },
    ]
    const answers = await judge.answers(asked, never)
    expect(answers).toEqual([expect.stringContaining('CVE-2020-11022 certain'), '', ''])
    expect(await judge.anew([], ABOUT, 0, never)).toMatch(/has no facts/)
  })

  test('stops when the run has to stop', async () => {
    const stop = new AbortController()
    const judging = createJudge({ logger: silentLogger(), body: async () => body('for (;;);') })([], ABOUT, stop.signal)
    stop.abort()
    await expect(judging).rejects.toMatchObject({ name: 'Stopped' })
  })
})
