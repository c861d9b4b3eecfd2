/** A chat over a WebSocket, which a real browser listens to while something is said: as a stranger, and signed in. */
import { afterEach, expect, it } from 'vitest'
import { escapeHtml } from '../../../../testbed/web/case.ts'
import { talking } from '../../../egress/testing/socket-server.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { sharedBrowser } from '../../../engine/testing/shared-browser.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { PRESSED_IN_PART, UNOPENED } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'
import { xss } from './module.ts'
import { websocketMessage } from './websocket.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Chat {
  /** How the page writes what comes. */
  readonly writes: 'innerHTML' | 'textContent'
  /** What the server makes of a text before it tells all others. */
  readonly tells?: (text: string) => string
  readonly signedIn?: boolean
  readonly production?: boolean
  readonly opens?: boolean
  readonly seenOn?: readonly string[]
  readonly bound?: number
  /** It tells those alone who have said that they join, and so does whoever says something. */
  readonly joins?: boolean
}

const found = async ({ writes, tells = (text) => text, signedIn = false, ...chat }: Chat) => {
  const open: ((text: string) => void)[] = []
  let messages = 0
  const site = await talking(
    {
      joined: (say) => void open.push(say),
      takes: (head) => !signedIn || /^cookie: .*sid=robin/im.test(head),
      page: () =>
        `<!doctype html><h1>Chat</h1><div id=log></div><script>
          const socket = ${chat.opens === false ? '{}' : "new WebSocket('ws://' + location.host + '/live')"}
          socket.onmessage = ({ data }) => { document.getElementById('log').${writes} = JSON.parse(data).text }
        </script>`,
      answers: (message) => {
        messages += 1
        const { text } = JSON.parse(message)
        for (const say of chat.joins ? [] : open) say(JSON.stringify({ kind: 'chat', text: tells(String(text)) }))
        return []
      },
    },
    caseAddress(232),
    80,
  )
  cleanups.push(site.close)
  const url = 'http://shop.test/live'
  const { seenOn = ['http://shop.test/chat'], bound = 40 } = chat
  const request = caseRequest({
    ...{ id: 'say', method: 'WS', url, shape: url, encoding: 'json', source: 'browser', effect: 'unknown' },
    ...{ bound, seenOn, body: '{"kind":"chat","text":"Hello"}' },
  })
  const points = [{ id: 'say:json:/text', request: 'say', place: 'json' as const, name: '/text', example: 'Hello' }]
  const { ctx, close } = collectContext(caseAddress(232), {
    ...{ module: 'xss', requests: 1_000, launchBrowser: sharedBrowser, cookie: signedIn ? 'sid=robin' : null },
  })
  cleanups.push(close)
  const environment = chat.production ? ('production' as const) : ('test' as const)
  const known = { crawl: caseCrawl({ requests: [request], points }), waf: { blockPage: null } }
  const facts = await collect({ ...ctx, target: { ...ctx.target, environment } }, known)
  const { findings, coverage } = judgeModule(xss as never, facts, known, caseContext())
  const about = coverage.find(({ check_id }) => check_id === 'xss/websocket-message')
  return { messages, findings, verdict: `${about?.state} ${about?.reason ?? ''}` }
}

it('a script that somebody says runs in the page of a stranger who listens', { timeout: 90_000 }, async () => {
  const { findings, verdict, messages } = await found({ writes: 'innerHTML' })
  expect(findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)).toEqual([
    'xss/websocket-message confirmed',
  ])
  const [first] = findings
  expect(first?.location).toMatchObject({ method: 'WS', parameter: '/text' })
  expect(first?.detail).toContain('ran at http://shop.test/chat, which was open in the browser of a stranger')
  expect(JSON.stringify(first)).toMatch(/printf %s .* \| websocat .*ws:\/\/shop\.test\/live/)
  expect(verdict).toMatch(/^fail/)
  expect(messages).toBeLessThanOrEqual(40)
})

it('where a session has to be there, that of the account is, and others are not accused', {
  timeout: 90_000,
}, async () => {
  const { findings } = await found({ writes: 'innerHTML', signedIn: true })
  expect(findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)).toEqual([
    'xss/websocket-message firm',
  ])
  expect(findings[0]?.detail).toContain('whether other accounts get the message was not seen')
})

it.each([
  ['a page that writes text passes', { writes: 'textContent' }, /^pass/],
  ['so does one whose server encodes it', { writes: 'innerHTML', tells: escapeHtml }, /^pass/],
  [
    'without a page that listens nothing is known',
    { writes: 'innerHTML', seenOn: [] },
    /^not_tested .*1 of which no page/,
  ],
  [
    'a page that opens its connection later is not said to be clean',
    { writes: 'innerHTML', opens: false },
    /^not_tested .*1 to which no page was seen to listen/,
  ],
  [
    'nor is what came to no page, as nobody had joined',
    { writes: 'innerHTML', joins: true },
    /^not_tested .*1 that came to no page/,
  ],
  ['nor in production', { writes: 'innerHTML', production: true }, /^not_tested .*1 said on a test system alone/],
] as const)('%s', { timeout: 90_000 }, async (_name, chat, expected) => {
  const { findings, verdict } = await found(chat)
  expect(findings.filter(({ check_id }) => check_id === 'xss/websocket-message')).toEqual([])
  expect(verdict).toMatch(expected)
})

it('what no page was seen to say is nothing only where all were opened', () => {
  const facts = { messages: { known: 0, asked: 0, left: {}, hits: [] } } as never
  const verdictOf = (reason: string | null) => {
    const row = { kind: 'browser_page', method: 'GET', url: 'http://shop.test/chat', holds: true, reason } as const
    const fate = reason === null ? ('asked' as const) : ('cut_off' as const)
    const crawl = caseCrawl({ reach: { rows: [{ ...row, fate }], counts: [] } })
    const verdict = websocketMessage.judge(facts, { crawl } as never, caseContext())
    return 'state' in verdict ? verdict.state : 'pass'
  }
  expect([null, PRESSED_IN_PART, UNOPENED].map(verdictOf)).toEqual(['not_applicable', 'not_applicable', 'not_tested'])
})

it('pages of which something was not pressed may say more than was heard', () => {
  const facts = { messages: { known: 1, asked: 1, left: {}, hits: [] }, browser: null } as never
  const verdictOf = (count: number) => {
    const left = { kind: 'browser_page', fate: 'cut_off', holds: true, reason: 'a second time', count } as const
    const crawl = caseCrawl({ reach: { rows: [], counts: count === 0 ? [] : [left] } })
    const verdict = websocketMessage.judge(facts, { crawl } as never, caseContext())
    return 'reason' in verdict ? `${verdict.state}: ${verdict.reason}` : 'pass'
  }
  expect(verdictOf(0)).toBe('pass')
  expect(verdictOf(3)).toBe('inconclusive: of 4 messages: 3 not opened in the browser: a second time')
})
