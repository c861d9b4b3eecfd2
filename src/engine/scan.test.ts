import { describe, expect, it } from 'vitest'
import type { AnyModule } from '../modules/any-module.ts'
import { ModuleEnding, RunFailure } from '../modules/endings.ts'
import type { CollectContext } from '../modules/module.ts'
import { caseAnswer } from '../modules/testing/answers.ts'
import { caseContext } from '../modules/testing/judge-cases.ts'
import type { ScanHandle } from './run.ts'
import { scan } from './scan.ts'
import { check, definition, fakeModule, finding } from './testing/modules.ts'
import { noBrowser, noEgress, run, SECRET } from './testing/run.ts'

const failing = (error: Error) => async (): Promise<unknown> => {
  throw error
}
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

describe('a plan', () => {
  it('hands facts from need to module, and each module over as it ends', async () => {
    const result = await run([
      fakeModule('b', { needs: ['a'], collect: async (_ctx, known) => ({ got: known }) }),
      fakeModule('a', { collect: async () => ({ x: 1 }) }),
    ])
    expect(result.modules.b).toMatchObject({
      outcome: { state: 'completed', reason: null, requests: 3 },
      facts: { got: { a: { x: 1 } } },
      coverage: [{ check_id: 'b/thing', state: 'pass' }],
    })
    expect(result.ended).toEqual({ type: 'ended', result: 'completed' })
    expect(result.audit.map((entry) => `${entry.module} ${entry.event}`)).toEqual([
      'a module_started',
      'a module_ended',
      'b module_started',
      'b module_ended',
    ])
  })

  it('gives a module what it uses where the run has it, and goes on without the rest', async () => {
    const result = await run([
      fakeModule('all', { uses: ['good', 'bad', 'active'], collect: async (_ctx, known) => ({ got: known }) }),
      fakeModule('good', { collect: async () => ({ x: 1 }) }),
      fakeModule('bad', { collect: failing(new Error('no luck')) }),
      fakeModule('active', { conduct: 'active' }),
    ])
    expect(result.modules.all?.outcome.state).toBe('completed')
    expect(result.modules.all?.facts).toEqual({ got: { good: { x: 1 } } })
  })

  it('starts no active module when the domain proves nothing any more, and says why for each check', async () => {
    const target = { ...caseContext().target, tier: 'active' as const }
    const asked: string[] = []
    const collect = (id: string) => async (): Promise<unknown> => {
      asked.push(id)
      return {}
    }
    const modules = [
      fakeModule('passive', { collect: collect('passive') }),
      fakeModule('active', { conduct: 'active', collect: collect('active') }),
      fakeModule('after', { conduct: 'active', needs: ['active'], collect: collect('after') }),
    ]
    const result = await run(modules, { target, activeRefused: 'no proof' })
    expect(asked).toEqual(['passive'])
    expect(result.modules.active).toMatchObject({
      outcome: { state: 'blocked', reason: 'no proof', requests: 0 },
      facts: null,
      coverage: [{ check_id: 'active/thing', state: 'blocked', reason: 'no proof' }],
    })
    expect(result.modules.after?.coverage).toMatchObject([{ state: 'not_tested' }])
    expect(result.ended).toEqual({ type: 'ended', result: 'completed' })
  })

  it('runs independent modules side by side', async () => {
    const both = Promise.withResolvers<void>()
    let started = 0
    const collect = async (): Promise<unknown> => {
      started += 1
      if (started === 2) both.resolve()
      await both.promise
      return {}
    }
    expect((await run([fakeModule('a', { collect }), fakeModule('b', { collect })])).ended).toMatchObject({
      result: 'completed',
    })
  })

  it('does not collect again what an earlier attempt completed', async () => {
    const outcome = { state: 'completed' as const, reason: null, duration_ms: 1, requests: 1 }
    const result = await run(
      [
        fakeModule('a', { collect: failing(new Error('asked again')) }),
        fakeModule('b', { needs: ['a'], collect: async (_ctx, known) => known.a }),
      ],
      { completed: { a: { facts: { stored: true }, outcome } } },
    )
    expect(Object.keys(result.modules)).toEqual(['b'])
    expect(result.modules.b?.facts).toEqual({ stored: true })
  })
})

