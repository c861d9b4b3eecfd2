import { describe, expect, it } from 'vitest'
import type { HttpExchange } from '../egress/door/egress.ts'
import type { AnyModule } from '../modules/any-module.ts'
import { caseAnswer } from '../modules/testing/answers.ts'
import { caseContext } from '../modules/testing/judge-cases.ts'
import { check, definition, fakeModule } from './testing/modules.ts'
import { run } from './testing/run.ts'
import { createWatching } from './watching.ts'

describe('a module that sees all answers', () => {
  const asking = (id: string, paths: readonly string[], change: Parameters<typeof fakeModule>[1] = {}) =>
    fakeModule(id, {
      ...change,
      collect: async ({ egress }, known) => {
        for (const url of paths) await egress.http({ url })
        return { of: id, known }
      },
    })
  /** Adds to its facts which module got which answer. */
  const watching = (see: (path: string) => void = () => undefined): AnyModule => ({
    ...asking('w', ['/own']),
    watch: ({ resumed }) => {
      const seen: string[] = []
      return {
        see: ({ request }, module) => {
          see(request.url)
          seen.push(`${module} ${new URL(request.url).pathname}`)
        },
        conclude: (facts: object) => ({ ...facts, seen, resumed }),
      }
    },
    checks: [check([definition('w/thing')], () => [])],
  })
  const modules = (watcher: AnyModule) => [
    watcher,
    asking('needs', ['/a'], { needs: ['w'] }),
    asking('later', ['/b'], { needs: ['needs'], conduct: 'active' }),
  ]
  const active = { target: { ...caseContext().target, tier: 'active' as const } }

  it('is judged when the others have ended, and lets those begin that need it', async () => {
    const result = await run(modules(watching()), active)
    expect(result.modules.w?.facts).toMatchObject({ seen: ['w /own', 'needs /a', 'later /b'], resumed: false })
    expect(result.modules.needs?.facts).toMatchObject({ known: { w: { of: 'w' } } })
    expect(result.sent.findLast(({ type }) => type === 'module')).toMatchObject({ module: 'w' })
    expect(result.ended).toEqual({ type: 'ended', result: 'completed' })
  })

  it('is told in words what the crawl was cut off before', async () => {
    const told: (string | null | undefined)[] = []
    const watcher: AnyModule = {
      ...watching(),
      watch: () => ({
        see: () => undefined,
        conclude: (facts: object, cutOff) => {
          told.push(cutOff)
          return facts
        },
      }),
    }
    const crawl = (left: number): AnyModule => {
      const counts =
        left === 0 ? [] : [{ ...{ kind: 'address', fate: 'cut_off', reason: 'late', holds: true }, count: left }]
      return fakeModule('crawl', {
        collect: async () => ({
          reach: { counts, rows: [] },
          requests: [],
          points: [],
          browser: { version: '1', reason: null },
        }),
      })
    }
    await run([watcher, crawl(7)], active)
    await run([watcher, crawl(0)], active)
    await run([watcher], active)
    expect(told).toEqual(['what the crawl did not come to may hold more: 7 not read: late', null, null])
  })

  it('knows that an earlier attempt had answers, and sees none in a passive run', async () => {
    const outcome = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const
    const resumed = await run(modules(watching()), { ...active, completed: { needs: { outcome, facts: {} } } })
    expect(resumed.modules.w?.facts).toMatchObject({ seen: ['w /own', 'later /b'], resumed: true })
    expect((await run(modules(watching()))).modules.w?.facts).not.toHaveProperty('seen')
  })

  it('sees of a passive run its sign-in alone, and only where it asks for that', () => {
    const told: string[] = []
    const watcher = (id: string, seeSignIn: boolean): AnyModule => ({
      ...asking(id, []),
      watch: () => ({
        see: () => void told.push(`${id} sees`),
        ...(seeSignIn ? { seeSignIn: () => void told.push(`${id} sees a sign-in`) } : {}),
        conclude: (facts: object) => facts,
      }),
    })
    const both = [watcher('all', false), watcher('sign-ins', true)]
    const { target } = caseContext()
    const signIn = { request: { requests: [] } }
    const ask = (credentials: Parameters<typeof createWatching>[1]['credentials']) => {
      const { watchers, answered } = createWatching(both, { target, credentials }, new Set())
      answered({} as HttpExchange, 'x', false)
      answered({} as HttpExchange, 'sign-in', true)
      return [...watchers.keys()]
    }
    expect(ask({ cookie: null, header: null, signIn })).toEqual(['sign-ins'])
    expect(told).toEqual(['sign-ins sees a sign-in'])
    expect(ask({ cookie: 'a=b', header: null })).toEqual([])
  })

  it('is not told of files that the run itself has given to the site', () => {
    const told: string[] = []
    const see = (path: string): void => void told.push(new URL(path).pathname)
    const { answered } = createWatching(
      [watching(see)],
      { target: active.target, credentials: { cookie: null, header: null } },
      new Set(),
    )
    const content = 'Content-Disposition: form-data; name="f"; filename="q0a1b2c3d4.html"\r\n\r\n<p>of a scan</p>'
    for (const answer of [
      { path: '/send', method: 'POST', sent: `--b\r\n${content}\r\n--b--\r\n`, body: '' },
      { path: '/files/q0a1b2c3d4.html', body: '<p>of a scan</p>' },
      { path: '/files/', body: 'q0a1b2c3d4.html' },
    ])
      answered(caseAnswer(answer), 'injection', false)
    expect(told).toEqual(['/send', '/files/'])
  })

  it('is no burden to the others where it breaks, nor where suspects take turns', async () => {
    const broken = watching((path) => {
      if (path.endsWith('/a')) throw new Error('no good')
    })
    const result = await run(modules(broken), { ...active, suspects: ['w', 'needs', 'later'] })
    expect(result.modules.w).toMatchObject({ outcome: { state: 'completed' }, facts: { of: 'w' } })
    expect(result.modules.later?.outcome.state).toBe('completed')
    expect(result.faults).toMatchObject([{ module: 'w' }])
  })
})
