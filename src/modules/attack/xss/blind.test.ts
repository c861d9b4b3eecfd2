/** A contact form whose messages only the staff reads: a real listener, and a real browser in the place of the staff. */
import { afterEach, describe, expect, it } from 'vitest'
import { escapeHtml, type WebCase } from '../../../../testbed/web/case.ts'
import { inventoryOf } from '../../../../testbed/web/inventory.ts'
import { openOobListener } from '../../../egress/oob/listener.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { createOobInbox, type OobInbox } from '../../../engine/out-of-band.ts'
import { sharedBrowser } from '../../../engine/testing/shared-browser.ts'
import type { CollectContext } from '../../module.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { groupOf, watched } from '../insertion-points/groups.ts'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { collect } from './collect.ts'
import { xss } from './module.ts'
import { askBlind } from './probes/blind.ts'

const LISTENER = '127.0.181.2'
const CASE: WebCase = {
  id: 'contact',
  module: 'xss',
  finds: [],
  place: 'form',
  effect: 'writes',
  value: 'Hello',
  answer: () => ({ body: '' }),
}
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** `shown` is how the back office writes a message; the scan itself may not see it. */
const scanned = async (shown: (message: string) => string): Promise<readonly string[]> => {
  const listener = await openOobListener({ address: LISTENER, bind: LISTENER, domain: null, httpPort: 0, dnsPort: 0 })
  cleanups.push(listener.close)
  let inbox: OobInbox | null = null
  const { run } = listener.watch((hit) => inbox?.arrived(hit))
  inbox = createOobInbox(run, () => undefined)
  const messages: string[] = []
  const visits: Promise<void>[] = []
  const server = await serveCase(181, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const message = new URLSearchParams(body).get('q')
      if (message !== null) {
        messages.push(message)
        if (message.includes('<')) visits.push(staff())
      }
      const office = request.url === '/office' && request.headers.cookie === 'staff=1'
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(office ? messages.map(shown).join('<hr>') : '<!doctype html><p>Thank you')
    },
  })
  cleanups.push(server.close)
  const scan = collectContext(server.address, { module: 'xss', requests: 1_000, outOfBand: inbox })
  const office = collectContext(server.address, {
    module: 'xss',
    requests: 1_000,
    launchBrowser: sharedBrowser,
    cookie: 'staff=1',
  })
  cleanups.push(scan.close, office.close)
  const profile = await (await office.ctx.browser()).newContext()
  const staff = async (): Promise<void> => {
    const page = await profile.newPage()
    await page.goto('http://shop.test/office')
    await page.close()
  }
  const known = { crawl: inventoryOf([CASE], 'http://shop.test', 'careless'), waf: { blockPage: null } }
  const facts = await collect(scan.ctx, known)
  await Promise.all(visits)
  const { findings } = judgeModule(xss as never, facts, known, caseContext())
  return findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)
}

describe('a script that runs for the staff alone', () => {
  it('is found by its call', async () =>
    expect(await scanned((message) => `<td title="${message}">`)).toEqual(['xss/blind confirmed']))

  it('is not there where messages are encoded', async () => expect(await scanned(escapeHtml)).toEqual([]))
})

it('is sent to places that are asked as one, however their answer differs', async () => {
  const { probe, sent } = fakeProbe((value) => ({ text: value === 'tent' ? 'usual' : value }), { place: 'header' })
  const outOfBand = {
    issue: () => ({ token: 't', host: null, url: 'http://198.51.100.7/t/' }),
    hits: async () => [],
  }
  const ctx = { outOfBand, signal: new AbortController().signal } as unknown as CollectContext
  const group = { ...probe, point: groupOf([probe.point, { ...probe.point, name: 'Referer' }]) }
  expect(await askBlind(ctx, [watched(group), probe], 0)).toMatchObject({ planted: 2 })
  expect(sent.filter((value) => value.includes('198.51.100.7'))).toHaveLength(2)
})

it('leaves what may store beyond the first thirty, and tells so', async () => {
  const left: string[] = []
  const outOfBand = { issue: () => ({ token: 't', host: null, url: 'http://198.51.100.7/t/' }), hits: async () => [] }
  const ctx = { outOfBand, signal: new AbortController().signal } as unknown as CollectContext
  const probeOf = (name: string, effect: 'reads' | 'writes', place: 'header' | 'form') => ({
    ...fakeProbe(() => ({ text: 'Thank you' }), { place, name, request: { effect } }).probe,
    leave: (way: string) => void left.push(`${name} ${way}`),
  })
  const forms = Array.from({ length: 32 }, (_, at) => probeOf(`form ${at}`, 'writes', 'form'))
  expect(await askBlind(ctx, [probeOf('Referer', 'reads', 'header'), ...forms], 0)).toMatchObject({ planted: 30 })
  expect(left).toEqual(['form 30 blind', 'form 31 blind'])
})
