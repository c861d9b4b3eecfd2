import { describe, expect, it } from 'vitest'
import { MODULES } from '../modules/index.ts'
import { orderModules, planRun } from './plan.ts'
import { fakeModule } from './testing/modules.ts'

const ids = (modules: readonly { id: string }[]) => modules.map(({ id }) => id)

describe('order', () => {
  it('puts needs first and keeps the list otherwise', () => {
    const list = [
      fakeModule('c', { needs: ['a'] }),
      fakeModule('b'),
      fakeModule('a'),
      fakeModule('d', { needs: ['c', 'b'] }),
    ]
    expect(ids(orderModules(list))).toEqual(['a', 'c', 'b', 'd'])
  })

  it('puts what a module uses before it, and refuses rings of both kinds', () => {
    const list = [fakeModule('c', { uses: ['a'] }), fakeModule('a')]
    expect(ids(orderModules(list))).toEqual(['a', 'c'])
    expect(() => orderModules([fakeModule('a', { uses: ['b'] }), fakeModule('b', { needs: ['a'] })])).toThrow(
      /a → b → a/,
    )
  })

  it('puts what is used first, and lets a passive module use an active one', () => {
    const list = [fakeModule('b', { uses: ['a'] }), fakeModule('a', { conduct: 'active' })]
    expect(ids(orderModules(list))).toEqual(['a', 'b'])
    expect(ids(planRun(list, 'passive', { privacy: false }).modules)).toEqual(['b'])
  })

  it.each([
    ['itself', [fakeModule('a', { needs: ['a'] })], /need each other: a → a/],
    [
      'a ring',
      [fakeModule('a', { needs: ['b'] }), fakeModule('b', { needs: ['c'] }), fakeModule('c', { needs: ['a'] })],
      /a → b → c → a/,
    ],
    ['an unknown need', [fakeModule('a', { needs: ['x'] })], /a needs x/],
    ['an unknown use', [fakeModule('a', { uses: ['x'] })], /a uses x/],
    ['an id twice', [fakeModule('a'), fakeModule('a')], /twice/],
    [
      'a passive module that needs an active one',
      [fakeModule('a', { needs: ['b'] }), fakeModule('b', { conduct: 'active' })],
      /cannot need b/,
    ],
  ])('refuses %s', (_name, list, message) => {
    expect(() => orderModules(list)).toThrow(message)
  })

  it('accepts the modules of the product', () => {
    expect(orderModules(MODULES)).toHaveLength(MODULES.length)
  })
})

describe('choice', () => {
  const list = [fakeModule('a'), fakeModule('b', { conduct: 'active' }), fakeModule('c', { conduct: 'privacy' })]
  it.each([
    ['passive', false, ['a'], ['b', 'c']],
    ['passive', true, ['a', 'c'], ['b']],
    ['active', false, ['a', 'b'], ['c']],
    ['active', true, ['a', 'b', 'c'], []],
  ] as const)('%s run, privacy %s', (tier, privacy, chosen, left) => {
    const plan = planRun(list, tier, { privacy })
    const known = ids(plan.leftOut.map((one) => one.module)).filter((id) => ids(list).includes(id))
    expect([ids(plan.modules), known]).toEqual([chosen, left])
  })

  it('of a retest: the module and what it needs, all else left out with the reason', () => {
    const list = [fakeModule('a'), fakeModule('b', { needs: ['a'], uses: ['c'] }), fakeModule('c')]
    const { modules, leftOut } = planRun(list, 'active', { privacy: true, only: 'b' })
    expect(ids(modules)).toEqual(['a', 'b'])
    expect(leftOut).toMatchObject([{ module: { id: 'c' }, reason: expect.stringContaining('retest') }])
  })

  it.each(['xss', 'sqli', 'injection'])('of a retest of %s: what tells the pages of a firewall, too', (only) => {
    expect(ids(planRun(MODULES, 'active', { privacy: false, only }).modules)).toContain('waf')
  })

  it('of a dry run: the crawl and what it needs', () => {
    const list = [
      fakeModule('site'),
      fakeModule('crawl', { needs: ['site'], conduct: 'active' }),
      fakeModule('xss', { needs: ['crawl'], conduct: 'active' }),
    ]
    const { modules, leftOut } = planRun(list, 'active', { privacy: true, dry_run: true })
    expect(ids(modules)).toEqual(['site', 'crawl'])
    expect(leftOut).toMatchObject([{ module: { id: 'xss' }, reason: expect.stringContaining('dry run') }])
  })

  it('of a survey: the cheap modules of the product and what they need, all else named', () => {
    const { modules, leftOut } = planRun(MODULES, 'passive', { privacy: true, survey: true })
    expect(ids(modules)).toEqual(['site', 'dns', 'mail', 'tls', 'headers', 'cookies', 'markup'])
    expect(ids([...modules, ...leftOut.map(({ module }) => module)]).toSorted()).toEqual(ids(MODULES).toSorted())
    const reasonOf = (id: string) => leftOut.find(({ module }) => module.id === id)?.reason
    for (const id of ['privacy', 'cve', 'technology', 'names']) expect(reasonOf(id)).toContain('survey')
    expect(reasonOf('xss')).toContain('active')
    expect(ids(planRun(MODULES, 'passive', { privacy: false, survey: true, only: 'cve' }).modules)).toContain('cve')
  })

  it.each([
    ['passive', false, []],
    ['passive', true, []],
    ['active', false, ['ports', 'tls-deep', 'rate-limit', 'waf', 'sqli']],
  ] as const)('%s run, privacy %s: names what was promised and does not exist', (tier, privacy, missing) => {
    const { leftOut } = planRun([fakeModule('xss', { conduct: 'active' })], tier, { privacy })
    expect(leftOut.filter((one) => one.reason.includes('this version')).map((one) => one.module.id)).toEqual(missing)
  })
})
