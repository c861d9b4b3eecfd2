/** Pages that clean a value as a text, and write it as it is where it comes as the one member of a list, with a real browser. */
import { describe, expect, it } from 'vitest'
import { type Answer, known, scanned } from './testing/scanned.ts'

describe('a page that writes a list as it is', () => {
  const url = 'http://shop.test/news?topic=spring'
  const { requests, ...crawl } = known([])
  const page = (write: (texts: readonly string[], name: string) => string): Answer => {
    return (_, request) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://shop.test')
      const [name, listed] = [searchParams.get('topic'), searchParams.getAll('topic[]')]
      return `<h1>News on ${listed.length > 0 ? write(listed, 'topic[]') : write([name ?? ''], 'topic')}</h1>`
    }
  }
  const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const news = {
    ...crawl,
    requests: requests.map((one) => ({ ...one, method: 'GET', url, shape: url, encoding: 'none' as const })),
    points: [{ id: 'a:query:topic', request: 'a', place: 'query' as const, name: 'topic', example: 'spring' }],
  }

  it('and cleans a text alone is asked by a list', async () => {
    const { found, at, replays } = await scanned(
      page((texts, name) => (name === 'topic' ? escaped(texts.join()) : texts.join())),
      news,
    )
    expect(found).toEqual(['xss/reflected confirmed'])
    expect(at).toEqual(['xss/reflected http://shop.test/news topic'])
    expect(replays[0]).toMatch(/^http:\/\/shop\.test\/news\?topic%5B%5D=/)
  })

  it('and cleans that, too, passes', async () => {
    const { found, states } = await scanned(
      page((texts) => escaped(texts.join())),
      news,
    )
    expect(found).toEqual([])
    expect(states['xss/reflected']).toMatch(/^pass/)
  })
})
