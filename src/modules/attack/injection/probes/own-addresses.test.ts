/** Pages that fetch what a value names, or do not. */
import { expect, it } from 'vitest'
import { caseAnswer } from '../../../testing/answers.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { speaksOfAddresses } from './outside.ts'
import { createOwnAddresses } from './own-addresses.ts'

const FILES: Readonly<Record<string, string>> = {
  '/js/app.js': "'use strict'\nvar basket = new Basket({ lines: 12, open: false });\n",
  '/css/app.css': '.basket { margin: 4px 12px; color: navy }\n',
  '/rates.json': '{"EUR":1,"USD":1.1,"SEK":11.4}',
}
const meta = (path: string) => ({
  url: `http://shop.test${path}`,
  status: 200,
  title: '',
  depth: 1,
  source: 'script' as const,
})
const urls = [
  { ...meta('/'), contentType: 'text/html' },
  { ...meta('/js/app.js'), contentType: 'text/javascript' },
  { ...meta('/css/app.css'), contentType: 'text/css' },
  { ...meta('/rates.json'), contentType: 'application/json' },
]
const egress = {
  http: async ({ url }: { readonly url: string }) => ({
    ...caseAnswer({ path: url, body: FILES[new URL(url).pathname] ?? '' }),
    address: '192.0.2.7',
  }),
}
const own = () => createOwnAddresses({ egress } as never, { urls } as never)

const escaped = (text: string): string =>
  text.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
/** `may`: which hosts it asks. */
const fetching =
  (may: (host: string) => boolean, read = (path: string): string | undefined => FILES[path]) =>
  (value: string): { status?: number; text: string } => {
    const url = URL.parse(value)
    if (url === null || !may(url.hostname)) return { status: 502, text: '<p>That could not be loaded.</p>' }
    const text = read(url.pathname)
    return text === undefined ? { status: 502, text: '<p>404</p>' } : { text: `<pre>${escaped(text)}</pre>` }
  }

const asked = async (page: Parameters<typeof fakeProbe>[0], value = 'http://shop.test/rates.json') => {
  const { probe, sent } = fakeProbe(page, { name: 'source', value })
  const hit = await firstOf(own().ways(probe))
  return { hit, sent, proven: hit !== null && isProven(hit) }
}

it('an address that the application puts something behind is proven', async () => {
  const page = fetching(() => true)
  expect((await asked((value) => page(`${value}EUR`))).proven).toBe(true)
})

it.each([
  ['any address', () => true, 'address of the machine itself'],
  ['any but names of the machine itself', (host: string) => host !== 'localhost', 'number behind the name of the site'],
] as const)('what fetches %s is proven', async (_name, may, flavour) => {
  const { hit, proven } = await asked(fetching(may))
  expect(hit).toMatchObject({ kind: 'ssrf', flavour })
  expect(proven).toBe(true)
})

it('what fetches from the name of the site alone is asked few times, and left', async () => {
  const { hit, sent } = await asked(fetching((host) => host === 'shop.test'))
  expect([hit, sent.length]).toEqual([null, 6])
})

it('nor is what fetches from the number alone that its own value names', async () => {
  const page = fetching((host) => host === '192.0.2.7')
  expect((await asked(page, 'http://192.0.2.7/rates.json')).hit).toBeNull()
  expect((await asked(page)).proven).toBe(true)
})

it('a page that has these words anyway, or shows them for any path, proves nothing', async () => {
  const all = Object.values(FILES).join('\n')
  expect((await asked(() => ({ text: `<pre>${escaped(all)}</pre>` }))).hit).toBeNull()
  expect(
    (
      await asked(
        fetching(
          () => true,
          () => all,
        ),
      )
    ).proven,
  ).toBe(false)
})

/** `tells`: what the page says of what it was answered; null where nothing answers. */
const telling =
  (tells: (text: string | null, path: string) => string) =>
  (value: string): { text: string } => {
    const url = URL.parse(value)
    const answers = url !== null && /^(?:localhost|192\.0\.2\.7)$/.test(url.hostname) && url.port === ''
    return {
      text: `<p>${tells(answers ? (FILES[url.pathname] ?? '<h1>Not found</h1>') : null, url?.pathname ?? '')}</p>`,
    }
  }

it.each([
  [
    'how much it has read',
    telling((text) => (text === null ? 'Nothing could be read.' : `${text.length} characters.`)),
  ],
  [
    'whether there was anything',
    telling((text) => (text === null || text.startsWith('<h1') ? 'Nothing.' : 'It is kept.')),
  ],
])('what shows nothing of what it fetched, and says %s, is proven by what is there', async (_name, page) => {
  const { hit, proven } = await asked(page)
  expect(hit).toMatchObject({ kind: 'ssrf', flavour: 'a file that is there, address of the machine itself' })
  expect(proven).toBe(true)
})

it.each([
  [
    'knows its own files and asks nobody',
    ((value) => ({ text: FILES[URL.parse(value)?.pathname ?? ''] ? 'It is kept.' : 'No.' })) as Parameters<
      typeof asked
    >[0],
  ],
  ['says the same of whatever answers', telling((text) => (text === null ? 'Nothing.' : 'It is kept.'))],
  ['says the same of all', telling(() => 'It is kept.')],
  ['counts its signs', ((value) => ({ text: `${value.length} signs.` })) as Parameters<typeof asked>[0]],
])('what %s is not accused', async (_name, page) => {
  const { hit, proven } = await asked(page)
  expect([hit !== null && proven]).toEqual([false])
})

