import { expect, it } from 'vitest'
import { pollutedBy, signsIn, triesOf, waysBySigns, waysInto } from './pollution.ts'

const URL_ = 'http://shop.test/a?page=1'
const words = () => {
  let made = 0
  return () => {
    made += 1
    return `w${made}z`
  }
}

it('tries each way with a member of its own', () => {
  const [pairs, json] = triesOf(URL_, waysInto(['page'])).map(decodeURIComponent)
  expect(pairs).toBe(
    'http://shop.test/a?page={"__proto__":{"qxp8":"1"}}&__proto__[qxp0]=1&constructor[prototype][qxp1]=1&__proto__.qxp2=1&constructor.prototype.qxp3=1' +
      '#__proto__[qxp4]=1&constructor[prototype][qxp5]=1&__proto__.qxp6=1&constructor.prototype.qxp7=1',
  )
  expect(json).toBe('http://shop.test/a?page=1#{"__proto__":{"qxp9":"1"}}')
})

it.each([
  [0, 'http://shop.test/a?page=1&__proto__[theme]=w1z&__proto__[tone]=w2z', '__proto__[tone]'],
  [6, 'http://shop.test/a?page=1#__proto__.theme=w1z&__proto__.tone=w2z', '__proto__.tone'],
  [8, 'http://shop.test/a?page={"__proto__":{"theme":"w1z","tone":"w2z"}}', 'page'],
  [9, 'http://shop.test/a?page=1#{"__proto__":{"theme":"w1z","tone":"w2z"}}', null],
])('fills members by way %i, each with a word, and one alone for the proof', (index, address, name) => {
  const way = waysInto(['page'])[index]
  if (way === undefined) throw new Error('no such way')
  const { url, sources } = pollutedBy(URL_, way, ['theme', 'tone'], words())
  expect(decodeURIComponent(url)).toBe(address)
  expect(sources.map(({ word }) => word)).toEqual(['w1z', 'w2z'])
  expect(sources[1]?.name).toBe(name)
  const alone = decodeURIComponent(sources[1]?.with('<b>').url ?? '')
  expect(alone).toContain('<b>')
  expect(alone).not.toContain('theme')
})

it.each([
  ["key.split('|')", ['|']],
  ['key.split(/[|:]/).filter(Boolean)', ['|', ':']],
  ['key.split("->") ; other.split("__")', ['->', '__']],
  ['path.split(/\\//g); name.split(/-+/)', ['/', '-']],
  [
    "location.search.split('&').map((p) => p.split('=')); k.split('.'); k.split(/[[\\]]/); t.split(' '); t.split('')",
    [],
  ],
])('reads in code at which signs of its own it splits names: %s', (code, signs) => {
  expect(signsIn(code)).toEqual(signs)
})

it('tries such a sign in the query and behind the #, and nothing where there is none', () => {
  expect(triesOf(URL_, waysBySigns(['|'])).map(decodeURIComponent)).toEqual([
    `${URL_}&__proto__|qxp0=1&constructor|prototype|qxp1=1#__proto__|qxp2=1&constructor|prototype|qxp3=1`,
  ])
  expect(triesOf(URL_, waysBySigns([]))).toEqual([])
})
