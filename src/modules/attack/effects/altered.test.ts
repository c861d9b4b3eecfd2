/** Forms that hold what they are sent already, asked on a test system. */
import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { learn } from './learn.ts'

const PAGE = 'https://shop.test/page'
const ACTION = 'https://shop.test/thing'

/** `post`: status of the answer to that word; `shows`: the word that the page has filled in. */
const tried = async (post: (word: string) => number, shows: () => string, name = 'word') => {
  const posts: string[] = []
  const form = (): string => `<form method=post action=/thing><input name=${name} value="${shows()}"></form>`
  const { seen } = await learn(
    caseRequest({
      ...{ method: 'POST', url: ACTION, encoding: 'urlencoded', seenOn: [PAGE] },
      fields: [{ name, value: 'tent', type: 'text' }],
    }),
    {
      send: async ({ method, url, body = null }) => {
        const path = new URL(url).pathname
        if (method === 'GET')
          return caseAnswer({ path, ...(url === PAGE ? { body: form() } : { status: 405, body: '' }) })
        const word = new URLSearchParams(String(body)).get(name) ?? ''
        posts.push(word)
        return caseAnswer({ path, status: post(word), body: '<p>Here it is' })
      },
      ...{ mayRead: () => true, cookies: () => new Set(['sid']), careful: false, mark: () => 'sonde01' },
    },
  )
  return { seen, posts }
}

it('what alters the record that it shows writes, and is as it was then', async () => {
  let stored = 'tent'
  const post = (word: string): number => {
    stored = word
    return 200
  }
  expect(await tried(post, () => stored)).toEqual({ seen: 'writes', posts: ['tent', 'tent', 'sonde01', 'tent'] })
  expect(stored).toBe('tent')
})

it.each<[string, (word: string) => number, () => string, string | undefined, string, number]>([
  ['what looks up the word that it suggests', () => 200, () => 'tent', undefined, 'reads', 3],
  ['what suggests another word', () => 200, () => 'boat', undefined, 'reads', 2],
  ['what takes no other word', (word) => (word === 'tent' ? 200 : 400), () => 'tent', undefined, 'unclear', 3],
  ['by what somebody signs in', () => 200, () => 'tent', 'username', 'reads', 2],
])('%s', async (_what, post, shows, name, seen, sent) => {
  const tries = await tried(post, shows, name)
  expect([tries.seen, tries.posts.length]).toEqual([seen, sent])
})
