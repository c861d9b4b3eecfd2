import { afterEach, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

it('scripts are read while pages still bring news, as the time may end before they do', async () => {
  const words = Array.from({ length: 150 }, (_, index) => `${String.fromCharCode(97 + (index % 26))}${index}x`)
  /** Each leads to the next, and has a form of its own. */
  const pages = words.map((word, index): [string, Answer] => [
    `/${word}`,
    `<title>${word}</title><script src=/app.js></script><form action=/${word}><input name=${word}></form><a href=/${words[index + 1] ?? ''}>on</a>`,
  ])
  const { seen, facts } = await crawl({
    '/': `<a href=/${words[0]}>first</a>`,
    ...Object.fromEntries(pages),
    '/app.js': { type: 'text/javascript', body: "fetch('/api/rooms?floor=2')" },
    '/api/rooms': '[]',
  })
  const at = seen.indexOf('GET /app.js')
  expect(at).toBeGreaterThan(0)
  expect(at).toBeLessThan(seen.indexOf(`GET /${words[100]}`))
  expect(facts.requests.some(({ url }) => url.endsWith('/api/rooms?floor=2'))).toBe(true)
})
