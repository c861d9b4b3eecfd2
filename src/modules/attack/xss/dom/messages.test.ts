import { describe, expect, it } from 'vitest'
import { messagesFor, withPayload } from './messages.ts'

const sent = (listener: string): readonly unknown[] =>
  messagesFor([listener], 'W').map((message) => withPayload(message, 'W', 'P'))

describe('messages that a listener takes in', () => {
  it.each([
    ['the text itself', 'e => box.innerHTML = e.data', 'P'],
    ['a member', 'e => { box.innerHTML = e.data.html }', { html: 'P' }],
    [
      'a member beside a word that has to be there',
      'e => { if (e.data.type === "banner") box.innerHTML = e.data.html }',
      { type: 'banner', html: 'P' },
    ],
    [
      'with the word first',
      'e => { if ("banner" === e.data.type) box.innerHTML = e.data.html }',
      { type: 'banner', html: 'P' },
    ],
    [
      'a case of a switch',
      'e => { switch (e.data.kind) { case "a": break; case "b": go(e.data.to) } }',
      { kind: 'b', to: 'P' },
    ],
    ['taken apart', '({ data: { html } }) => { const { text } = e.data; box.innerHTML = text }', { text: 'P' }],
    [
      'a member of a member',
      'e => { if (e.data.action == "open") location = e.data.payload.url }',
      { action: 'open', payload: { action: 'P', payload: 'P', url: 'P' }, url: 'P' },
    ],
    [
      'JSON',
      'e => { const m = JSON.parse(e.data); if (m.kind == "note") box.innerHTML = m.text }',
      '{"kind":"note","text":"P"}',
    ],
  ])('%s', (_name, listener, expected) =>
    expect(sent(listener)).toContainEqual(typeof expected === 'string' ? expected : expect.objectContaining(expected)),
  )

  it('are few, however long the listener', () => {
    const listener = Array.from(
      { length: 500 },
      (_, index) => `if (e.data.t${index} === "w${index}") f(e.data.v${index})`,
    )
    expect(sent(listener.join(';')).length).toBeLessThanOrEqual(14)
  })
})
