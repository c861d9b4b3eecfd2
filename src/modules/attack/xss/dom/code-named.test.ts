/** Pages whose scripts lie in files and cut the address by themselves, so that no parser tells the names. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'
import { addressNamesIn, nearestOf } from './code-names.ts'

const PATTERN = 'const m = /[#&]tip=([^&]*)/.exec(location.hash); show(m && decodeURIComponent(m[1]))'
const SPREAD = 'show(Object.fromEntries(new URLSearchParams(location.hash.slice(1))).tip)'
const SCRIPTS: Readonly<Record<string, string>> = {
  pattern: PATTERN,
  spread: SPREAD,
  begins: "if (location.hash.startsWith('#tip=')) show(decodeURIComponent(location.hash.slice(5)))",
  route:
    "const [at, q] = location.hash.slice(1).split('?'); if (at === '/deals') { const { tip: e } = Object.fromEntries(new URLSearchParams(q)); show(e) }",
  query: 'show(Object.fromEntries(new URLSearchParams(location.search)).tip)',
  changes:
    "addEventListener('hashchange', () => { const p = new URLSearchParams(location.hash.slice(1)); show(p.get('tip')) })",
}
const SHOWS = (sink: string): string => `const show = (text) => { document.querySelector('p').${sink} = text ?? '' };`

const told = async (sink: string, names: readonly string[]) => {
  const sent: string[] = []
  const { at, states } = await scanned(
    (_sent, { url = '' }) => {
      sent.push(url)
      const script = /^\/(\w+)\.js/.exec(url)?.[1]
      return script === undefined
        ? `<!doctype html><title>Deals</title><h1>Deals</h1><p></p><script src=/${url.split(/[/?]/)[1]}.js></script>`
        : SHOWS(sink) + (SCRIPTS[script] ?? '')
    },
    scriptedOf(names.map((name) => `/${name}${name === 'route' ? '#/deals' : ''}`)),
  )
  return { at: at.toSorted(), states: [states['xss/dom'], states['xss/fragment']], sent }
}

it('finds what they read by names that stand in their code alone', async () => {
  const { at, sent } = await told('innerHTML', Object.keys(SCRIPTS))
  expect(at).toEqual([
    'xss/dom http://shop.test/query tip',
    'xss/fragment http://shop.test/begins fragment',
    'xss/fragment http://shop.test/changes fragment',
    'xss/fragment http://shop.test/pattern fragment',
    'xss/fragment http://shop.test/route#/deals fragment',
    'xss/fragment http://shop.test/spread fragment',
  ])
  // Many names at once are put before the page alone, and none of them is sent.
  expect(sent.filter((url) => url.split('&').length > 20)).toEqual([])
})

it('passes what writes it as text', async () => {
  const { at, states } = await told('textContent', ['pattern', 'spread'])
  expect([at, states]).toEqual([[], ['pass ', 'pass ']])
})

it.each([
  ['a pattern', PATTERN, ['tip']],
  ['members', SPREAD, ['tip']],
  ['what is unpacked', 'const{tone:e,size:n}=parse(location.search)', ['tone', 'size']],
  ['texts', 'const n=location.hash.split("&");for(const e of n)if(e[0]==="note")run(e[1])', ['note']],
])('knows names by %s', (_, code, expected) =>
  expect(nearestOf([addressNamesIn(code)]).names).toEqual(expect.arrayContaining(expected)),
)

it('puts first what stands near to where an address is read, and names nothing where none is', () => {
  const far = `${'a.other=1;'.repeat(900)}const t=a.last;`
  const { names, starts } = nearestOf([addressNamesIn(`${far}show(cut(location.hash).tip,"#tone=","https:")`)])
  expect([names.indexOf('tip') < names.indexOf('last'), names.includes('cut'), starts]).toEqual([
    true,
    false,
    ['tone='],
  ])
  expect(nearestOf([addressNamesIn('a.other=1')]).names).toEqual([])
})
