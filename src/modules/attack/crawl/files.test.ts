import { afterEach, expect, it } from 'vitest'
import { isStoredFile } from './files.ts'
import { closeCrawled, crawl, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

const picture = { type: 'image/png', body: 'PNG' }

it('pictures and documents that a program makes for the values of a query are places, stored ones are not', async () => {
  const names = Array.from({ length: 9 }, (_, at) => `/photos/front-${String.fromCharCode(97 + at)}.jpg`)
  const { facts, seen } = await crawl({
    '/': `<img src="/thumb/a.jpg?size=160x120"><img src="/logo.png?v=20260401"><img src="/old.gif?20260401">
<a href="/statement.pdf?month=3">statement</a><a href="/terms.pdf">terms</a><a href="/letter.pdf?_=17">letter</a>
${names.map((name) => `<img src="${name}?width=80">`).join('')}`,
    '/thumb/a.jpg': picture,
    '/statement.pdf': { type: 'application/pdf', body: '%PDF-1.7' },
    ...Object.fromEntries(names.map((name) => [name, picture])),
  })
  expect(paths(facts)).toEqual(expect.arrayContaining(['/thumb/a.jpg?size=160x120', '/statement.pdf?month=3']))
  const places = facts.points.flatMap(({ place, name, guessed }) => (place === 'query' && !guessed ? [name] : []))
  expect(new Set(places)).toEqual(new Set(['size', 'month', 'width']))
  expect(seen.filter((line) => /logo|old|terms|letter/.test(line))).toEqual([])
  expect(seen.filter((line) => /\/photos\/.*width/.test(line))).toHaveLength(3)
  const merged = facts.reach?.rows.filter(({ fate }) => fate === 'merged') ?? []
  expect(merged).toHaveLength(6)
  expect(merged[0]?.with).toMatch(/\/photos\/front-a\.jpg\?width=80$/)
})

it('of the pictures that lie in a folder one is asked for, and its name is a place: a program may hand it out', async () => {
  const { facts, seen } = await crawl({
    '/': `<img src="/media/a.png"><img src="/media/b.png"><img src="/covers/1.jpg"><img src="/logo.png">`,
    '/media/a.png': picture,
    '/covers/1.jpg': picture,
  })
  expect(seen.filter((line) => /\.(?:png|jpg)/.test(line)).map((line) => line.split(' ')[1])).toEqual([
    '/media/a.png',
    '/covers/1.jpg',
  ])
  const named = facts.points.filter(({ place, guessed }) => place === 'path' && guessed).map(({ example }) => example)
  expect(named).toEqual(expect.arrayContaining(['a.png', '1.jpg']))
})

it.each([
  ['/a.png', true],
  ['/a.png?', true],
  ['/a.png?build=7f3a', true],
  ['/a.png?1718000000', true],
  ['/a.png?v=2&h=80', false],
  ['/export.xlsx?tenant=4', false],
  ['/a.php?size=2', false],
])('%s is a stored file: %s', (address, stored) => {
  expect(isStoredFile(new URL(address, 'http://shop.test/'))).toBe(stored)
})
