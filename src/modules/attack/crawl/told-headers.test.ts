import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl } from './testing/crawling.ts'
import { headersToldIn } from './told-headers.ts'

afterEach(closeCrawled)

it.each([
  ['in markup before the word', '<p>Value of our <b>Depot</b> header: <i></i>', ['Depot']],
  ['in markup behind it', '<p>Set a header <code>X-Batch</code> to label the import', ['X-Batch']],
  ['in quotes', 'the &ldquo;Shelf&rdquo; request header chooses the list', ['Shelf']],
  ['called so', 'a custom header called "Aisle"', ['Aisle']],
  ['as running text', 'send the X-Import-Batch header along', ['X-Import-Batch']],
  ['twice, in other letters', '<code>X-Batch</code> header; the x-batch header', ['x-batch']],
  ['of every answer', 'missing <code>X-Frame-Options</code> header, Content-Type header', []],
  ['that says who asks', 'send your key in the <code>X-Api-Key</code> header', []],
  ['that has a request mean another', 'the <code>X-HTTP-Method-Override</code> header', []],
  ['a header of the page itself', '<b>Our</b> catalogue has a new page header', []],
  [
    'in the classes of an element',
    '<div class="form search-block header-search"><p title="The list-view header">x',
    [],
  ],
  ['a word that goes on', 'the search-block header-search', []],
  ['in markup with a class', 'our <code class="name mono">Depot</code> header', ['Depot']],
  ['in a script', '<script>"Depot" header</script><!-- "Shelf" header -->', []],
] as const)('%s', (_name, page, expected) => expect(headersToldIn(page)).toEqual(expected))

it('reads a long page in no time', () => {
  const began = process.cpuUsage()
  headersToldIn('<b>x</b> header '.repeat(20_000) + '<b '.repeat(60_000))
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000)
})

it('is a place of the page that tells of it, and of no other', async () => {
  const { facts } = await crawl({
    '/': '<h1>Depots</h1><a href=/list>List</a>',
    '/list': '<h1>List</h1><p>The list of the depot that your <code>Depot</code> header names.</p>',
  })
  const [list] = facts.requests.filter(({ url }) => url.endsWith('/list'))
  const told = facts.points.filter(({ place, name }) => place === 'header' && name === 'Depot')
  expect(told).toMatchObject([{ request: list?.id, example: 'value' }])
})
