/** The site as it is planned and served: ordinary addresses, and twins that nothing ordinary tells apart. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
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

/** Those that need no database beyond this process, and show no moment or number of their own. */
const served = ENTRIES.filter(({ case: { id } }) => !/^(?:mariadb|postgres)|^address-fetched/.test(id))

it('answers what is ordinary alike on both, and nothing of members to others', async () => {
  const sql = await fillShop(await startSqlite())
  const around = { databases: { sqlite: sql, mariadb: sql, postgres: sql }, folder: tmpdir() }
  const careless = await listen(serveSite(siteOf(served, true), around))
  const careful = await listen(serveSite(siteOf(served, false), around))
  try {
    const cookies = [await sessionAt(careless.origin), await sessionAt(careful.origin)]
    for (const entry of served.filter(isPlain)) {
      const [one, other] = [await ask(careless.origin, entry, cookies[0]), await ask(careful.origin, entry, cookies[1])]
      expect({ id: entry.case.id, status: one.status }).toEqual({ id: entry.case.id, status: other.status })
      if (!entry.member) continue
      const stranger = await ask(careless.origin, entry)
      expect(stranger.headers.get('Location')).toBe('/sign-in')
    }
  } finally {
    await Promise.all([careless.close(), careful.close(), sql.close()])
  }
}, 60_000)

/** Files of the site are not there, and heads are written by hand. */
const isPlain = ({ case: one }: Entry): boolean => one.class !== 'traversal' && one.class !== 'header'

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

const ask = (origin: string, entry: Entry, session = ''): Promise<Response> => {
  const { method, url, headers, body } = sentFor(entry)
  const cookie = [session, headers.Cookie].filter(Boolean).join('; ')
  return fetch(`${origin}${url}`, {
    ...{ method, redirect: 'manual' },
    headers: { ...headers, ...(cookie === '' ? {} : { Cookie: cookie }) },
    ...(body === undefined ? {} : { body }),
  })
}
