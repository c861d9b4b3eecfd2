/**
 * A back office as careless ones are: much is done with GET, nothing asks for a token, and buttons say in every way there is
 * what they do. It keeps what it is told, and knows of each address whether it only reads.
 */
import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { basename, join } from 'node:path'

export interface Office {
  readonly listener: RequestListener
  /** All that it keeps, sessions and counters apart. */
  readonly kept: () => unknown
  /** What was done to it, one line each. */
  readonly deeds: readonly string[]
  /** Values by `route parameter`, of routes that only read. */
  readonly asked: ReadonlyMap<string, ReadonlySet<string>>
  readonly places: readonly string[]
}

export const SESSION = 'sid=administrator'

/** Only read. In braces what is a place of the path; `?` what the pages link to, of which the first name always. */
const ROUTES: Readonly<Record<string, string>> = {
  '/users/list': '?page=2&sort=name',
  '/users/{id}': '/users/3?view=full',
  '/orders': '?status=cancel&q=tent',
  '/orders/{id}': '/orders/12?tab=items',
  '/reports/view': '?year=2024&kind=revenue',
  '/search': '?q=reset',
  '/settings': '?tab=mail',
  '/settings/history': '?since=2024-01-01',
  '/audit': '?level=high&actor=robin',
  '/help': '?topic=delete-an-account',
  '/blog/how-to-reset-a-password': '?ref=start',
  '/docs/install': '?lang=en',
  '/products': '?color=clear&size=m',
  '/products/{id}': '/products/7?zoom=2',
  '/members': '?name=robin',
  '/invoices': '?from=2024-01-01&until=2024-12-31',
  '/documents': '?folder=inbox',
  '/calendar': '?month=2',
  '/export': '?format=csv&columns=all',
  '/updates': '?channel=stable',
  '/trash': '?page=1',
  '/archive': '?year=2023',
  '/plugins': '?sort=enabled',
  '/me/edit': '?part=address',
  '/records/find': '?text=tent',
  '/statistics': '?period=week',
  // Only the script of a button asks for it.
  '/api/rows': '?from=20',
}

/** The further names of a link are asked as the first one is: with SONDE_LONG=1. */
const READING: Readonly<Record<string, string>> = process.env.SONDE_LONG
  ? ROUTES
  : Object.fromEntries(Object.entries(ROUTES).map(([route, link]) => [route, link.replace(/&.*/, '')]))

const START = `
<a href="/password">Password</a> <a href="/profile">Profile</a> <a href="/records">Records</a>
<a href="/createdb">Demo data</a> <a href="/setup?step=2">Setup</a> <a href="/logout">Log out</a>
<a href="/difficulty/hard">hard</a> <a href="/set_level?level=2">Level 2</a> <a href="/users/3/toggle">Robin</a>
<a href="/features?enable=beta">Beta</a> <a href="/u?id=3&r=1">Make admin</a> <a href="/u?id=4&r=1">Promote Mika</a>
<a href="/orders/12/x?go=1" onclick="return confirm('Sure?')">12</a>
<a href="/void?order=12"><img alt="Delete" src="/bin.png"></a> <a href="/drop?list=3" aria-label="Remove the list">×</a>
<a href="/users/resetPassword?id=3">New password</a> <a href="/exports/save?file=report.csv">CSV</a>
<a href="/backup/run?name=nightly">Now</a> <a href="/index?do=deleteUser2&id=4">4</a>
<button id=wipe><span>Delete</span> all</button><button id=on title="Enable maintenance">●</button><button id=debug>Enable debugging</button>
<button data-flag=1 id=f onclick="fetch('/api/flags/beta/activate')">beta</button><button id=more>More</button>
<script>
document.getElementById('wipe').onclick = () => fetch('/api/records/clean?which=all')
document.getElementById('on').onclick = () => fetch('/mode?m=1')
document.getElementById('debug').onclick = () => fetch('/mode?m=2', { headers: { 'X-Of': 'office' } })
document.getElementById('more').onclick = () => fetch('/api/rows?from=20')
</script>`

