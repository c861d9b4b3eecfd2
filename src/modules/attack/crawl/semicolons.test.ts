/** Programs that write their parameters with semicolons between them: each is a place, and pages are told apart by what they ask for. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

const VIEWS = [
  'summary',
  'log',
  'tree',
  'heads',
  'tags',
  'blob',
  'patch',
  'blame',
  'history',
  'remotes',
  'search',
  'shortlog',
]

/** As programs of CGI read their query, at both signs. */
const program = ({ url = '' }: IncomingMessage): string => {
  const asked = new URLSearchParams((url.split('?')[1] ?? '').replaceAll(';', '&'))
  const view = asked.get('a')
  if (view === 'blob') return `<h1>${asked.get('f')}</h1><pre>int main()</pre>`
  if (view === 'search') return '<h1>Search</h1><form><input name="s"></form>'
  if (view !== null) return `<h1>${view}</h1><a href="/?p=alpha.git;a=blob;f=src/${view}.c">file</a>`
  return VIEWS.map((one) => `<a href="/?p=alpha.git;a=${one}">${one}</a>`).join('')
}

it('parameters between semicolons are parameters', async () => {
  const { facts } = await crawl({ '/': program })
  const asked = paths(facts)
  for (const view of VIEWS) expect(asked).toContain(`/?p=alpha.git&a=${view}`)
  const names = new Set(facts.points.filter(({ place }) => place === 'query').map(({ name }) => name))
  for (const name of ['p', 'a', 'f']) expect(names).toContain(name)
  expect(facts.points.filter(({ example }) => example.includes(';'))).toEqual([])
})