describe('one module', () => {
  it.each<[string, (ctx: CollectContext) => Promise<unknown>, object]>([
    ['throws', failing(new Error('no luck')), { state: 'fail', reason_kind: 'scanner_fault' }],
    ['is over its deadline', (ctx) => untilAborted(ctx.signal), { state: 'fail', reason: /did not finish/ }],
    [
      'is kept out',
      failing(new ModuleEnding('blocked', 'a protection page answers')),
      { state: 'fail', reason: /protection page/ },
    ],
  ])('that %s keeps what it had found, with its facts', async (_name, ends, line) => {
    const [seen, other] = [definition('a/seen'), definition('a/other')]
    const result = await run([
      fakeModule('a', {
        budget: { requests: 1, seconds: 0.05 },
        checks: [check([seen], () => [finding(seen, { detail: SECRET })]), check([other], () => [])],
        collect: (ctx) => {
          ctx.soFar?.(() => ({ places: 1 }))
          return ends(ctx)
        },
      }),
    ])
    expect(result.modules.a).toMatchObject({ facts: { places: 1 }, findings: [{ check_id: 'a/seen' }] })
    expect(JSON.stringify(result.modules.a)).not.toContain(SECRET)
    const reason = 'reason' in line ? { reason: expect.stringMatching(line.reason as RegExp) } : {}
    expect(result.modules.a?.coverage[0]).toMatchObject({ ...line, ...reason })
    expect(result.modules.a?.coverage[1]?.state).toMatch(/^(?:inconclusive|blocked)$/)
  })

  const beside = fakeModule('beside')
  const after = fakeModule('after', { needs: ['bad'] })
  it.each<[string, Partial<AnyModule> & { collect: AnyModule['collect'] }, object, string]>([
    [
      'that throws',
      { collect: failing(new Error('no luck')) },
      { state: 'failed', reason: 'no luck' },
      'a fault of the scanner (F-',
    ],
    [
      'that is kept out',
      { collect: failing(new ModuleEnding('blocked', 'a protection page answers')) },
      { state: 'blocked', reason: 'a protection page answers' },
      'a protection page answers',
    ],
    [
      'that misses a program',
      { collect: failing(new ModuleEnding('skipped', 'Chromium is not installed')) },
      { state: 'skipped', reason: 'Chromium is not installed' },
      'Chromium is not installed',
    ],
    [
      'that uses up its seconds',
      { budget: { requests: 1, seconds: 0.05 }, collect: (ctx) => untilAborted(ctx.signal) },
      { state: 'failed', reason: 'it did not finish within 0.05 s' },
      'the module failed: it did not finish within 0.05 s',
    ],
    [
      'that ignores its deadline',
      { budget: { requests: 1, seconds: 0.05 }, collect: () => new Promise(() => undefined) },
      { state: 'failed', reason: 'it did not finish within 0.05 s' },
      'the module failed: it did not finish within 0.05 s',
    ],
    [
      'whose facts are not JSON',
      { collect: async () => ({ big: 1n }) },
      { state: 'failed' },
      'a fault of the scanner (F-',
    ],
  ])('%s costs itself and what builds on it, nothing else', async (_name, change, outcome, reason) => {
    const result = await run([{ ...fakeModule('bad'), ...change }, beside, after])
    expect(result.modules.bad?.outcome).toMatchObject(outcome)
    expect(result.modules.bad?.coverage[0]?.reason).toContain(reason)
    expect(result.modules.after).toMatchObject({ outcome: { state: 'skipped' }, coverage: [{ state: 'not_tested' }] })
    expect(result.modules.beside?.outcome.state).toBe('completed')
    expect(result.ended).toEqual({ type: 'ended', result: 'completed' })
  })

  it('may have a check that throws: it is logged, the others judge', async () => {
    const good = definition('a/good')
    const result = await run([
      fakeModule('a', {
        checks: [
          check([definition('a/bad')], () => {
            throw new Error('bug')
          }),
          check([good], () => [finding(good)]),
        ],
      }),
    ])
    expect(result.modules.a?.coverage.map((line) => line.state)).toEqual(['inconclusive', 'fail'])
    expect(result.faults).toMatchObject([
      { module: 'a', where: 'check a/bad', stack: expect.stringContaining('Error: bug') },
    ])
  })
})

