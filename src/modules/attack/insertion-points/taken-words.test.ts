/** Words of paths that a program takes for a value, though it answers those that it does not know with an error. */
import { afterEach, expect, it } from 'vitest'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const MISSING = html('Not found')
const own = '<!doctype html><body><main><p>No such room.</p><a href="/rooms">All rooms</a></main>'

const asked = async (answer: (room: string) => readonly [status: number, text: string]) => {
  const place = { ...pointOf('rooms/A1', 'path', '1', 'A1'), guessed: true as const }
  const { hits } = await probed(
    (request, response) => {
      const [, folder, room = ''] = decodeURIComponent(new URL(request.url ?? '/', 'http://shop.test').pathname).split(
        '/',
      )
      const [status, text] = folder === 'rooms' ? answer(room) : [404, MISSING]
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(text)
    },
    crawlOf([place]),
  )
  return hits
}

it.each<[string, (room: string) => readonly [number, string], readonly string[]]>([
  [
    'says itself that there is none',
    (room) => [room === 'A1' ? 200 : 404, room.includes("'") ? html('boom') : own],
    ['path 1'],
  ],
  [
    'fails of a quote',
    (room) => (room.includes("'") ? [500, html('boom')] : room === 'A1' ? [200, html('Room')] : [404, MISSING]),
    ['path 1'],
  ],
  [
    'is one of many, and the server says that there is none',
    (room) => (room === 'A1' ? [200, html('Room')] : [404, room.includes("'") ? html('boom') : MISSING]),
    [],
  ],
  [
    'answers all words alike, and none otherwise',
    (room) => [200, room.includes("'") ? html('boom') : room === '' ? own : html('Taken down')],
    ['path 1'],
  ],
  ['answers alike whatever ends its address', (room) => [200, html(room.includes("'") ? 'boom' : 'Rooms')], []],
  ['is a page of the server that answers all', () => [200, html('boom')], []],
])('a program that %s', async (_what, answer, expected) => expect(await asked(answer)).toEqual(expected))

it('what is packed in the name of a page is none where the server repeats any name that it does not know', async () => {
  const within = { steps: ['base64'], whole: 'Mw==' }
  const place = { ...pointOf('rooms/Mw%3D%3D', 'path', '1', '3'), within, guessed: true as const }
  const { hits } = await probed(
    (request, response) => {
      const isThere = request.url?.startsWith('/rooms/Mw%3D%3D?') === true
      response.writeHead(isThere ? 200 : 404).end(html(isThere ? 'Room' : `boom: no ${request.url}`))
    },
    crawlOf([place]),
  )
  expect(hits).toEqual([])
})