const PAGES: Readonly<Record<string, string>> = {
  '/password': `<form action="/password/change"><input type=password name=password_new><input type=password name=password_conf><input type=submit name=Change value=Change></form>
<form method=post action="/password/change"><input type=password name=old><input type=password name=new><button>OK</button></form>`,
  '/profile': `<form action="/profile/store"><input name=display_name value="Robin Hale"><button>Save</button></form>
<form action="/nick"><input name=nick value="Robin"><input type=submit value=OK></form>
<form method=post action="/profile"><input name=mail type=email value="a@example.org"><button>Save</button></form>`,
  '/records': `<form action="/records/act"><input type=hidden name=id value=3><button><img src=/bin.png alt="Delete record"></button></form>
<form action="/records/empty"><input type=hidden name=list value=2><button aria-label="Empty the list">∅</button></form>
<form action="/records/do"><input type=hidden name=action value=archive_delete><input name=id value=3><button>Go</button></form>
<form method=post action="/records"><input name=title><button>Add</button></form>
<form method=post action="/notes"><textarea name=comment></textarea><button>Reply</button></form>
<form action="/records/find"><input name=text><button>Find</button><button formaction="/records/purge">Purge</button></form>
<form action="/flags"><input type=checkbox name=beta checked><input type=hidden name=set_flags value=1><button>Apply</button></form>`,
  '/admin': 'Administration',
}

/** Their parameters say nothing of what is done. */
const DEEDS =
  /^\/(?:password\/change|profile\/store|nick|createdb|setup|logout|difficulty\/\w+|set_level|users\/\d+\/toggle|features|u|orders\/\d+\/x|void|drop|users\/resetPassword|exports\/save|backup\/run|index|api\/flags\/\w+\/activate|api\/records\/clean|mode|records\/act|records\/empty|records\/do|records\/purge|flags)$/

/** What its forms post to. */
const POSTED = /^\/(?:password\/change|profile|records|notes|login)$/

/** `folder`: where its exports go, by whatever name they are given. */
export const openOffice = (folder: string): Office => {
  const kept: Record<string, unknown> = { records: ['Ridge tent', 'Lamp'], users: ['administrator', 'robin', 'mika'] }
  const deeds: string[] = []
  const asked = new Map<string, Set<string>>()
  const done = (what: string): void => {
    deeds.push(what)
    kept[what.split(' ')[1]?.split('?')[0] ?? what] = what
  }
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop.test')
    const say = (body: string, status = 200, type = 'text/html'): void => {
      response.writeHead(status, { 'Content-Type': type }).end(body)
    }
    const signedIn = (request.headers.cookie ?? '').includes(SESSION)
    if (!signedIn)
      return say(
        '<title>Sign in</title><form method=post action=/login><input name=user><input name=pass type=password></form>',
      )
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      if (!POSTED.test(url.pathname)) return say('nothing here', 404)
      done(`${request.method} ${url.pathname}${url.search}`)
      return say(page('Done.'))
    }
    if (DEEDS.test(url.pathname)) {
      done(`GET ${url.pathname}${url.search}`)
      const file = url.searchParams.get('file')
      if (file) void writeFile(join(folder, basename(file) || 'none'), 'a,b\n').catch(() => undefined) // A name that is none.
      return say(page('Done.'))
    }
    const route = routeOf(url.pathname)
    if (route) {
      const note = (name: string, value: string): void => {
        const values = asked.get(`${route} ${name}`) ?? new Set()
        asked.set(`${route} ${name}`, values.add(value))
      }
      for (const [name, value] of url.searchParams) note(name, value)
      if (route.endsWith('{id}')) note('{id}', url.pathname)
      return say(
        page(`${route}: ${[...url.searchParams].map(([, value]) => value.replace(/[<>&"']/g, '')).join(', ')}`),
      )
    }
    if (url.pathname === '/')
      return say(
        page(
          START +
            Object.entries(READING)
              .filter(([route]) => !route.startsWith('/api/'))
              .map(linkOf)
              .join(' '),
        ),
      )
    const own = PAGES[url.pathname]
    return own === undefined ? say('nothing here', 404) : say(page(own))
  }
  return { listener, kept: () => structuredClone(kept), deeds, asked, places: placesOf() }
}

const page = (content: string): string =>
  `<!doctype html><title>Office</title><nav><a href="/">Start</a> <a href="/admin">Admin</a></nav><main>${content}</main><p>Signed in as administrator.`

const linkOf = ([route, link]: readonly [string, string], index: number): string =>
  `<a href="${link.startsWith('/') ? link : route + link}">Page ${index + 1}</a>`

const routeOf = (path: string): string | undefined => {
  if (READING[path] !== undefined) return path
  const parent = path.replace(/\/[^/]+$/, '')
  return READING[`${parent}/{id}`] === undefined ? undefined : `${parent}/{id}`
}

const placesOf = (): readonly string[] =>
  Object.entries(READING).flatMap(([route, link]) => [
    ...[...new URL(link, 'http://shop.test').searchParams.keys()].map((name) => `${route} ${name}`),
    ...(route.endsWith('{id}') ? [`${route} {id}`] : []),
  ])
