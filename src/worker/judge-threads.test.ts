import { describe, expect, test } from 'vitest'
import { createJudgeThreads, type JudgeBounds } from './judge-threads.ts'

/** Answers with the number of questions so far; what a question says of itself comes before. */
const COUNTS = `import { parentPort } from 'node:worker_threads'
  let questions = 0
  parentPort.on('message', ({ does }) => {
    questions += 1
    if (does === 'spins') for (;;);
    if (does === 'throws') throw new Error('bug')
    parentPort.postMessage({ answer: questions, asItBegan: does !== 'pollutes' })
    if (does === 'dies') process.exit(3)
  })`
const bounds = (more: Partial<JudgeBounds> = {}): JudgeBounds => ({
  seconds: 30,
  memoryMb: 64,
  body: new URL(`data:text/javascript,${encodeURIComponent(COUNTS)}`),
  signal: new AbortController().signal,
  ...more,
})

describe('threads that judge', () => {
  test('one that has answered has the next question', async () => {
    const threads = createJudgeThreads()
    expect(await threads.ask({}, bounds())).toBe(1)
    expect(await threads.ask({}, bounds())).toBe(2)
  })

  test('questions that come at once have one thread, in their order', async () => {
    const threads = createJudgeThreads(undefined, 30_000)
    expect(await Promise.all([1, 2, 3].map(() => threads.ask({}, bounds())))).toEqual([1, 2, 3])
    expect(await threads.ask({}, bounds())).toBe(4)
  })

  test('a question that has waited long enough starts its own, and of two one waits', async () => {
    const threads = createJudgeThreads(undefined, 50)
    const spins = threads.ask({ does: 'spins' }, bounds({ seconds: 2 }))
    const failed = expect(spins).rejects.toThrow(/within 2 seconds/)
    expect(await threads.ask({}, bounds())).toBe(1)
    expect(await threads.ask({}, bounds())).toBe(2)
    await failed
    expect(await threads.ask({}, bounds())).toBe(3)
  })

  test('whose thread is not kept, behind that one nobody waits for nothing', async () => {
    const threads = createJudgeThreads(undefined, 60_000)
    const asked = [{ does: 'pollutes' }, {}, {}].map((question) => threads.ask(question, bounds()))
    expect(await Promise.all(asked)).toEqual([1, 1, 2])
    const broken = [{ does: 'throws' }, {}].map((question) => threads.ask(question, bounds({ memoryMb: 65 })))
    await expect(broken[0]).rejects.toThrow(/could not be judged/)
    expect(await broken[1]).toBe(1)
  })

  test('a run that has to stop while it waits for a thread waits no longer', async () => {
    const threads = createJudgeThreads(undefined, 60_000)
    const [first, second] = [new AbortController(), new AbortController()]
    const asked = threads.ask({ does: 'spins' }, bounds({ signal: first.signal }))
    const behind = threads.ask({}, bounds({ signal: second.signal }))
    second.abort()
    await expect(behind).rejects.toMatchObject({ name: 'Stopped' })
    first.abort()
    await expect(asked).rejects.toMatchObject({ name: 'Stopped' })
    expect(await threads.ask({}, bounds())).toBe(1)
  })

  test.each([
    ['late', { does: 'spins' }, /within 0.5 seconds/],
    ['broken', { does: 'throws' }, /could not be judged/],
  ])('one that is %s judges nothing more', async (_, question, sentence) => {
    const threads = createJudgeThreads()
    expect(await threads.ask({}, bounds())).toBe(1)
    await expect(threads.ask(question, bounds({ seconds: 0.5 }))).rejects.toThrow(sentence)
    expect(await threads.ask({}, bounds())).toBe(1)
  })

  test('one that is not as it began any more answers, and has no further question', async () => {
    const threads = createJudgeThreads()
    expect(await threads.ask({ does: 'pollutes' }, bounds())).toBe(1)
    expect(await threads.ask({}, bounds())).toBe(1)
  })

  test('one that dies while it waits is nobody’s', async () => {
    const threads = createJudgeThreads()
    expect(await threads.ask({ does: 'dies' }, bounds())).toBe(1)
    await expect.poll(() => threads.ask({}, bounds()), { timeout: 10_000 }).toBe(1)
  })

  test('other bounds or another body are another thread', async () => {
    const threads = createJudgeThreads()
    expect(await threads.ask({}, bounds())).toBe(1)
    expect(await threads.ask({}, bounds({ memoryMb: 65 }))).toBe(1)
    const other = new URL(`data:text/javascript,${encodeURIComponent(`${COUNTS} // built anew`)}`)
    expect(await threads.ask({}, bounds({ memoryMb: 65, body: other }))).toBe(1)
  })

  test('after its time nobody waits, nor after a hundred questions', async () => {
    const none = createJudgeThreads(0)
    expect([await none.ask({}, bounds()), await none.ask({}, bounds())]).toEqual([1, 1])
    const threads = createJudgeThreads()
    const answers: unknown[] = []
    for (let n = 0; n < 101; n += 1) answers.push(await threads.ask({}, bounds()))
    expect(answers.slice(-2)).toEqual([100, 1])
  })

  test('a run that has to stop ends it', async () => {
    const threads = createJudgeThreads()
    const stop = new AbortController()
    const asked = threads.ask({ does: 'spins' }, bounds({ signal: stop.signal }))
    stop.abort()
    await expect(asked).rejects.toMatchObject({ name: 'Stopped' })
    await expect(threads.ask({}, bounds({ signal: stop.signal }))).rejects.toMatchObject({ name: 'Stopped' })
    expect(await threads.ask({}, bounds())).toBe(1)
  })
})
