import { expect, test } from 'vitest'
import type { Draft } from '../requests.ts'
import { noteMessage } from './sockets.ts'

const noted = (address: string, payload: string | Buffer, clicked = false): readonly Draft[] => {
  const drafts: Draft[] = []
  const parts = { inScope: ({ host }: URL) => host === 'shop.test', request: (draft: Draft) => drafts.push(draft) > 0 }
  noteMessage(address, payload, { on: 'http://shop.test/#/chat', clicked }, parts)
  return drafts
}

test('what a page says as JSON is a request whose body it is', () => {
  expect(noted('ws://shop.test/chat', '{"find":"tea"}')).toEqual([
    expect.objectContaining({
      ...{ method: 'WS', url: 'http://shop.test/chat', encoding: 'json', body: '{"find":"tea"}', harm: null },
      seenOn: 'http://shop.test/#/chat',
    }),
  ])
})

test('what somebody’s click has said may be read by others', () => {
  expect(noted('wss://shop.test/chat', '{"text":"hello"}', true)).toMatchObject([
    { url: 'https://shop.test/chat', harm: 'it is said to whoever listens' },
  ])
})

test('of Socket.IO events alone, on a connection of one’s own', () => {
  const address = 'ws://shop.test/socket.io/?EIO=4&transport=websocket&sid=abc'
  expect(noted(address, '42["find","tea"]')).toMatchObject([
    { url: 'http://shop.test/socket.io/?EIO=4&transport=websocket', body: '["find","tea"]' },
  ])
  expect(noted(address, '4217["find","tea"]')).toMatchObject([{ body: '["find","tea"]' }])
  for (const other of ['40', '2probe', '42/admin,["find"]']) expect(noted(address, other)).toEqual([])
})

test('other hosts, bytes and what is no document are left', () => {
  expect(noted('ws://elsewhere.test/chat', '{"a":1}')).toEqual([])
  expect(noted('ws://shop.test/chat', Buffer.from('{"a":1}'))).toEqual([])
  for (const text of ['ping', '1', 'null']) expect(noted('ws://shop.test/chat', text)).toEqual([])
})
