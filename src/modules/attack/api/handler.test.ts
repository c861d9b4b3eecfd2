import { expect, test } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { handlerOf } from './handler.ts'
import { askedOf, caseApi, shown } from './testing/api-facts.ts'
import { unhandledInput } from './unhandled-input.ts'

const of = (body: string, type: string, status = 500): string =>
  handlerOf(caseAnswer({ path: '/', body, type, status }))
const json = (document: object, status = 500): string => of(JSON.stringify(document), 'application/json', status)

test.each([
  [
    'JSON of the same members',
    json({ name: 'Error', details: [{ message: 'select * from "tags" where id = 1' }] }),
    json({ name: 'TypeError', details: [{ message: 'no tag 99' }, { message: 'of b' }] }),
  ],
  [
    'pages of the same elements',
    of('<!doctype html><html><body><pre>Error: a<br> at b</pre></body></html>', 'text/html'),
    of('<!doctype html><html><body><pre>TypeError: c<br> at d<br> at e</pre></body></html>', 'text/html'),
  ],
  [
    'lines of text but for what is quoted, numbers and places',
    of('invalid input syntax: "abc" at /srv/app/a.py line 12\nmore', 'text/plain'),
    of("invalid input syntax: 'd' at /srv/app/b.py line 7", 'text/plain'),
  ],
  ['nothing', of('', 'text/plain'), of('', 'text/plain')],
])('one handler has written %s', (_name, one, other) => expect(one).toBe(other))

test.each([
  ['with another status', json({ error: 'a' }), json({ error: 'a' }, 505)],
  ['in another form', json({ error: 'a' }), json({ message: 'a' })],
  ['of another type', of('<p>a', 'text/html'), of('a', 'text/plain')],
])('two answers %s are of two', (_name, one, other) => expect(one).not.toBe(other))

test('operations of one handler are one finding that lists them', () => {
  const hit = { ...shown, kind: 'unhandled', status: 500, input: 'half a document', parameter: 'the body' } as const
  const others = ['tags', 'users'].map((name) => ({ ...hit, url: `https://shop.test/v1/${name}`, handler: 'h' }))
  const facts = caseApi({ failed: askedOf([{ ...hit, handler: 'h' }, ...others]) })
  expect(unhandledInput.judge(facts, {} as never, {} as never)).toMatchObject([
    {
      at: { url: hit.url, parameter: 'the body' },
      places: [{ url: 'https://shop.test/v1/tags' }, { url: 'https://shop.test/v1/users' }],
      cause: 'h',
      detail: expect.stringMatching(/is answered with status 500, twice; .* 2 more operations fail alike\.$/),
    },
  ])
})
