/** Scripts of a site as the crawl reads them: functions of one file, called by others and by elements. */
import { afterEach, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl } from '../testing/crawling.ts'

afterEach(closeCrawled)

const script = (body: string): Answer => ({ type: 'text/javascript', body })

it('joins what its files call, whichever is read first', async () => {
  const { facts } = await crawl({
    '/': `<script type=module src=/main.js></script><script>function vote(id, stars) { return $.post('/votes/' + id, { stars: stars }) }</script>
      <button onclick="vote(7, 5)">Vote</button>`,
    '/main.js': script('import("./view.js");import{a as t}from"./api.js";window.u=new t'),
    '/view.js': script('import{a as t}from"./api.js";const u=new t;u.post("/session",{email:e,note:"x"})'),
    '/api.js': script('class o{post(e,t){return this.http.post("/api"+e,t)}}export{o as a}'),
  })
  const posts = facts.requests
    .filter(({ method }) => method === 'POST')
    .map(({ url, body, fields }) => [new URL(url).pathname, body, fields.map(({ name, value }) => `${name}=${value}`)])
  expect(posts).toEqual(
    expect.arrayContaining([
      ['/api/session', '{"email":"test@example.org","note":"x"}', []],
      ['/votes/7', null, ['stars=5']],
    ]),
  )
})
