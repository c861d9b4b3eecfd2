import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

const day = (month: number): string => `2026-${String(month).padStart(2, '0')}`

/** An album whose program takes its route from the query, with lists that can be narrowed and shown in any order. */
const program = ({ url = '' }: IncomingMessage): string => {
  const [route = '/'] = decodeURIComponent(url.split('?')[1] ?? '').split('&')
  const [, kind = '', ...rest] = route.split('/')
  if (kind === 'about') return '<h1>About us</h1><form action="?/about"><input name=topic></form>'
  if (kind === 'picture') return `<h1>Picture</h1><figure>${rest[0]}</figure><dl><dt>Taken<dd>today</dl>`
  const narrowed = ['1-snow', '2-sun', '3-rain'].filter((tag) => !rest.includes(tag))
  const lists = [...Array(6).keys()].map((month) => `?/tags/${[...rest, `list-${day(month + 1)}`].join('/')}`)
  const links = [
    ...narrowed.map((tag) => `?/tags/${[...rest.filter((one) => !one.startsWith('list-')), tag].join('/')}`),
    ...(rest.some((one) => one.startsWith('list-')) ? [] : lists),
    ...[1, 2, 3].map((order) => `?${route}&order=${order}`),
    ...[1, 2, 3, 4, 5].map((id) => `?/picture/${id}`),
    '?/about',
  ]
  return `<h1>Pictures</h1><ul>${links.map((link) => `<li><a href="/album.php${link}">${link}</a>`).join('')}</ul>`
}

it('a route in the query is told apart as a path is, and what it holds are places', async () => {
  const { facts } = await crawl({ '/': '<a href="/album.php?/tags">Tags</a>', '/album.php': program })
  const asked = paths(facts)
  expect(asked).toContain('/album.php?/about')
  expect(asked).toContain('/album.php?/picture/1')
  // 16 ways to narrow, 7 lists of each, 4 orders: 448 in all.
  expect(asked.length).toBeLessThan(300)
  expect(facts.cut).toBeNull()
  const pictures = facts.requests.filter(({ url }) => url.includes('/picture/'))
  expect(pictures.map(({ shape }) => shape.replace(/^https?:\/\/[^/]+/, ''))).toEqual(['/album.php?/picture/{n}'])
  const places = facts.points
    .filter(({ request }) => request === pictures[0]?.id)
    .map(({ place, name }) => `${place} ${name}`)
  expect(places).toContain('path 2')
  expect(facts.points.filter(({ place, name }) => place === 'query' && name.includes('/'))).toEqual([])
  expect(facts.points.filter(({ place }) => place === 'query').map(({ name }) => name)).toContain('order')
})