describe('a whole run', () => {
  const hanging = fakeModule('b', { collect: (ctx) => untilAborted(ctx.signal) })

  it('fails with the kind that the target caused', async () => {
    const site = fakeModule('a', { collect: failing(new RunFailure('target_unreachable', 'nobody answers')) })
    const result = await run([site, hanging, fakeModule('c', { needs: ['a'] })])
    expect(result.ended).toEqual({
      type: 'ended',
      result: 'failed',
      error: { kind: 'target_unreachable', detail: 'nobody answers' },
    })
    expect(Object.keys(result.modules)).toEqual(['a'])
  })

  it('ends canceled and keeps what was completed', async () => {
    const cancel = new AbortController()
    const result = await run([fakeModule('a'), hanging], {
      signal: cancel.signal,
      onMessage: (message) => {
        if (message.type === 'module') cancel.abort()
      },
    })
    expect(Object.keys(result.modules)).toEqual(['a'])
    expect(result.ended).toEqual({ type: 'ended', result: 'canceled' })
  })

  it('cancelled before it began starts nothing', async () => {
    const result = await run([fakeModule('a')], { signal: AbortSignal.abort() })
    expect(result.modules).toEqual({})
    expect(result.ended).toMatchObject({ result: 'canceled' })
  })

  it.each([
    ['a tenth at least', 60, 0.1],
    ['a quarter', 600, 0.25],
    ['the usual', 2_400, 1],
    ['three times', 7_200, 3],
    ['four times at most', 86_400, 4],
  ])('gives a module %s of its time in a run of %i s', async (_name, deadline, timeFactor) => {
    const seen: number[] = []
    const collect: AnyModule['collect'] = async (ctx) => {
      seen.push(ctx.timeFactor)
      return {}
    }
    await run([{ ...fakeModule('a'), collect }], { deadline })
    expect(seen).toEqual([timeFactor])
  })

  it.each([
    [1_200, 'test', 1_019],
    [3_600, 'test', 3_185],
    [14_400, 'test', 13_440],
    [1_200, 'production', 1_097],
  ] as const)('of %s seconds on %s tells a module that all may take %s', async (deadline, environment, most) => {
    const target = { ...caseContext().target, environment }
    const seen: number[] = []
    const collect: AnyModule['collect'] = async (ctx) => {
      seen.push(ctx.secondsLeft(), ctx.secondsToEnd())
      return {}
    }
    await run([{ ...fakeModule('a'), collect }], { deadline, target })
    const soon = (left: number): boolean => left > most - 100 && left <= most
    expect(seen).toEqual([expect.toSatisfy(soon), expect.toSatisfy((left: number) => left > 0 && left <= 10)])
  })

  it('ends what is under way when its own time is up, begins nothing more, and is whole all the same', async () => {
    const collect: AnyModule['collect'] = (ctx) => untilAborted(ctx.signal)
    const after = { ...fakeModule('after', { uses: ['b'] }), collect }
    const result = await run([hanging, after, fakeModule('last', { uses: ['after'] })], { deadline: 6 })
    expect(result.ended).toEqual({ type: 'ended', result: 'completed' })
    const reason = 'the time of the run was over'
    const over = { outcome: { state: 'failed', reason }, coverage: [{ reason }] }
    expect(result.modules).toMatchObject({ b: over, after: over, last: { outcome: { state: 'skipped', reason } } })
  })

  it('fails when a module does not stop', async () => {
    const deaf = { ...fakeModule('deaf'), collect: () => new Promise(() => undefined) }
    const result = await run([deaf], { deadline: 0.05 })
    expect(result.ended).toMatchObject({ result: 'failed', error: { kind: 'deadline_exceeded' } })
  })

  it('fails as internal when the plan cannot be made', async () => {
    const result = await run([fakeModule('a', { needs: ['x'] })])
    expect(result.ended).toMatchObject({ result: 'failed', error: { kind: 'internal' } })
  })

  it('reports progress that never falls', async () => {
    const collect = async (ctx: CollectContext): Promise<unknown> => {
      for (const step of [0.2, 0.9, 0.4]) ctx.progress('working', step)
      return {}
    }
    const values = (await run([fakeModule('a', { collect }), fakeModule('b', { needs: ['a'], collect })])).progress.map(
      (message) => message.progress,
    )
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(values.at(-1)).toBe(90)
  })
})

