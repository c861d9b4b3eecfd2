/** Forms whose answer leads to the page that shows what came of the value, on a real site. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import type { Plan } from './plan.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const FORM = caseRequest({
  ...{ id: 'add', method: 'POST', url: 'http://shop.test/add', encoding: 'urlencoded', effect: 'reads' },
  ...{ seenOn: ['http://shop.test/'], fields: [{ name: 'q', value: 'tents', type: 'text' }] },
})
const crawl = crawlOf([pointOf('add', 'form', 'q', 'tents')], { requests: [FORM] })

/** `shows`: the page behind the answer shows what was sent; otherwise it says the same to everybody. */
const site = (shows: boolean, looks: string[]) => {
  const notes: string[] = []
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/'
    if (request.method === 'POST') {
      notes.push(new URLSearchParams(await text(request)).get('q') ?? '')
      const head = { Location: `/note/${notes.length}`, 'Set-Cookie': `last=${notes.length}; Path=/` }
      response.writeHead(303, head).end()
      return
    }
    if (path.startsWith('/note/')) looks.push(`${path} ${request.headers.cookie ?? ''}`)
    const note = notes[Number(path.slice('/note/'.length)) - 1] ?? ''
    response.writeHead(note === 'broken' ? 500 : 200).end(html(shows ? note : 'Thank you'))
  }
}

const asking = async (shows: boolean, values: readonly string[], session: string | null = null) => {
  const looks: string[] = []
  const replies: string[] = []
  const probe: Plan<string>['probe'] = async (one) => {
    for (const value of values) {
      const { status, text: said, replay } = await one.send(value)
      replies.push(`${status} ${said.includes(value)} ${replay.includes('curl -iskL') && !replay.includes('-X POST')}`)
    }
  }
  await probed(site(shows, looks), crawl, null, session, { probe })
  return { replies, looks }
}

it('are answered by that page, with the cookies that came with its address and its error', async () => {
  const { replies, looks } = await asking(true, ['stove', 'broken'])
  expect(replies).toEqual(['303 true true', '500 true true'])
  expect(looks.every((look) => /^\/note\/(\d+) last=\1$/.test(look))).toBe(true)
})

it('are answered by that page as their answer leaves the session, where it stands in the cookie', async () => {
  const { looks } = await asking(true, ['stove'], 'last=none; sid=1')
  expect(looks).toEqual(['/note/1 sid=1; last=1'])
})

it('are not followed any more where it always says the same', async () => {
  const { looks } = await asking(
    false,
    Array.from({ length: 12 }, (_, at) => `value ${at}`),
  )
  expect(looks.length).toBe(6)
})
