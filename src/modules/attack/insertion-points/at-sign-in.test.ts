/** A sign-in that looks the name up first, and reads the password only of somebody who is there. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { ldapMatches } from '../../../../testbed/web/languages.ts'
import type { SignInLeading } from '../../module.ts'
import { askOwnSignIn as askInjection } from '../injection/probes/own-sign-in.ts'
import { isProven } from '../injection/proven.ts'
import { isAnsweredExactly } from '../sqli/boolean.ts'
import { askOwnSignIn as askSql } from '../sqli/probes/own-sign-in.ts'
import type { ProbePoint } from './inventory.ts'
import { fakeProbe } from './testing/fake-probe.ts'

const OWN = { login: 'ada', password: 'hunter2' }

const point = (name: string, path = '/session', place: ProbePoint['place'] = 'form') =>
  fakeProbe(() => ({ text: '' }), {
    place,
    name,
    value: 'test',
    request: { method: 'POST', url: `http://shop.test${path}` },
  }).probe.point

type Member = string | Readonly<Record<string, string | readonly string[]>>
const ctxOf = (
  takes: (given: typeof OWN) => boolean,
  environment = 'test',
  read: (password: Member) => boolean = () => false,
) => {
  const taken: boolean[] = []
  const leading: SignInLeading = {
    ...{ paths: new Set(['/session']), to: async () => null, saying: async () => true, fields: Object.keys(OWN) },
    behind: async (field, text) => {
      const given = { ...OWN, [field]: `${OWN[field as keyof typeof OWN]}${text}` }
      taken.push(takes(given))
      return taken.at(-1) === true
    },
    instead: async (_field, members) => {
      taken.push(read(members))
      return taken.at(-1) === true
    },
  }
  const ctx = { session: { leading }, target: { environment }, signal: new AbortController().signal }
  return { taken, ctx: ctx as unknown as Parameters<typeof askSql>[0] }
}

const database = (): DatabaseSync => {
  const db = new DatabaseSync(':memory:')
  db.exec("create table people (login text, password text); insert into people values ('ada', 'hunter2')")
  return db
}
const inSql =
  (bound: boolean) =>
  ({ login, password }: typeof OWN): boolean => {
    const db = database()
    if (!db.prepare('select 1 from people where login = ?').get(login)) return false
    try {
      return bound
        ? db.prepare('select 1 from people where login = ? and password = ?').get(login, password) !== undefined
        : db.prepare(`select 1 from people where login = '${login}' and password = '${password}'`).get() !== undefined
    } catch {
      return false
    }
  }
const POINTS = [point('login'), point('password'), point('next'), point('q', '/search')]

it('a statement that reads the password is proven behind the right one', async () => {
  const { ctx, taken } = ctxOf(inSql(false))
  const found = await askSql(ctx, POINTS)
  expect(found.map(({ point: { name } }) => name)).toEqual(['password'])
  expect(found.every(({ hit }) => isAnsweredExactly(hit))).toBe(true)
  expect(JSON.stringify(found.map(({ hit }) => hit))).not.toContain('hunter2')
  // Never two in a row that are refused.
  expect(taken.some((one, index) => !one && taken[index + 1] === false)).toBe(false)
})

it('where values are bound, each field costs a sign-in for each quote, and a right one behind it', async () => {
  const { ctx, taken } = ctxOf(inSql(true))
  expect(await askSql(ctx, POINTS)).toEqual([])
  expect(taken).toEqual([false, true, false, true, false, true, false, true])
})

it('what ignores the end of a value is none', async () => {
  const { ctx } = ctxOf(({ password }) => password.startsWith('hunter2'))
  expect([...(await askSql(ctx, POINTS)), ...(await askInjection(ctx, POINTS))]).toEqual([])
})

it('a filter of a directory is proven behind the right name', async () => {
  const person = { cn: 'Ada', uid: 'ada', userPassword: 'hunter2', objectClass: 'person' }
  const { ctx } = ctxOf(({ login, password }) => {
    try {
      return ldapMatches(`(&(uid=${login})(userPassword=${password}))`, person as never)
    } catch {
      return false
    }
  })
  const found = await askInjection(ctx, [point('login')])
  expect(found.map(({ hit }) => [hit.kind, isProven(hit)])).toEqual([['ldap', true]])
})

it('nothing is asked on a production system', async () => {
  const { ctx, taken } = ctxOf(inSql(false), 'production')
  expect(await askSql(ctx, POINTS)).toEqual([])
  expect(taken).toEqual([])
})

/** As a store of documents compares a password, or what takes anything that is no text. */
const reading =
  (kind: 'documents' | 'anything' | 'texts') =>
  (password: Member): boolean => {
    if (typeof password === 'string') return password === OWN.password
    if (kind !== 'documents') return kind === 'anything'
    return Object.entries(password).every(([operator, value]) => {
      const own: readonly string[] = typeof value === 'string' ? [value] : value
      const is = own.includes(OWN.password)
      return operator === '$ne' || operator === '$nin' ? !is : operator === '$eq' || operator === '$in' ? is : false
    })
  }

it.each([
  ['documents', ['password']],
  ['anything', []],
  ['texts', []],
] as const)('operators in place of the password, where %s are compared', async (kind, expected) => {
  const { ctx } = ctxOf(
    ({ login, password }) => login === OWN.login && password === OWN.password,
    'test',
    reading(kind),
  )
  const found = await askInjection(ctx, POINTS)
  expect(found.map(({ point: { name } }) => name)).toEqual(expected)
  expect(found.every(({ hit }) => hit.kind === 'nosql' && isProven(hit))).toBe(true)
  expect(JSON.stringify(found.map(({ hit }) => hit))).not.toContain(OWN.password)
})

it.each([
  ['that says so', { signsIn: true }, {}],
  ['by the address of the run’s own form', {}, { form: { url: 'http://shop.test/session?page=login' } }],
])(
  'where one program answers for all it is told of the sign-in, %s, and not of the form for new accounts',
  async (_how, own, session) => {
    const { ctx } = ctxOf(inSql(false))
    const at = (page: string, more: object = {}) => {
      const made = point('password', `/session?page=${page}`)
      return { ...made, request: { ...made.request, ...more } }
    }
    const asked = { ...ctx, session: { ...ctx.session, ...session } } as unknown as typeof ctx
    const found = await askSql(asked, [at('login', own), at('register')])
    expect(found.map(({ point: { request } }) => request.url)).toEqual(['http://shop.test/session?page=login'])
  },
)
