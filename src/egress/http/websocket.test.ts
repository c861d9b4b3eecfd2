import { afterEach, expect, test } from 'vitest'
import type { HttpRequest } from '../door/egress.ts'
import { openBench } from '../testing/servers.ts'
import { type Talk, talking } from '../testing/socket-server.ts'
import { frameOf, textsIn } from './websocket.ts'

const opened: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const said = async (talk: Talk, body: string, more: Partial<HttpRequest> = {}, path = '/live') => {
  const listening = await talking(talk)
  const bench = openBench()
  opened.push({ close: () => bench.run.close() }, listening)
  const answer = await bench.egress.http({
    url: `http://site.test:${listening.port}${path}`,
    method: 'WS',
    headers: [['Content-Type', 'application/json']],
    body,
    ...more,
  })
  return { answer, bench }
}

test('a message is said once the socket is open, and what comes after it is the answer: not the greeting', async () => {
  const heads: string[] = []
  const { answer, bench } = await said(
    {
      greeting: ['{"hello":1}'],
      takes: (head) => heads.push(head) > 0,
      answers: (text) => [`{"echo":${text}}`, '{"done":true}'],
    },
    '{"find":"tea"}',
  )
  expect([answer.status, answer.body.toString()]).toEqual([101, '{"echo":{"find":"tea"}}\n{"done":true}'])
  expect(answer.headers.at(-1)).toEqual(['Content-Type', 'application/json'])
  expect(answer.request).toMatchObject({ method: 'WS', body: '{"find":"tea"}' })
  expect(heads[0]).toMatch(/^GET \/live HTTP\/1\.1\r\n[\s\S]*Origin: http:\/\/site\.test/)
  expect(heads[0]).not.toMatch(/content-(?:type|length)/i)
  expect(bench.entries).toContainEqual(expect.objectContaining({ method: 'WS', status: 101 }))
})

test('text that is no JSON is text', async () => {
  const { answer } = await said({ answers: () => ['<b>no such tea</b>'] }, 'x')
  expect(answer.headers.at(-1)).toEqual(['Content-Type', 'text/plain'])
})

test('a refused handshake is the answer, and nothing is said', async () => {
  const heard: string[] = []
  const { answer } = await said({ takes: () => false, answers: () => [], heard: (text) => heard.push(text) }, '{}')
  expect([answer.status, answer.body.toString(), heard]).toEqual([403, 'no', []])
})

test('who is not answered hears nothing, in a bounded time', async () => {
  const { answer } = await said({ answers: () => [] }, '{}')
  expect([answer.status, answer.body.length]).toEqual([101, 0])
})

test('who is asked to wait and says nothing has not waited', async () => {
  await expect(said({ answers: () => [] }, '{}', { waits: 400 })).rejects.toMatchObject({ code: 'timeout' })
})

test('a server that is asked to wait is waited for', async () => {
  const slow = () => new Promise<readonly string[]>((resolve) => setTimeout(() => resolve(['"late"']), 2_000))
  const { answer } = await said({ answers: slow }, '{}', { waits: 2_000 })
  expect(answer.body.toString()).toBe('"late"')
})

test('of Engine.IO the connection is made first, and the message is an event', async () => {
  const heard: string[] = []
  const talk: Talk = {
    greeting: ['0{"sid":"a"}'],
    answers: (text) => (text === '40' ? ['40{"sid":"b"}'] : ['42["found",[]]']),
    heard: (text) => heard.push(text),
  }
  const { answer } = await said(talk, '["find","tea"]', {}, '/socket.io/?EIO=4&transport=websocket')
  expect([heard, answer.body.toString()]).toEqual([['40', '42["find","tea"]'], '42["found",[]]'])
})

test('of Action Cable the channel is subscribed to first, and its beats are no answer', async () => {
  const heard: string[] = []
  const talk: Talk = {
    greeting: ['{"type":"welcome"}'],
    answers: (text) =>
      text.includes('"subscribe"')
        ? ['{"identifier":"{}","type":"confirm_subscription"}']
        : ['{"type":"ping","message":1}', '{"identifier":"{}","message":{"found":[]}}'],
    heard: (text) => heard.push(text),
  }
  const identifier = '{"channel":"RoomChannel","room":3}'
  const message = JSON.stringify({ command: 'message', identifier, data: '{"action":"find","term":"tea"}' })
  const { answer } = await said(talk, message, {}, '/cable')
  expect(heard).toEqual([JSON.stringify({ command: 'subscribe', identifier }), message])
  expect(answer.body.toString()).toBe('{"identifier":"{}","message":{"found":[]}}')
})

test('frames of all lengths, in parts, and with what is no text between them', () => {
  for (const length of [0, 125, 126, 65_535, 65_536]) {
    const frame = frameOf('a'.repeat(length))
    const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
    expect([frame.length, (frame[1] ?? 0) >> 7]).toEqual([head + 4 + length, 1])
  }
  const ping = Buffer.from([0x89, 1, 0x41])
  const parts = Buffer.concat([Buffer.from([0x01, 1, 0x61]), ping, Buffer.from([0x80, 1, 0x62])])
  expect(textsIn(Buffer.concat([parts, Buffer.from([0x81, 5, 0x63])]))).toEqual(['ab'])
})