describe('what leaves the scan', () => {
  it('carries no secret, wherever a module puts it', async () => {
    const seen = definition('a/seen')
    const result = await run([
      fakeModule('a', {
        collect: async (ctx) => {
          ctx.progress(`asking with ${SECRET}`)
          ctx.evidence({ filename: `x ${SECRET}.txt`, contentType: 'text/plain', body: `Cookie: ${SECRET}` })
          return { echoed: SECRET }
        },
        checks: [check([seen], () => [finding(seen, { detail: `got ${SECRET}` })])],
      }),
      fakeModule('b', { collect: failing(new Error(`bad header ${SECRET}`)) }),
      fakeModule('c', { collect: failing(new RunFailure('auth_rejected', `refused ${SECRET}`)) }),
    ])
    const all = [...result.sent, ...result.log, ...result.evidence.map((one) => Buffer.from(one.body).toString())]
    expect(JSON.stringify(all)).not.toContain(SECRET)
    expect(result.evidence).toHaveLength(1)
  })

  it('can be stored as it is: no NUL, no half of a surrogate pair', async () => {
    const result = await run([fakeModule('a', { collect: async () => ({ k: ['a\0b', '\ud800'] }) })])
    expect(result.modules.a?.facts).toEqual({ k: ['a\ufffdb', '\ufffd'] })
  })

  it('stops with the channel', async () => {
    const { target, options, now } = caseContext()
    const broken = scan(
      {
        runId: 'r',
        target,
        options,
        egress: {
          hosts: {},
          allowNetworks: [],
          resolvers: [],
          requestsPerSecond: 1,
          concurrency: 1,
          contact: '',
          trafficKey: '',
        },
        credentials: { cookie: null, header: null },
        now,
        deadline: 30,
        activeRefused: null,
        completed: {},
      },
      {
        modules: [hangingModule],
        openEgress: noEgress,
        launchBrowser: noBrowser,
        send: failing(new Error('EPIPE')) as () => Promise<never>,
        signal: new AbortController().signal,
        log: () => undefined,
      },
    )
    await expect(broken).rejects.toThrow('the worker is gone')
  })
})

const hangingModule = fakeModule('h', { collect: (ctx) => untilAborted(ctx.signal) })

describe('a key in a link of a signed-in page', () => {
  const KEY = '4f1c9e0b77a2d3586e1f40bb'
  const seen = definition('crawl/seen')
  const crawl = fakeModule('crawl', {
    checks: [check([seen], () => [finding(seen, { detail: `the feed is /feed?key=${KEY}` })])],
    collect: async ({ egress }) => {
      await egress.http({ url: '/account' })
      return { feed: `https://shop.test/feed?key=${KEY}` }
    },
  })
  const told = async (cookie: string | null): Promise<string> => {
    const hidden = new Set<string>()
    const hiding = (text: string): string => [...hidden].reduce((all, one) => all.replaceAll(one, '[redacted]'), text)
    const { sent, log } = await run([crawl], {
      credentials: { cookie, header: null },
      openEgress: (audit, signal, answered) => ({
        ...noEgress(audit, signal, answered),
        hide: ({ header }) => void hidden.add((header ?? '').replace('Key: ', '')),
        redact: {
          text: hiding,
          bytes: (bytes) => Buffer.from(hiding(bytes.toString())),
          value: (value) => JSON.parse(hiding(JSON.stringify(value))),
        },
        forModule: (id) =>
          ({
            requests: () => 1,
            close: async () => undefined,
            http: async () =>
              answered(caseAnswer({ path: '/account', body: `<a href="/feed?key=${KEY}">Feed</a>` }), id, false),
          }) as unknown as ScanHandle,
      }),
    })
    return JSON.stringify([sent, log])
  }

  it('stands in nothing that the run tells, facts, findings and log', async () => {
    const all = await told('sid=abc')
    expect(all).toContain('crawl/seen')
    expect(all).not.toContain(KEY)
  })

  it('is everybody’s where nobody is signed in', async () => {
    expect(await told(null)).toContain(KEY)
  })
})
