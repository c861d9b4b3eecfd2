/** Guards that read a request otherwise than what answers it, and such as do not. */
import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { askBypasses } from './ask.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Asked {
  readonly target: string
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
}
/** Whether the guard lets it through, and what is looked up then. */
type Guard = (asked: Asked) => { readonly lets: boolean; readonly name: string; readonly says?: string | undefined }

const SECRET: Readonly<Record<string, string>> = {
  '/staff/rota': 'Rota of the week: Ada early, Ben late, Cora at the harbour, Dirk away until Monday',
  '/staff/notes': 'Notes of the meeting on the new quay, the prices of the winter and who is to call the carpenter',
  '/files/plan.bak': 'old plan of the whole harbour with all its moorings and the chains below them, drawn in spring',
}
const decoded = (target: string): string => decodeURIComponent(target.split('?')[0] ?? '')

const site =
  (guard: Guard): RequestListener =>
  (request, response) => {
    const target = request.url ?? '/'
    const page = (status: number, text: string): void =>
      void response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text)
    const { lets, name, says = 'Forbidden' } = guard({ target, path: decoded(target), headers: request.headers })
    if (name === '/')
      return page(200, says === 'Forbidden' ? 'Welcome to the harbour, its berths and its weather of today' : says)
    if (name.startsWith('/public'))
      return page(200, 'What everybody may read of the harbour: opening hours, prices, tides')
    if (!lets) return page(403, says)
    return SECRET[name] === undefined ? page(404, 'There is nothing of that name') : page(200, SECRET[name])
  }

const bypassesOf = async (
  guard: Guard,
  paths: readonly string[] = ['/staff/rota'],
  others: Readonly<Record<string, number>> = {},
) => {
  const requests: string[] = []
  const listener = site(guard)
  const servers = await serveCase(81, {
    http: (request, response) => {
      requests.push(request.url ?? '')
      listener(request, response)
    },
  })
  closing.push(servers.close)
  const { ctx, close } = collectContext(servers.address, { module: 'authorization', requests: 2_000 })
  closing.push(close)
  const urls = [
    ...[...paths].map((path) => ({ path, status: 403 })),
    ...Object.entries({ ...others, '/public/hours.md': 200 }).map(([path, status]) => ({ path, status })),
    { path: '/', status: 200 },
  ].map(({ path, status }) => ({
    ...{ url: `http://shop.test${path}`, status, contentType: 'text/plain', title: '', depth: 1 },
    source: 'link' as const,
  }))
  const found = await askBypasses(ctx, { urls }, [], { nobody: { own: new Map() } as never })
  return { ...found, requests }
}

const isStaff = (path: string): boolean => path.startsWith('/staff/') || path.endsWith('.bak')

test.each<[string, Guard]>([
  ['slashes', ({ target, path }) => ({ lets: !isStaff(target), name: path.replace(/^\/+/, '/') })],
  ['coded', ({ target, path }) => ({ lets: !/^\/staff\/rota/.test(target), name: path })],
  ['case', ({ target, path }) => ({ lets: !isStaff(target) || !/rota|qx/.test(target), name: path.toLowerCase() })],
  ['query-path', ({ target, path }) => ({ lets: !isStaff(path) || target.includes('/public/hours.md'), name: path })],
  ['sender', ({ path, headers }) => ({ lets: !isStaff(path) || headers['x-real-ip'] === '127.0.0.1', name: path })],
  [
    'cookies',
    ({ path, headers }) => ({ lets: !isStaff(path) || /role=admin/.test(String(headers.cookie)), name: path }),
  ],
  [
    'x-original-url',
    ({ path, headers }) => {
      const name = String(headers['x-original-url'] ?? path)
      return { lets: !isStaff(path), name }
    },
  ],
])('what is refused and answered to another way of asking is found: %s', async (way, guard) => {
  const { hits, asked } = await bypassesOf(guard)
  expect(hits.map((hit) => [hit.way, hit.url, hit.status])).toEqual([[way, 'http://shop.test/staff/rota', 403]])
  expect(hits[0]?.excerpt).toContain('Ada early')
  expect(hits[0]?.replay).toMatch(/^curl -si --path-as-is '/)
  expect(asked).toEqual({ asked: 1, known: 1, reasons: [] })
})

test('the path of what is beside it is tried first, though nothing is there', async () => {
  const guard: Guard = ({ target, path }) => ({ lets: !isStaff(path) || target.includes('/staff/photo'), name: path })
  const { hits } = await bypassesOf(guard, ['/staff/rota'], { '/assets/app.css': 200, '/staff/photo': 404 })
  expect(hits.map(({ words }) => words)).toEqual(['with the public /staff/photo in its query'])
})

test('of several headers that one is named which lets through', async () => {
  const { hits } = await bypassesOf(({ path, headers }) => ({
    ...{ lets: !isStaff(path) || headers['x-client-ip'] === '127.0.0.1', name: path },
  }))
  expect(hits.map(({ words }) => words)).toEqual(['with X-Client-IP: 127.0.0.1'])
})

test('an ending that everybody may have, behind a null byte', async () => {
  const guard: Guard = ({ path }) => {
    const name = path.split(/%00|\0/)[0] ?? ''
    return { lets: path.endsWith('.md'), name }
  }
  const { hits } = await bypassesOf(guard, ['/files/plan.bak'])
  expect(hits.map(({ words }) => words)).toEqual(['with a null byte and “.md” behind it'])
})

test('one way to several addresses is one finding', async () => {
  const { hits, asked } = await bypassesOf(
    ({ path, headers }) => ({ lets: !isStaff(path) || headers.referer !== undefined, name: path }),
    ['/staff/rota', '/staff/notes'],
  )
  expect(hits.map(({ way, also }) => [way, also])).toEqual([['referer', ['http://shop.test/staff/notes']]])
  expect(asked.asked).toBe(2)
})

const MANY = Array.from({ length: 30 }, (_, index) => `/staff/note${'abcdefghijklmnopqrstuvwxyzABCD'[index]}`)

test('what one rule refuses alike is asked in every way at some, and what the answers tell apart at each', async () => {
  const { asked, requests } = await bypassesOf(
    ({ path }) => ({ lets: false, name: path }),
    [...MANY, '/files/plan.bak'],
  )
  expect(asked).toEqual({ asked: 31, known: 31, reasons: [] })
  expect(requests.length).toBeLessThan(250)
  expect(requests.filter((target) => /^\/staff\/note\w\/$/.test(target))).toHaveLength(3)
  // Of another folder, and of files: it may be another rule.
  expect(requests).toContain('/files/plan.bak/.')
  expect(requests.indexOf('/files/plan.bak')).toBeLessThan(requests.indexOf('/staff/noteb'))
})

test('where a way has helped once each of its guard is asked', async () => {
  const guard: Guard = ({ path, headers }) => ({ lets: !isStaff(path) || headers.referer !== undefined, name: path })
  const { hits } = await bypassesOf(guard, [...MANY.slice(0, 2), '/staff/rota', ...MANY.slice(2, 6), '/staff/notes'])
  expect(hits.map(({ way, also }) => [way, also])).toEqual([['referer', ['http://shop.test/staff/notes']]])
})

test('of very many guards one of each folder comes first, and the check says how many were not asked', async () => {
  const { asked, requests } = await bypassesOf(
    ({ path }) => ({ lets: false, name: path, says: SAYS[path.at(-1) ?? ''] }),
    [...MANY, '/files/plan.bak'],
  )
  expect(asked).toMatchObject({ asked: 24, known: 31, reasons: [{ count: 7 }] })
  expect(requests.indexOf('/files/plan.bak')).toBeLessThan(requests.indexOf('/staff/noteb'))
})
const SAYS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'abcdefghijklmnopqrstuvwxyzABCD'].map((letter) => [letter, `Only ${letter.repeat(3)} may`]),
)

