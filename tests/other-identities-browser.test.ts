/** An application of one page, whose menu shows a view to the second person of a run alone. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sharedBrowser } from '../src/engine/testing/shared-browser.ts'
import { scanAs } from './support/scan-as.ts'

const SHELL = `<!doctype html><title>Teas</title><nav></nav><main></main><script>
  const views = {
    '#/teas': () => fetch('/api/teas'),
    '#/orders': () => fetch('/api/orders?status=open'),
  }
  const show = async () => {
    const view = views[location.hash]
    document.querySelector('main').textContent = view ? JSON.stringify(await (await view()).json()) : 'Welcome'
  }
  addEventListener('hashchange', show)
  fetch('/api/me').then((answer) => answer.json()).then(({ name, links }) => {
    document.querySelector('nav').innerHTML = name + links.map((one) => '<a href="#/' + one + '">' + one + '</a>').join(' ')
    show()
  })
</script>`

test('a view that the second alone is led to is opened, and what it asks for is probed, as that one', async () => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table orders (id integer, status text)')
  for (let id = 1; id <= 9; id += 1) db.prepare('insert into orders values (?, ?)').run(id, id % 2 ? 'open' : 'sent')
  const answer = (request: IncomingMessage, response: ServerResponse): ServerResponse => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
    const who = /who=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const json = (value: unknown, status = 200): ServerResponse =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    const isStaff = who === 'mara'
    if (pathname === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(SHELL)
    if (pathname === '/api/me')
      return who === ''
        ? json({ error: 'sign in' }, 401)
        : json({ name: who, links: isStaff ? ['teas', 'orders'] : ['teas'] })
    if (pathname === '/api/teas') return json(['Assam', 'Sencha'])
    if (pathname !== '/api/orders') return json({ error: 'not found' }, 404)
    if (!isStaff) return json({ error: 'not for you' }, 403)
    try {
      return json(db.prepare(`select * from orders where status = '${searchParams.get('status') ?? ''}'`).all())
    } catch {
      return json({ error: 'something went wrong' }, 500)
    }
  }
  const people = [
    { name: 'tom', role: 'customer', credentials: { cookie: 'who=tom', header: null } },
    { name: 'mara', role: 'staff', credentials: { cookie: 'who=mara', header: null } },
  ]
  const asked = {
    answer: (...of: Parameters<typeof answer>) => void answer(...of),
    people,
    environment: 'test',
    besides: ['waf', 'sqli'],
    launchBrowser: sharedBrowser,
  } as const
  const findings = (await scanAs(asked)).ends.get('sqli')?.findings ?? []
  const places = findings.flatMap((one) =>
    one.places.map(({ url, parameter }) => `${new URL(url ?? '').pathname} ${parameter}`),
  )
  expect([...new Set(places)]).toEqual(['/api/orders status'])
  expect(findings[0]?.proof?.replay).toMatch(/ # signed in as mara$/)
}, 240_000)
