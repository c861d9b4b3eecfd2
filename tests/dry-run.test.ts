/** A dry run through a real crawl: nothing that may write leaves, on a test system neither, and each request that the site takes is listed. */
import { afterEach, describe, expect, test } from 'vitest'
import { closeCrawled, crawl } from '../src/modules/attack/crawl/testing/crawling.ts'

afterEach(closeCrawled)

const PAGES = {
  '/': `<a href=/range?kind=tents>Tents</a><a href=/logout>Log out</a>
<form method=post action=/ask><input name=question><button>Go</button></form>
<form method=post action=/contact><input name=name><textarea name=message></textarea><button>Send</button></form>
<form method=post action=/basket/pay><input name=card><button>Pay now</button></form>
<form action=/find><input name=q></form><script>fetch('/api/notes', { method: 'POST', body: JSON.stringify({ text: 'x' }) })</script>`,
  '/range': '<h1>Tents</h1>',
  '/find': '<p>Nothing found.</p>',
}

describe.each(['production', 'test'] as const)('%s', (environment) => {
  test('lists what would be sent and what not, and sends what reads alone', async () => {
    const { facts, seen } = await crawl(PAGES, { options: { active: true, dry_run: true } }, environment)
    const planned = new Map(
      (facts.planned ?? []).map((one) => [`${one.method} ${new URL(one.url).pathname}`, one] as const),
    )
    const test = environment === 'test'
    expect(planned.get('GET /range')).toMatchObject({ decision: 'send', places: expect.any(Number), reason: null })
    expect(planned.get('GET /logout')).toMatchObject({ decision: 'never', reason: expect.stringMatching(/session/) })
    expect(planned.get('POST /ask')).toMatchObject({ decision: 'once', most: test ? 40 : null })
    expect(planned.get('POST /contact')).toMatchObject({ decision: test ? 'once' : 'never' })
    expect(planned.get('POST /basket/pay')).toMatchObject({ decision: 'never', reason: expect.stringMatching(/pays/) })
    expect([...planned.keys()]).toContain('POST /api/notes')
    for (const { decision, reason } of planned.values()) if (decision !== 'send') expect(reason).not.toBe(null)
    // What is asked whether it speaks GraphQL reads.
    expect(seen.filter((line) => !/^GET |graphql|gql|query/.test(line))).toEqual([])
    expect(seen.filter((line) => line.includes('logout'))).toEqual([])
    expect(facts.marker).toBeUndefined()
  })
})
