import { expect, it } from 'vitest'
import type { DomHit } from '../facts.ts'
import { domPayloads, type Sink } from './payloads.ts'
import { domReplay } from './replay.ts'

it.each([
  ['markup', 'html', '<p>qx1</p>', '<img src=x onerror=qxproof(123456)>'],
  ['a value of markup', 'html', '<p title="qx1">', '"><img src=x onerror=qxproof(123456)>'],
  ['text of code', 'code', 'say("qx1")', '"-qxproof(123456)-"'],
  ['code', 'code', 'qx1', '-qxproof(123456)'],
  ['a whole address', 'address', 'qx1', 'javascript:qxproof(123456)'],
  ['code behind a scheme', 'address', 'javascript:qx1', '-qxproof(123456)'],
  ['a window', 'window', 'qx1', 'javascript:opener.qxproof(123456)'],
  ['the address of a script', 'script', 'qx1', 'data:text/javascript,qxproof(123456)//'],
  ['a part of an address', 'address', '/find?q=qx1', undefined],
] as const)('payloads for %s', (_name, sink: Sink, value, expected) =>
  expect(domPayloads(sink, value, 'qx1', 123456)[0]).toBe(expected),
)

const hit: DomHit = {
  ...{ kind: 'script', page: 'https://shop.test/a', source: 'fragment', name: null, sink: 'html' },
  ...{ address: 'https://shop.test/a#<img src=x onerror=qxproof(1)>', message: null },
  ...{ payload: '<img src=x onerror=qxproof(1)>', ran: 'load', screenshot: null, alsoOn: [] },
}

it('what somebody else needs is an address, or a page that does it', () => {
  expect(domReplay(hit)).toBe('Open this address:\nhttps://shop.test/a#<img src=x onerror=alert(1)>')
  const named = domReplay({ ...hit, source: 'window-name', address: hit.page, ran: 'click' })
  expect(named).toContain('window.open("https://shop.test/a", "\\u003cimg src=x onerror=alert(1)>")')
  expect(named).toContain('Then click')
  const sent = domReplay({
    ...hit,
    source: 'message',
    address: hit.page,
    message: '{"html":"<img onerror=qxproof(1)>"}',
  })
  expect(sent).toContain(`postMessage({"html":"\\u003cimg onerror=alert(1)>"}, '*')`)
  for (const source of ['referrer', 'storage', 'cookie'] as const)
    expect(domReplay({ ...hit, source, name: 'note' })).toContain('onerror=alert(1)')
})

it('names the site that has to send, and the page that has to be open before', () => {
  const sent = domReplay({ ...hit, source: 'message', message: '"x"', from: 'https://desk.example.other-site.example' })
  expect(sent).toContain('Open a page of https://desk.example.other-site.example with this in it')
  expect(domReplay({ ...hit, opened: hit.page })).toContain('window.open("https://shop.test/a")')
})
