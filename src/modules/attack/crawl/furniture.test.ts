/** Forms that stand around the content of many pages, and forms of pages that are asked for with the values of a form. */
import { afterEach, describe, expect, it } from 'vitest'
import type { CrawlFacts, RequestTemplate } from './facts.ts'
import { type Answer, closeCrawled, crawl, type Pages } from './testing/crawling.ts'

afterEach(closeCrawled)

const PATHS = [
  '/',
  '/news',
  '/find',
  '/about',
  '/goods',
  '/goods/tent',
  '/goods/stove',
  '/help/a',
  '/help/b',
  '/help/c',
]
const LETTER = '<footer><p>Ask us.</p><form><input type=email name=mail><button>Show offers</button></form></footer>'
const RATE =
  '<footer><form method=post><input type=hidden name=csrf value=a1b2c3d4e5><select name=rate><option>eur<option>usd</select><button>Show</button></form></footer>'

const linking = (to: readonly string[]): string =>
  to.map((path) => `<a href=${path}>${path.slice(1) || 'start'}</a>`).join(' ')
/** Pages that say something of their own, around which the same stands. */
const site = (around: string, own: (path: string) => string = () => ''): Pages =>
  Object.fromEntries(
    PATHS.map((path): [string, Answer] => [
      path,
      `<nav>${linking(PATHS)}</nav><main><h1>All of ${path}</h1>${own(path)}</main>${around}`,
    ]),
  )

const sentTo = (facts: CrawlFacts, method: string, which: (request: RequestTemplate) => boolean) =>
  facts.requests.filter((one) => one.method === method && which(one)).map(({ url }) => new URL(url).pathname)
const leftOut = ({ reach }: CrawlFacts): readonly string[] =>
  (reach?.rows ?? []).flatMap(({ kind, method, url, fate, holds }) =>
    kind === 'form' && fate === 'left_out' && holds ? [`${method} ${new URL(url).pathname}`] : [],
  )
const has = (name: string) => (request: RequestTemplate) =>
  new URL(request.url).searchParams.has(name) || request.fields.some((field) => field.name === name)

describe('a form around the content of many pages', () => {
  it('is sent from some of them, and each other page is asked for its parameter as a guess', async () => {
    const { facts } = await crawl(site(LETTER))
    expect(sentTo(facts, 'GET', has('mail'))).toEqual(['/', '/news', '/find'])
    const guessed = facts.points.filter(({ guessed, place, name }) => guessed && place === 'query' && name === 'mail')
    const asked = guessed.map(({ request }) => facts.requests.find(({ id }) => id === request)?.url ?? '')
    expect(asked.map((url) => new URL(url).pathname).toSorted()).toEqual(
      PATHS.filter((path) => !['/', '/news', '/find'].includes(path)).toSorted(),
    )
    expect(leftOut(facts)).toEqual([])
  })

  it('that says that it does something is sent nowhere else, either', async () => {
    const { facts } = await crawl(site(LETTER.replace('Show offers', 'Subscribe')))
    expect(facts.points.filter(({ guessed, name }) => guessed && name === 'mail')).toEqual([])
    expect(leftOut(facts)).toHaveLength(7)
  })

  it('that is posted is told of where it is not sent', async () => {
    const { facts } = await crawl(site(RATE), {}, 'test')
    const sent = sentTo(facts, 'POST', has('rate'))
    expect(sent).toHaveLength(3)
    expect(leftOut(facts).toSorted()).toEqual(
      PATHS.filter((path) => !sent.includes(path))
        .map((path) => `POST ${path}`)
        .toSorted(),
    )
  })

  it.each([
    ['that stands in the content of each', site('', () => '<form><input name=host><button>Look up</button></form>')],
    [
      'that is called otherwise on each',
      Object.fromEntries(
        Object.entries(site('')).map(([path, page]) => [
          path,
          `${page}<footer><form><input name=host><button>Look up ${path.slice(1)}</button></form></footer>`,
        ]),
      ),
    ],
    ['of few pages', Object.fromEntries(Object.entries(site(LETTER.replace('name=mail', 'name=host'))).slice(0, 7))],
  ])('is one of each page: %s', async (_what, pages) => {
    const { facts } = await crawl(pages)
    expect(sentTo(facts, 'GET', has('host')).toSorted()).toEqual(Object.keys(pages).toSorted())
    expect(leftOut(facts)).toEqual([])
  })

  it.each([
    ['around the content', '<nav><input type=search name=jump placeholder="Go to a project"></nav>', 3],
    [
      'known by the words beside it',
      '<div>Jump to a project of yours: <input name=jump> <a href=/all>All projects</a></div>',
      3,
    ],
    ['that nobody sees, the same on each', '<input type=hidden name=jump value=/>', 3],
    ['in the content of each', '<main><p>Look in this page alone: <input name=jump></p></main>', PATHS.length],
  ])('is a line without a form, too: %s', async (_what, line, times) => {
    const { facts } = await crawl(site(line))
    expect(sentTo(facts, 'GET', has('jump'))).toHaveLength(times)
  })

  it('a line that nobody sees is one of each page where it says something else on each', async () => {
    const { facts } = await crawl(site('', (path) => `<input type=hidden name=jump value="${path}">`))
    expect(sentTo(facts, 'GET', has('jump'))).toHaveLength(PATHS.length)
  })

  it('is known by the words beside it where no landmark tells', async () => {
    const box = LETTER.replaceAll('footer', 'div').replace('Ask us.', 'We write to you once a month at most.')
    const { facts } = await crawl(site(box))
    expect(sentTo(facts, 'GET', has('mail'))).toHaveLength(3)
  })
})

describe('a form of a page that was asked for with values', () => {
  const note = '<form method=post><input name=note value=a><button>Look</button></form>'
  const posted = async (pages: Pages) => {
    const { facts } = await crawl(pages, {}, 'test')
    return facts.requests.flatMap(({ method, url }) =>
      method === 'POST' ? [url.slice(new URL(url).origin.length)] : [],
    )
  }

  it('is that of the page without them, where it has it too', async () => {
    expect(await posted({ '/': `<form><input name=q></form>${note}` })).toEqual(['/'])
    expect(
      await posted({
        '/': ({ method }) => (method === 'POST' ? { status: 303, headers: { Location: '/?saved=1' } } : note),
      }),
    ).toEqual(['/'])
  })

  it('keeps them where the site itself leads there, or shows it with them alone', async () => {
    expect(await posted({ '/': `<a href="/?id=3">Third</a>${note}` })).toEqual(['/', '/?id=3'])
    const found = ({ url }: { readonly url?: string | undefined }) =>
      `<form><input name=q></form>${url?.includes('q=') ? note : ''}`
    expect(await posted({ '/': found })).toEqual(['/?q=test'])
  })
})
