/** A site that stops answering in mid-run: what is asked from then on is no asking. */
import { afterEach, expect, it } from 'vitest'
import { closeProbed, cookiesOf, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const COOKIES = ['theme', 'tab', 'seen', 'mode'].map((name) => pointOf('cookies', 'cookie', name))
const WORDS = ['a', 'b', 'c', 'd'].map((name) => ({ ...pointOf('words', 'query', name), guessed: true as const }))
const OWN = ['p', 'q', 'r'].map((request) => pointOf(request, 'query', 'q', '1'))

it.each([
  ['from the beginning', 0],
  ['after some answers', 6],
])('no place counts as asked where it was silent %s', async (_when, answers) => {
  let left = answers
  const { ends } = await probed(
    (request, response) => {
      left -= 1
      if (left < 0) return void request.socket.destroy()
      response.end(html(''))
    },
    crawlOf([...OWN, ...COOKIES, ...WORDS]),
  )
  expect(ends.filter((end) => end === 'tested')).toEqual([])
})

it('one that answers was asked, though single questions are never answered', async () => {
  const { ends } = await probed((request, response) => {
    const asked = `${request.url} ${cookiesOf(request.headers.cookie).tab ?? ''}`
    if (/%27|'/.test(asked)) return void request.socket.destroy()
    response.end(html(''))
  }, crawlOf(OWN))
  expect(new Set(ends)).toEqual(new Set(['tested']))
})
