import { afterEach, expect, it } from 'vitest'
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

it('what a script asks for by a value that nobody knows is there, though it finds nothing by ours', async () => {
  const { facts } = await crawl({
    '/': `<h1>Papers</h1><script>async function show(n) { out.textContent = await (await fetch(\`/papers?name=\${encodeURIComponent(n)}\`)).text() }</script>`,
  })
  const [papers] = facts.requests.filter(({ url }) => url.includes('/papers?'))
  expect(papers).toMatchObject({ method: 'GET', source: 'script' })
  expect(facts.points.filter(({ request }) => request === papers?.id)).toMatchObject([{ place: 'query', name: 'name' }])
})