test('a program that answers many is asked for the same one, however its name ends', async () => {
  const guard: Guard = ({ target, path }) => {
    if (!path.startsWith('/club.php')) return { lets: true, name: path }
    return target.includes('do=rota') ? { lets: false, name: '/staff/rota' } : { lets: true, name: '/public/club' }
  }
  const { hits } = await bypassesOf(guard, ['/club.php?do=rota'])
  expect(hits).toEqual([])
})

test.each<[string, Guard]>([
  [
    'a guard that decodes first',
    ({ path }) => ({ lets: !isStaff(path.toLowerCase().replace(/^\/+/, '/')), name: path }),
  ],
  ['a start page for whatever is unknown', ({ path }) => ({ lets: false, name: isStaff(path) ? path : '/' })],
  ['a page for whatever is unknown', ({ path }) => ({ lets: false, name: isStaff(path) ? path : '/public' })],
])('nothing is said of %s', async (_, guard) => {
  const { hits, asked, requests } = await bypassesOf(guard)
  expect(hits).toEqual([])
  expect(asked).toEqual({ asked: 1, known: 1, reasons: [] })
  expect(requests.length).toBeLessThan(80)
})

test('a start page that others add to meanwhile is no other way to anything', async () => {
  let entries = 0
  const growing = (): string => {
    entries += 1
    const lines = Array.from(
      { length: 4 + entries },
      (_, n) => `Berth ${n} was let to the boat of somebody called ${n * 7919}`,
    )
    return `Welcome to the harbour. ${lines.join('. ')}`
  }
  // What a header says is not read: with any, the root is answered.
  const { hits } = await bypassesOf(({ path }) =>
    path === '/' ? { lets: true, name: '/', says: growing() } : { lets: !isStaff(path), name: path },
  )
  expect(hits).toEqual([])
})

test('a refusal that is over meanwhile is no bypass', async () => {
  let count = 0
  const { hits, asked } = await bypassesOf(({ path }) => {
    count += 1
    return { lets: count > 6, name: path.replace(/\/$/, '') || '/' }
  })
  expect(hits).toEqual([])
  expect(asked).toMatchObject({ asked: 0, known: 1 })
})

test('a way that nobody answers, and what the policy leaves alone, are no part of a pass', async () => {
  const listener = site(({ path }) => ({ lets: false, name: path }))
  const servers = await serveCase(82, {
    http: (request, response) => (request.url?.includes('%09') ? void response.destroy() : listener(request, response)),
  })
  closing.push(servers.close)
  const { ctx, close } = collectContext(servers.address, { module: 'authorization', requests: 2_000 })
  closing.push(close)
  const urls = ['/staff/rota', '/staff/9/delete'].map((path) => ({
    ...{ url: `http://shop.test${path}`, status: 403, contentType: 'text/plain', title: '', depth: 1 },
    source: 'link' as const,
  }))
  const { asked } = await askBypasses(ctx, { urls }, [], { nobody: { own: new Map() } as never })
  expect(asked).toMatchObject({ asked: 0, known: 2 })
  expect(asked.reasons.map(({ reason }) => reason).toSorted()).toEqual([
    'left alone by the policy of the run',
    'one of the other ways to it was not answered',
  ])
})

test('what nobody is refused any more is no part of it', async () => {
  expect((await bypassesOf(({ path }) => ({ lets: true, name: path }))).asked).toEqual({
    asked: 0,
    known: 0,
    reasons: [],
  })
})
