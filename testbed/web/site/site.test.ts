/** The site as it is planned and served: ordinary addresses, and twins that nothing ordinary tells apart. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLASSES } from '../../../bench/beds/classes.ts'
import { fillShop, startSqlite } from '../sql.ts'
import { WAYS } from './case.ts'
import { SITE_CASES } from './cases.ts'
import { type Entry, isCareless, planEntries, planSites, siteOf } from './plan.ts'
import { sentFor } from './requests.ts'
import { serveSite, VISITOR } from './serve.ts'

const ENTRIES = planEntries(SITE_CASES)

describe('the plan', () => {
  it('gives each case an address and a class of its own', () => {
    expect(new Set(SITE_CASES.map(({ id }) => id)).size).toBe(SITE_CASES.length)
    expect(new Set(ENTRIES.map(({ path }) => path)).size).toBe(SITE_CASES.length)
    expect(SITE_CASES.filter((one) => CLASSES[one.class] === undefined)).toEqual([])
  })

  it('uses every way, some of them for members', () => {
    expect(new Set(ENTRIES.map(({ way }) => way))).toEqual(new Set(WAYS))
    expect(ENTRIES.filter(({ member }) => member).length).toBeGreaterThan(20)
  })

  it('has no word of a class in an address', () => {
    const words = [
      ...Object.keys(CLASSES).filter((name) => name !== 'page'),
      'sql',
      'search',
      'find',
      'inject',
      'careless',
      'careful',
      'query',
    ]
    expect(ENTRIES.filter(({ path }) => words.some((word) => path.includes(word)))).toEqual([])
  })

  it('makes each case careless on one site and careful on another', () => {
    const sites = planSites(ENTRIES, 80)
    for (const entry of ENTRIES) {
      const on = sites.filter((site) => site.entries.includes(entry))
      expect(on.map((site) => isCareless(site, entry)).toSorted()).toEqual([false, true])
    }
  })
})

/** Those that need no database beyond this process. */
const served = ENTRIES.filter(({ case: { id } }) => !/^(?:mariadb|postgres)/.test(id))

let both: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  both = await open()
})
afterAll(async () => await both.close())

it('answers what is ordinary alike on both, and nothing of members to others', async () => {
  for (const entry of served.filter(isPlain)) {
    const [one, other] = [await ask(both.careless, entry), await ask(both.careful, entry)]
    expect({ id: entry.case.id, status: one.status }).toEqual({ id: entry.case.id, status: other.status })
    if (!entry.member) continue
    const stranger = await ask({ ...both.careless, session: '' }, entry)
    expect(stranger.headers.get('Location')).toBe('/sign-in')
  }
}, 60_000)

const TRUE = "x' or '1'='1"
const OUTPUT = ['$(echo a$((3*7))b)', 'a21b'] as const
const MARKUP = ['<i id=x1>', '<i id=x1>'] as const

/** What shows each flaw: a value, and what stands in the answer then. */
const WITNESSES: readonly (readonly [id: string, value: string, seen: string])[] = [
  ...[
    'behind-select',
    'behind-upload',
    'one-field-alone',
    'address-of-a-button',
    'hash-route-json',
    'upper-case',
    'cut',
  ]
    .concat(['header-of-a-script', 'variable-of-graphql', 'list-of-json', 'word-of-a-path'])
    .map((id) => [id, TRUE, 'Zephyr'] as const),
  ...['below-a-base', 'behind-a-press-sql', 'quotes-doubled'].map((id) => [id, '2 or 1=1', 'Zephyr'] as const),
  ...['behind-textarea', 'cookie-of-a-script', 'header-of-a-script-command'].map((id) => [id, ...OUTPUT] as const),
  ...['behind-radio', 'in-a-comment', 'behind-a-press', 'cut-shown'].map((id) => [id, ...MARKUP] as const),
  ['in-a-frame', '"><i id=x1>', '"><i id=x1>'],
  ['attribute-name', 'onload=x1', '<div onload=x1>'],
  ['tag-name', 'img src=x onerror=x1', '<img src=x onerror=x1>'],
  ['upper-case-shown', '<i id=x1>', '<I ID=X1>'],
  ['quotes-doubled-shown', "' onfocus=x1 a='", "value=''' onfocus=x1 a=''"],
  ['like-in-three-columns', "zz%' or 1=1 -- ", 'Zephyr'],
  ['words-stripped', "x' uniunionon selselectect 1,2,3,41 -- ", '1 · 2 · 3 · 41'],
  ['limit-in-a-form', '(select 5)', 'Zephyr'],
  ['query-of-a-script', "zz%' or 1=1 -- ", 'Zephyr'],
  ['behind-a-redirect', '{{7*191}}', '1337'],
  ['behind-a-link-header', "'+7*191+'", '1337'],
  ['variable-of-graphql-code', '"+7*191+"', '1337'],
  ['hash-route-query', '*', 'Mika Storm'],
  ['list-of-json-xpath', TRUE, 'Mika Storm'],
  ['behind-refresh', '../../../../../../../../proc/version', 'Linux version'],
]

it.each(WITNESSES)('%s shows its flaw, and its twin does not', async (id, value, seen) => {
  const entry = ENTRIES.find((one) => one.case.id === id)
  if (!entry) throw new Error('no such case')
  expect(await (await ask(both.careless, entry, value)).text()).toContain(seen)
  expect(await (await ask(both.careful, entry, value)).text()).not.toContain(seen)
})

const open = async () => {
  const sql = await fillShop(await startSqlite())
  const around = { databases: { sqlite: sql, mariadb: sql, postgres: sql }, folder: tmpdir() }
  const careless = await listen(serveSite(siteOf(ENTRIES, true), around))
  const careful = await listen(serveSite(siteOf(ENTRIES, false), around))
  return {
    careless: { origin: careless.origin, session: await sessionAt(careless.origin) },
    careful: { origin: careful.origin, session: await sessionAt(careful.origin) },
    close: async () => {
      await Promise.all([careless.close(), careful.close(), sql.close()])
    },
  }
}

/** Files of the shop are not there, heads are written by hand, and one address leads elsewhere. */
const isPlain = ({ case: one }: Entry): boolean => !['traversal', 'header', 'ssrf'].includes(one.class)

const listen = async (listener: ReturnType<typeof serveSite>) => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const sessionAt = async (origin: string): Promise<string> => {
  const body = new URLSearchParams({ user: VISITOR.user, password: VISITOR.password })
  const { headers } = await fetch(`${origin}/sign-in`, { method: 'POST', body, redirect: 'manual' })
  return headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

const ask = (
  { origin, session }: { readonly origin: string; readonly session: string },
  entry: Entry,
  value = entry.case.value,
): Promise<Response> => {
  const { method, url, headers, body } = sentFor(entry, value)
  const cookie = [session, headers.Cookie].filter(Boolean).join('; ')
  return fetch(`${origin}${url}`, {
    ...{ method, redirect: 'manual' },
    headers: { ...headers, ...(cookie === '' ? {} : { Cookie: cookie }) },
    ...(body === undefined ? {} : { body }),
  })
}
