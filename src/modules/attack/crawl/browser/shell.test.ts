/** An application that one document draws at any address, whose server refuses what looks like a file that is not there, in a real browser. */
import { afterEach, expect, it } from 'vitest'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import { closeCrawled, crawl, type Pages } from '../testing/crawling.ts'

afterEach(closeCrawled)

const SHELL = '<!doctype html><title>Meals</title><div id=app></div><script type=module src=/assets/index.js></script>'
const CODE = `
  const views = { '/': 'This week', '/help': 'Help <i id=topic></i>', '/find': 'Find <input name=term><button>Find</button>', '/orders': 'Orders' }
  const draw = () => {
    const links = Object.keys(views).slice(0, 3).map((path) => '<a href="' + path + '">' + path.slice(1) + '</a>').join(' ')
    document.getElementById('app').innerHTML = '<header>' + links + '</header><main>' + (views[location.pathname] ?? '') + '</main>'
  }
  const routes = [{ path: '/help', component: 1 }, { path: '/find', component: 2 }, { path: '/orders', component: 3 }]
  draw(routes)
`

it.each([
  ['as all else', (_path: string) => false],
  ['as not there', (path: string) => path.includes('.')],
])('its views are pages where names with an ending are answered %s', async (_name, isRefused) => {
  const pages = new Proxy<Pages>(
    { '/assets/index.js': { type: 'text/javascript', body: CODE } },
    { get: (own, path) => own[String(path)] ?? (isRefused(String(path)) ? { status: 404, body: 'none' } : SHELL) },
  )
  const { facts } = await crawl(pages, { launchBrowser: sharedBrowser })
  const opened = new Set(facts.scripted?.map(({ url }) => new URL(url).pathname))
  expect([...opened].toSorted()).toEqual(['/', '/find', '/help', '/orders'])
  expect(facts.browser.pages).toBeGreaterThanOrEqual(4)
  // The server reads nothing of their address: beside the start two are asked as requests, and the form.
  const asked = facts.requests.filter(({ source }) => source !== 'form').map(({ shape }) => new URL(shape).pathname)
  expect(new Set(asked).size).toBeLessThanOrEqual(3)
})

it.each([
  ['with the document of all views', SHELL, []],
  ['by a page of its own', '<!doctype html><title>Found</title><p>Three meals.', ['?term=test']],
])(
  'a form in a view, which a script hears, is asked where the server answers it %s',
  async (_name, answer, expected) => {
    const code = CODE.replace(
      '<input name=term><button>Find</button>',
      '<form><input name=term><button>Find</button></form>',
    )
    const heard = "addEventListener('submit', (event) => event.preventDefault())"
    const pages = new Proxy<Pages>(
      { '/assets/index.js': { type: 'text/javascript', body: `${code};${heard}` } },
      { get: (own, path) => own[String(path)] ?? (({ url = '' }) => (url.startsWith('/find?term') ? answer : SHELL)) },
    )
    const { facts } = await crawl(pages, { launchBrowser: sharedBrowser })
    const asked = facts.requests.flatMap(({ url }) => (url.includes('/find?term') ? [new URL(url).search] : []))
    expect(asked).toEqual(expected)
    const merged = facts.reach?.rows.filter(({ kind, fate }) => kind === 'form' && fate === 'merged') ?? []
    expect(merged.length > 0).toBe(expected.length === 0)
  },
)

it('what the view of a path that nobody has draws leads nowhere', async () => {
  const code = CODE.replace("'</header>", "'<form><input name=term><button>Find</button></form></header>")
  const heard = "addEventListener('submit', (event) => event.preventDefault())"
  const pages = new Proxy<Pages>(
    { '/assets/index.js': { type: 'text/javascript', body: `${code};${heard}` } },
    { get: (own, path) => own[String(path)] ?? SHELL },
  )
  const { facts } = await crawl(pages, { launchBrowser: sharedBrowser })
  const paths = new Set(facts.urls.map(({ url }) => new URL(url).pathname))
  expect([...paths].toSorted()).toEqual(['/', '/find', '/help', '/orders'])
})
