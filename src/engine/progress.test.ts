import { describe, expect, it } from 'vitest'
import fc from '../../tests/support/properties.ts'
import { createProgress, SCAN_TO } from './progress.ts'
import { fakeModule } from './testing/modules.ts'

const modules = [
  fakeModule('site', { budget: { requests: 1, seconds: 10 } }),
  fakeModule('tls', { budget: { requests: 1, seconds: 30 } }),
  fakeModule('headers', { budget: { requests: 1, seconds: 10 } }),
  fakeModule('ports', { conduct: 'active', budget: { requests: 1, seconds: 50 } }),
]

describe('report', () => {
  it('names the phase and everything that runs', () => {
    const progress = createProgress(modules, new Set())
    expect(progress.report()).toEqual({ phase: 'prepare', detail: 'site, tls, headers, ports: starting', progress: 2 })
    progress.started('site')
    progress.started('tls')
    progress.advanced('tls', '214 of 331 cipher suites', 0.5)
    expect(progress.report()).toEqual({
      phase: 'discover',
      detail: 'site: starting; tls: 214 of 331 cipher suites',
      progress: 15,
    })
    progress.ended('site')
    expect(progress.report()).toMatchObject({ phase: 'passive', detail: 'tls: 214 of 331 cipher suites' })
    for (const { id } of modules) progress.ended(id)
    expect(progress.report()).toEqual({ phase: 'active', detail: 'every module has ended', progress: SCAN_TO })
  })

  it('between two modules it names what comes next, and only what can', () => {
    const progress = createProgress(
      [
        fakeModule('site'),
        fakeModule('headers', { needs: ['site'] }),
        fakeModule('cookies', { needs: ['site'] }),
        fakeModule('markup', { needs: ['headers'] }),
      ],
      new Set(),
    )
    expect(progress.report().detail).toBe('site: starting')
    progress.started('site')
    progress.ended('site')
    expect(progress.report().detail).toBe('headers, cookies: starting')
  })

  it('takes what an earlier attempt completed as done', () => {
    const progress = createProgress(modules, new Set(['site', 'tls']))
    expect(progress.report()).toMatchObject({ phase: 'passive', progress: 37 })
  })

  it('never goes back, neither percent nor phase', () => {
    const order = ['prepare', 'discover', 'passive', 'active', 'privacy']
    const step = fc.record({
      what: fc.constantFrom('started', 'advanced', 'ended'),
      id: fc.constantFrom('site', 'tls', 'headers', 'ports', 'unknown'),
      fraction: fc.double({ min: -1, max: 2, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const progress = createProgress(modules, new Set())
        let before = progress.report()
        for (const { what, id, fraction } of steps) {
          if (what === 'advanced') progress.advanced(id, 'x', fraction)
          else if (what === 'started') progress.started(id)
          else progress.ended(id)
          const after = progress.report()
          expect(after.progress).toBeGreaterThanOrEqual(before.progress)
          expect(after.progress).toBeLessThanOrEqual(SCAN_TO)
          expect(order.indexOf(after.phase)).toBeGreaterThanOrEqual(order.indexOf(before.phase))
          before = after
        }
      }),
    )
  })
})
