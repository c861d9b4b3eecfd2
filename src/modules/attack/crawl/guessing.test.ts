import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { casePage } from '../../testing/site-facts.ts'
import { guessAdministration, guessOperations, guessPages } from './guessing.ts'

const NONE =
  '<title>Club</title><h1>There is no such page</h1><p>Please go back to the start page of the club and look there.</p>'
const START =
  '<title>Club</title><h1>Welcome to the club</h1><p>We meet on each Tuesday at seven in the old harbour.</p>'

type Headers = readonly (readonly [string, string])[]
type Pages = Readonly<Record<string, { status?: number; body: string; type?: string; headers?: Headers }>>
type Guess = (parts: Parameters<typeof guessPages>[0]) => Promise<void>

/** Answers of the site by path; else `missing`. */
const guessed = async (pages: Pages, missing = 404, guess: Guess = guessPages, start = '/') => {
  const asked: string[] = []
  const added: string[] = []
  await guess({
    origin: 'http://shop.test',
    fetcher: {
      get: async (url) => {
        const path = new URL(url).pathname
        asked.push(path)
        return caseAnswer({ path, ...(pages[path] ?? { status: missing, body: NONE }) })
      },
    },
    frontier: { add: (url) => added.push(new URL(url).pathname) > 0 },
    site: {
      missing: [casePage({ status: missing, body: NONE })],
      pages: [casePage({ body: START, url: `http://shop.test${start}` })],
    },
  })
  return { asked, added }
}

/** What lies below an administration; `known`: paths that the crawl has met. */
const administered = (pages: Pages, known: readonly string[]) =>
  guessed(pages, 404, (parts) =>
    guessAdministration({ ...parts, known: known.map((path) => `http://shop.test${path}`) }),
  )

const ADMIN = '<h1>Administration</h1><ul><li>ida@shop.test</li><li>ole@shop.test</li></ul>'

it('an application below a folder has its administration there', async () => {
  const pages = {
    '/club/admin': { body: ADMIN },
    '/club/admin/members': { body: `${ADMIN}<p>Members of the club, all of them</p>` },
  }
  expect((await guessed(pages, 404, guessPages, '/club/news/')).added).toEqual(['/club/admin'])
  expect((await guessed(pages, 404, guessPages, '/club')).added).toEqual([])
  const known = ['/club/news/', '/club/members/3'].map((path) => `http://shop.test${path}`)
  const below = await guessed(pages, 404, (parts) => guessAdministration({ ...parts, known }), '/club/news/')
  expect(below.added).toEqual(['/club/admin/members'])
})

it('a folder, whose name without a slash leads to itself, is followed', async () => {
  const moved = { status: 301, body: 'Moved' }
  const pages = { '/admin': moved, '/admin/': { body: ADMIN }, '/staff': moved, '/staff/': { status: 403, body: NONE } }
  expect((await guessed(pages)).added).toEqual([])
  const led = (path: string) => ({ ...moved, headers: [['Location', `http://shop.test${path}`]] as const })
  expect((await guessed({ ...pages, '/admin': led('/admin/'), '/staff': led('/staff/') })).added).toEqual(['/admin/'])
  expect((await guessed({ ...pages, '/admin': led('/login') })).added).toEqual([])
})

it('what answers with a page of its own is followed, and the same page at another name is not', async () => {
  const pages = {
    '/admin': { body: ADMIN },
    '/administration': { body: ADMIN },
    '/api/users': { body: '[{"id":1}]', type: 'application/json' },
  }
  expect((await guessed(pages)).added).toEqual(['/admin', '/api/users'])
})

it.each([
  ['refused', { '/admin': { status: 403, body: 'Not for you' } }, 404],
  ['led to the sign-in', { '/admin': { status: 302, body: '' } }, 404],
  ['the page of what is not there, with success', {}, 200],
  ['the start page', { '/admin': { body: START } }, 404],
  ['a picture', { '/admin': { body: 'GIF89a', type: 'image/gif' } }, 404],
])('what is %s is not', async (_name, pages, missing) => {
  const { asked, added } = await guessed(pages, missing)
  expect(added).toEqual([])
  expect(asked.length).toBeLessThan(30)
})

