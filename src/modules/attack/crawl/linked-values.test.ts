import { afterEach, expect, it } from 'vitest'
import { createRequests, type Draft } from './requests.ts'
import { closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

it('a value with which the site leads to a search stands where the form was filled by us', async () => {
  const { facts } = await crawl({
    '/': `<form action=/staff><input name=surname><button>Find</button></form>
<form action=/rooms><input name=floor><button>Find</button></form><a href=/list>All</a>`,
    '/list':
      '<a href="/staff?surname=Hale">Hale</a><a href="/staff?surname=Fern">Fern</a><a href="/rooms?floor=">any</a>',
    '/staff': 'staff',
    '/rooms': 'rooms',
  })
  const examples = facts.points.flatMap(({ place, name, example, guessed }) =>
    place === 'query' && !guessed ? [[name, example]] : [],
  )
  expect(Object.fromEntries(examples)).toEqual({ surname: 'Hale', floor: 'test' })
  expect(facts.requests.filter(({ url }) => url.includes('/staff?'))).toMatchObject([{ source: 'form', sent: true }])
})

it('a value with which the site leads there stands, whichever was seen and whichever sent first', () => {
  const requests = createRequests()
  const draft = (value: string, source: Draft['source'], sent: boolean): Draft => ({
    ...{
      method: 'GET',
      url: `http://shop.test/estimate?rent=${value}&months=12`,
      seenOn: 'http://shop.test/',
      source,
      sent,
    },
  })
  for (const one of [draft('900', 'link', false), draft('test', 'form', true), draft('900', 'link', true)])
    requests.add(one)
  expect(requests.all().map(({ url }) => url)).toEqual(['http://shop.test/estimate?rent=900&months=12'])
})

it('what a script asks for by a value that nobody knows is there, though it finds nothing by ours', async () => {
  const { facts } = await crawl({
    '/': `<h1>Papers</h1><script>async function show(n) { out.textContent = await (await fetch(\`/papers?name=\${encodeURIComponent(n)}\`)).text() }</script>`,
  })
  const [papers] = facts.requests.filter(({ url }) => url.includes('/papers?'))
  expect(papers).toMatchObject({ method: 'GET', source: 'script' })
  expect(facts.points.filter(({ request }) => request === papers?.id)).toMatchObject([{ place: 'query', name: 'name' }])
})
