/** What filters of addresses let through leads elsewhere. */
import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import type { Prover } from '../proving.ts'
import { askHeaders, askNamedHeaders, askPageRedirects, askRedirects, type FirstWays, leadsByName } from './heads.ts'

it.each<readonly [string, string, (to: string) => boolean, boolean]>([
  ['looks for a page anywhere', 'offers.php?id=1', (to) => to.includes('offers.php'), true],
  ['looks for an address anywhere', 'https://known.test/us', (to) => to.includes('https://known.test/us'), true],
  ['looks for a name at the beginning', 'https://known.test/us', (to) => to.startsWith('https://known.test'), true],
  ['looks for a scheme and a name', 'http://known.test/us', (to) => to.startsWith('http://known.test'), true],
  [
    'looks for the site itself at the beginning',
    'http://shop.test/us',
    (to) => to.startsWith('http://shop.test'),
    true,
  ],
  ['looks for a page of the site itself', 'http://shop.test/us', (to) => to.startsWith('http://shop.test/'), false],
  ['knows whole addresses', 'https://known.test/us', (to) => to === 'https://known.test/us', false],
  ['looks for a name anywhere, behind a scheme of its own', 'www.known.test', (to) => to.includes('known.test'), true],
  ['looks for a name at the end, likewise', 'www.known.test', (to) => to.endsWith('known.test'), true],
])('a filter that %s', async (_kind, value, lets, expected) => {
  const scheme = value.startsWith('www') ? 'http://' : ''
  const { probe } = fakeProbe(
    (to) => (lets(to) ? { status: 302, text: '', location: `${scheme}${to}` } : { status: 500, text: 'No' }),
    { name: 'to', value },
  )
  const plain = await probe.control()
  expect((await askRedirects(probe, 'qx0123456789', plain)) !== null).toBe(expected)
})

it('what a check of the host takes for the end of a name, and is encoded then, is one to the browser', async () => {
  const hostOf = (to: string): string | undefined => URL.parse(to)?.hostname
  const { probe } = fakeProbe(
    (to) =>
      hostOf(to) === 'known.test'
        ? { status: 302, text: '', location: to.replaceAll('\\', '%5C') }
        : { status: 400, text: 'Only there' },
    { name: 'to', value: 'http://known.test/us' },
  )
  const hit = await askRedirects(probe, 'qx0123456789', await probe.control())
  expect(hit?.trials[0]?.payload).toMatch(/^http:\/\/known\.test\\@qx\w+\.example\/$/)
})

it('the name of a view that says to redirect leads elsewhere', async () => {
  const locationOf = (view: string): string => /^redirect:(.*)$/.exec(view)?.[1] ?? `/${view.replace(/[^\w-]/g, '')}`
  const { probe } = fakeProbe((view) => ({ status: 302, text: '', location: locationOf(view) }), {
    ...{ name: 'target', value: 'news' },
  })
  const hit = await askRedirects(probe, 'qx0123456789', await probe.control())
  expect(hit?.trials.map(({ location, host }) => location === `https://${host}/`)).toEqual([true, true])
})

it.each<readonly [string, (value: string) => string]>([
  ['as it is', (value) => value],
  ['in capitals', (value) => value.toUpperCase()],
])('a value that stands in the head %s leads elsewhere and begins a line', async (_kind, written) => {
  const answer = (value: string) => {
    const [said = '', ...lines] = written(value).split('\r\n')
    const headers = [['Location', said], ...lines.map((line) => line.split(': '))] as [string, string][]
    return { status: 302, text: '', location: said, headers }
  }
  const { probe } = fakeProbe(answer, { name: 'to', value: '/about' })
  const plain = await probe.send('qx0123456789')
  expect(await askRedirects(probe, 'qx0123456789', plain)).not.toBeNull()
  expect(await askHeaders(probe, 'qx0123456789', plain)).not.toBeNull()
})

it('a page that sends on by a script is proven with the answers that told nothing of a header', async () => {
  const { probe, sent } = fakeProbe((to) => ({ text: `<script>location = "${to}"</script>` }), {
    name: 'to',
    value: '/about',
  })
  const prover = { leadsTo: async () => true } as unknown as Prover
  const plain = await probe.send('qx0123456789')
  const ways: FirstWays = new Map()
  expect(await askRedirects(probe, 'qx0123456789', plain, ways)).toBeNull()
  const before = sent.length
  expect((await askPageRedirects(probe, 'qx0123456789', plain, prover, ways))?.trials).toHaveLength(2)
  expect(sent.length - before).toBe(1)
})

it.each(['to', 'backTo', 'out', 'link_out', 'returnUrl', 'goto', 'redirect_uri', 'next', 'back'])(
  '%s leads by its name',
  (name) => {
    expect(leadsByName(name)).toBe(true)
  },
)

it.each(['about', 'motto', 'photo', 'feedback', 'layout', 'links', 'total', 'background', 'blink'])(
  '%s does not',
  (name) => {
    expect(leadsByName(name)).toBe(false)
  },
)

it('where few may be sent, a name alone is asked in few ways', async () => {
  const { probe, sent } = fakeProbe(() => ({ status: 302, text: '', location: '/done' }), {
    name: 'next',
    value: '',
    request: { bound: 40 },
  })
  const plain = await probe.control()
  const before = sent.length
  expect(await askRedirects(probe, 'qx0123456789', plain)).toBeNull()
  expect(sent.length - before).toBe(3)
})

it.each([
  ['decoded', (path: string) => path, true],
  ['as it came', encodeURIComponent, false],
])('a server that leads to new addresses by the end of the path, %s', async (_how, written, expected) => {
  const moved = (path: string) => {
    const [to = '', ...lines] = `/archive/${written(path)}.html`.split('\r\n')
    const headers = [['Location', to], ...lines.map((line) => line.split(': '))] as [string, string][]
    return { status: 302, text: '', location: to, headers }
  }
  const { probe, sent } = fakeProbe(moved, { place: 'path', name: '1', value: 'prices' })
  expect((await askNamedHeaders(probe)) !== null).toBe(expected)
  expect(sent.length).toBeLessThanOrEqual(3)
})