it('what only an administration links to is asked for by the names that the site has for its things', async () => {
  const known = ['/', '/members', '/boats/7', '/boats/8', '/logout', '/api/berths', '/office/keys', '/style.css']
  const pages = { '/admin/members': { body: ADMIN }, '/office/boats': { body: ADMIN }, '/admin/boats': { body: NONE } }
  const { asked, added } = await administered(pages, known)
  expect(added).toEqual(['/office/boats', '/admin/members'])
  // Each of two names below each of two, what an administration has itself below the one that is known, and one that nobody has, where any was there.
  expect(asked).toHaveLength(6 + 11)
  expect(asked.filter((path) => /logout|keys|berths/.test(path))).toEqual([])
})

it('where every name below it answers alike, none is followed', async () => {
  const all = { '/admin/members': { body: ADMIN }, '/admin/boats': { body: ADMIN } }
  const nobodys = new Proxy(all, { get: () => ({ body: ADMIN }) })
  expect((await administered(nobodys, ['/members', '/boats'])).added).toEqual([])
})

/** An interface by path; `missing`: what it answers for any other. */
const operations = async (
  answers: Readonly<Record<string, string>>,
  known: readonly string[],
  missing: { status: number; body: string; type?: string } = { status: 404, body: '{"error":"no such thing"}' },
) => {
  const asked: string[] = []
  const added: string[] = []
  await guessOperations({
    origin: 'http://shop.test',
    fetcher: {
      get: async (url) => {
        const path = new URL(url).pathname
        asked.push(path)
        const body = answers[path]
        return caseAnswer({ path, type: 'application/json', ...(body === undefined ? missing : { body }) })
      },
    },
    frontier: { add: (url) => added.push(new URL(url).pathname) > 0 },
    known: known.map((path) => `http://shop.test${path}`),
  })
  return { asked, added }
}
const KNOWN = ['/', '/members', '/plots/7', '/logout', '/api/seeds/search?q=a', 'http://elsewhere.test/staff']
const MEMBERS = '[{"id":1,"email":"ida@shop.test"},{"id":2,"email":"ole@shop.test"}]'

it('what an interface has by the names of the site is followed, also below its administration', async () => {
  const orders = '[{"order":7,"paid":true}]'
  const { asked, added } = await operations(
    { '/api/members': MEMBERS, '/api/admin/seeds': orders, '/api/plots': '[]' },
    KNOWN,
  )
  expect(added).toEqual(['/api/members', '/api/admin/seeds'])
  expect(asked).toContain('/api/plots')
  expect(asked.filter((path) => /logout|staff$/.test(path))).toEqual([])
})

it('whoever runs an interface has a list of its people, whatever the site calls them', async () => {
  expect((await operations({ '/api/staff/users': MEMBERS }, KNOWN)).added).toEqual(['/api/staff/users'])
})

it('an interface with a version is asked below it, and what is known is not asked again', async () => {
  const { asked } = await operations({}, ['/orders', '/api/v2/seeds'])
  const people = ['admin', 'staff', 'internal'].map((part) => `/api/v2/${part}/users`)
  expect(asked.slice(1)).toEqual(['/api/v2/orders', '/api/v2/admin/seeds', '/api/v2/admin/orders', ...people])
})

it.each([
  ['answers any name alike', {}, { status: 200, body: '{"message":"Welcome to the interface"}' }],
  ['answers with pages', {}, { status: 200, body: NONE, type: 'text/html' }],
  ['has none of these', {}, undefined],
])('an interface that %s adds nothing', async (_name, answers, missing) => {
  expect((await operations(answers, KNOWN, missing)).added).toEqual([])
})

it('a site without an interface is not asked', async () => {
  expect((await operations({}, ['/', '/members', '/rapid/pace'])).asked).toEqual([])
})

it('what an administration has of its own is asked where the crawl knows one, and nowhere else', async () => {
  const stats = '{"users":12,"sales":340.5}'
  const answers = { '/api/admin/stats': stats }
  const { asked, added } = await operations(answers, ['/api/admin/users', '/api/seeds'])
  expect(added).toEqual(['/api/admin/stats'])
  expect(asked.filter((path) => path === '/api/admin/users')).toEqual([])
  expect((await operations(answers, ['/api/seeds'])).asked).not.toContain('/api/admin/stats')
  const pages = {
    '/admin/stats': { body: '<title>Club</title><h1>Figures of the year</h1><p>Twelve members paid.</p>' },
  }
  expect((await administered(pages, ['/admin/members'])).added).toEqual(['/admin/stats'])
  expect((await administered(pages, ['/members'])).asked).not.toContain('/admin/stats')
})
