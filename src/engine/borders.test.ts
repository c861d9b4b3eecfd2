import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress } from '../egress/door/create-egress.ts'
import { MODULES } from '../modules/index.ts'
import { createRunScope } from '../modules/run-scope.ts'
import { caseContext } from '../modules/testing/judge-cases.ts'
import { WRITES_PER_FORM } from '../safety/policy.ts'
import { borderOf } from './module-run.ts'

const spec = (environment: 'production' | 'test', options = caseContext().options) => ({
  options,
  target: { ...caseContext().target, host: 'shop.test', tier: 'active' as const, environment },
  credentials: { cookie: null, header: null },
})
const GET = (path: string) => ({ method: 'GET', url: `https://shop.test${path}`, contentType: null, body: null })
const POST = (path: string, body: string) => ({
  ...{ method: 'POST', url: `https://shop.test${path}`, body, contentType: 'application/x-www-form-urlencoded' },
})
const DEEDS = [
  GET('/logout'),
  GET('/users/3/delete'),
  GET('/setup.php'),
  GET('/x?security=low'),
  GET('/checkout/confirm'),
]

describe('the border of a run', () => {
  it.each(MODULES.filter(({ conduct }) => conduct === 'active').map((module) => [module.id, module] as const))(
    'lets no deed of %s out, whatever the domain is',
    (_id, module) => {
      for (const environment of ['production', 'test'] as const) {
        const border = borderOf(module, spec(environment), createRunScope())
        for (const deed of DEEDS) expect(border?.(deed), deed.url).toEqual(expect.stringMatching(/.{5}/))
        expect(border?.(GET('/search?q=delete'))).toBeNull()
      }
    },
  )

  it('stands around all active modules but those that decide on each request, and these are few', () => {
    const deciding = MODULES.filter(({ decides }) => decides).map(({ id }) => id)
    expect(deciding.toSorted()).toEqual(['authorization', 'crawl', 'injection', 'sqli', 'xss'])
    for (const module of MODULES)
      expect(borderOf(module, spec('production'), createRunScope()) !== null).toBe(module.conduct === 'active')
  })

  it.each([
    ['a reset that sends a mail', POST('/forgot-password', 'email=a%40example.org')],
    ['a registration', POST('/register', 'user=a&email=b%40c.de&password=d&password2=d')],
    ['an upload', { ...POST('/upload', '--x\r\nname="f"\r\n\r\nx'), contentType: 'multipart/form-data; boundary=x' }],
    ['a record put', { ...GET('/api/items/3'), method: 'PUT', body: '{}', contentType: 'application/json' }],
    ['a record deleted', { ...GET('/api/items/3'), method: 'DELETE' }],
    ['a mutation', { ...POST('/graphql', '{"query":"mutation { a }"}'), contentType: 'application/json' }],
  ])('keeps %s from a production system', (_name, sent) => {
    expect(borderOf({ conduct: 'active' }, spec('production'), createRunScope())?.(sent)).not.toBeNull()
  })

  it('lets sign-ins and questions out as often as they are asked', () => {
    const border = borderOf({ conduct: 'active' }, spec('production'), createRunScope())
    for (let time = 0; time < 100; time += 1) {
      expect(border?.(POST('/login', 'user=a&password=b'))).toBeNull()
      expect(border?.(GET(`/page?id=${time}`))).toBeNull()
    }
  })

  it('counts what may write on a test system for all modules together', () => {
    const scope = createRunScope()
    const [one, other] = [
      borderOf({ conduct: 'active' }, spec('test'), scope),
      borderOf({ conduct: 'active' }, spec('test'), scope),
    ]
    const send = (time: number) => (time % 2 ? one : other)?.(POST('/comments/add', `text=${time}`))
    const said = Array.from({ length: WRITES_PER_FORM + 5 }, (_, time) => send(time))
    expect(said.filter((reason) => reason === null)).toHaveLength(WRITES_PER_FORM)
    expect(
      borderOf({ conduct: 'active' }, spec('test'), createRunScope())?.(POST('/comments/add', 'text=1')),
    ).toBeNull()
    const few = borderOf(
      { conduct: 'active' },
      spec('test', { ...caseContext().options, writes_per_form: 3 }),
      createRunScope(),
    )
    expect([1, 2, 3, 4].map((time) => few?.(POST('/comments/add', `text=${time}`)) === null)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('a value of a probe that became a deed does not leave either', () => {
    const border = borderOf({ conduct: 'active', decides: true }, spec('production'), createRunScope())
    expect(border?.(GET('/page?action=logout'))).not.toBeNull()
    expect(border?.(GET("/page?id=1'%20or%20delete"))).toBeNull()
    expect(border?.(POST('/process', 'a=1'))).toBeNull()
  })
})

describe('egress', () => {
  const stop = new AbortController()
  const audited: string[] = []
  const egress = createEgress({
    settings: {
      ...{ hosts: { 'shop.test': ['127.0.0.1'] }, allowNetworks: ['127.0.0.0/8'], resolvers: ['127.0.0.1:9'] },
      ...{ requestsPerSecond: 100, concurrency: 2, contact: 'a@example.org', trafficKey: 'a2V5' },
    },
    runId: '00000000-0000-4000-8000-00000000000a',
    version: '0',
    target: { host: 'shop.test', port: 9 },
    credentials: { cookie: null, header: null },
    audit: ({ event, error }) => audited.push(`${event} ${error}`),
    signal: stop.signal,
  })
  beforeAll(() => audited.splice(0))
  afterAll(async () => {
    stop.abort()
    await egress.close()
  })

  it('sends nothing that the border forbids, says why, and leaves other hosts to themselves', async () => {
    const judged: string[] = []
    const judge = ({ method, url }: { readonly method: string; readonly url: string }) => {
      judged.push(`${method} ${url}`)
      return 'it deletes something'
    }
    const module = egress.forModule('templates', { requests: 5, signal: stop.signal, judge })
    const sent = module.http({ method: 'POST', url: 'http://shop.test:9/', target: '/a?delete=1', body: 'x' })
    await expect(sent).rejects.toMatchObject({
      code: 'excluded',
      message: expect.stringContaining('it deletes something'),
    })
    expect(judged).toEqual(['POST http://shop.test:9/a?delete=1'])
    expect(audited).toEqual(['refused it deletes something'])
    await expect(module.http({ url: 'http://127.0.0.1:9/', timeout: 500 })).rejects.not.toMatchObject({
      code: 'excluded',
    })
    expect(judged).toHaveLength(1)
  })
})