it('a page that writes the address down in a coding of its own tells nothing by it', async () => {
  const given: typeof FILES = {
    '/v1/1.0': '{"links":["of all that is embedded here"]}',
    '/rates.json': FILES['/rates.json'] ?? '',
  }
  const egressOf = {
    http: async ({ url }: { readonly url: string }) =>
      egress
        .http({ url })
        .then((one) => ({ ...one, ...caseAnswer({ path: url, body: given[new URL(url).pathname] ?? '' }) })),
  }
  const known = Object.keys(given).map((path) => ({ ...meta(path), contentType: 'application/json' }))
  const writing = (value: string) => ({
    status: 302,
    text: '',
    location: `/in?to=${encodeURIComponent(encodeURIComponent(value))}`,
  })
  for (const some of [known, known.slice(0, 1)]) {
    const { probe } = fakeProbe(writing, { name: 'source', value: 'http://shop.test/rates.json' })
    const hit = await firstOf(createOwnAddresses({ egress: egressOf } as never, { urls: some } as never).ways(probe))
    expect(hit !== null && isProven(hit)).toBe(false)
  }
})

it('files that the start page names are known, though the crawl keeps no addresses of them', async () => {
  const start =
    '<link rel=stylesheet href="/css/app.css"><script src=/js/app.js></script><script src="//cdn.test/x.js"></script>'
  const named = {
    http: async ({ url }: { readonly url: string }) => ({
      ...caseAnswer({ path: url, body: new URL(url).pathname === '/' ? start : (FILES[new URL(url).pathname] ?? '') }),
      address: '192.0.2.7',
    }),
  }
  const { probe } = fakeProbe(
    fetching(() => true),
    { name: 'source', value: 'http://shop.test/rates.json' },
  )
  const { ways } = createOwnAddresses({ egress: named } as never, { urls: urls.slice(0, 1) } as never)
  expect(await firstOf(ways(probe))).toMatchObject({ kind: 'ssrf' })
})

it('files that anybody is given are found behind those of whoever signed in', async () => {
  const given: typeof FILES = { ...FILES, '/': '{"help":"All is said in the handbook"}' }
  const own = ['/', '/me', '/orders', '/fines', '/notes', '/teams'].map((path) => ({
    ...{ ...meta(path), contentType: 'application/json' },
  }))
  const refusing = {
    http: async ({ url }: { readonly url: string }) => {
      const { pathname } = new URL(url)
      const body = given[pathname]
      return {
        ...caseAnswer({ path: url, status: body === undefined ? 401 : 200, body: body ?? '' }),
        address: '192.0.2.7',
      }
    },
  }
  const { probe, sent } = fakeProbe(
    fetching(
      () => true,
      (path) => given[path],
    ),
    { name: 'source', value: 'http://shop.test/rates.json' },
  )
  const { ways } = createOwnAddresses({ egress: refusing } as never, { urls: [...own, ...urls.slice(1, 3)] } as never)
  expect(await firstOf(ways(probe))).toMatchObject({ kind: 'ssrf', proof: 'file' })
  expect(sent.length).toBeGreaterThan(2)
})

it('a site that is called by its number is not asked by that', async () => {
  const called = urls.map((one) => ({ ...one, url: one.url.replace('shop.test', '192.0.2.7') }))
  const request = { url: 'http://192.0.2.7/' }
  const { probe, sent } = fakeProbe(
    fetching((host) => host === '192.0.2.7'),
    { value: 'http://192.0.2.7/rates.json', request },
  )
  const { ways } = createOwnAddresses({ egress } as never, { urls: called } as never)
  expect(await firstOf(ways(probe))).toBeNull()
  expect(sent.every((value) => value.startsWith('http://localhost/'))).toBe(true)
})

it('without files of its own nothing is sent', async () => {
  const { probe, sent } = fakeProbe(
    fetching(() => true),
    { name: 'source', value: 'http://shop.test/a' },
  )
  const { ways } = createOwnAddresses({ egress } as never, { urls: urls.slice(0, 1) } as never)
  expect([await firstOf(ways(probe)), sent]).toEqual([null, []])
})

it.each(['http://', 'https://', 'http:', 'http://shop.test/a.png'])(
  'a place that holds %s speaks of addresses',
  (value) => {
    expect(speaksOfAddresses(fakeProbe(() => ({ text: '' }), { name: 'remote', value }).probe)).toBe(true)
    expect(speaksOfAddresses(fakeProbe(() => ({ text: '' }), { name: 'remote', value: 'tent' }).probe)).toBe(false)
    expect(speaksOfAddresses(fakeProbe(() => ({ text: '' }), { name: 'dealer_api', value: 'tent' }).probe)).toBe(true)
    expect(speaksOfAddresses(fakeProbe(() => ({ text: '' }), { name: 'api_level', value: 'tent' }).probe)).toBe(false)
  },
)
