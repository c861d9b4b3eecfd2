import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { createKnown } from './known.ts'
import { closeCrawled, crawl, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

const FILTERS = ['state', 'owner', 'kind', 'due', 'area', 'late', 'size', 'team'] as const

/** A list that each of the filters narrows, or not, with a form that holds those that do, and the same as a report. */
const list = ({ url = '' }: IncomingMessage): string => {
  const { pathname, searchParams } = new URL(url, 'http://shop.test')
  const chosen = FILTERS.filter((name) => searchParams.has(`op[${name}]`))
  const withThese = (names: readonly string[], path = pathname): string =>
    `${path}?set=1${names.map((name) => `&f[]=${name}&op[${name}]=is&v[${name}][]=1`).join('')}`
  const links = [
    ...FILTERS.map((name) =>
      withThese(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name].toSorted()),
    ),
    ...['/report', '/entries'].map((path) => withThese(chosen, path)),
    ...(chosen.includes('late') ? ['/letters/7'] : []),
  ]
  const fields = chosen.map((name) => `<input type=hidden name="op[${name}]" value=is>`).join('')
  return `<h1>${chosen.length > 3 ? 'Few' : 'Many'} entries</h1><form>${fields}<input name=q></form>${links
    .map((link) => `<a href="${link}">x</a>`)
    .join('')}`
}

it('lists that are narrowed by what can be combined come to an end, and what one of them alone leads to is met', async () => {
  const { facts } = await crawl({
    '/': '<h1>Club</h1><a href="/report">Report</a>',
    '/report': list,
    '/entries': list,
    '/letters/7': '<h1>A letter</h1><form method=post action=/letters/7/answer><input name=text></form>',
  })
  const asked = paths(facts)
  expect(asked).toContain('/letters/7')
  // 256 combinations of each.
  expect(asked.length).toBeLessThan(200)
  for (const name of FILTERS) expect(facts.points.map((point) => point.name)).toContain(`v[${name}][]`)
  expect(facts.cut).toBeNull()
})

it('a path, a parameter and a field are news once, and so are the first combinations of fields', () => {
  const known = createKnown()
  const form = (...names: string[]) =>
    known.form({
      ...{ method: 'GET', url: 'http://shop.test/list', source: 'form', seenOn: '', sent: false },
      fields: names.map((name) => ({ name, value: '', type: 'text' })),
    })
  expect([form('q'), form('q'), form('q', 'sort'), form('sort', 'q')]).toEqual([true, false, true, false])
  for (const name of 'abcdefgh') form(name)
  expect([form('a', 'b'), form('a', 'z')]).toEqual([false, true])
  const paths = ['/a?x=1', '/a?x=2', '/b', '/b', '/b?/c', '/b#/d']
  expect(paths.map((path) => known.path(`http://shop.test${path}`))).toEqual([true, false, true, false, true, true])
  expect(['/a?x=1', '/a?x=2&y=1', '/c?x=1'].map((path) => known.takes(`http://shop.test${path}`))).toEqual([
    ...[true, true, true],
  ])
})
