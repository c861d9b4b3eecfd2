import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { casePage } from '../../testing/site-facts.ts'
import { guessPages } from './guessing.ts'

const NONE =
  '<title>Club</title><h1>There is no such page</h1><p>Please go back to the start page of the club and look there.</p>'
const START =
  '<title>Club</title><h1>Welcome to the club</h1><p>We meet on each Tuesday at seven in the old harbour.</p>'

/** Answers of the site by path; else `missing`. */
const guessed = async (
  pages: Readonly<Record<string, { status?: number; body: string; type?: string }>>,
  missing = 404,
) => {
  const asked: string[] = []
  const added: string[] = []
  await guessPages({
    origin: 'http://shop.test',
    fetcher: {
      get: async (url) => {
        const path = new URL(url).pathname
        asked.push(path)
        return caseAnswer({ path, ...(pages[path] ?? { status: missing, body: NONE }) })
      },
    },
    frontier: { add: (url) => added.push(new URL(url).pathname) > 0 },
    site: { missing: [casePage({ status: missing, body: NONE })], pages: [casePage({ body: START })] },
  })
  return { asked, added }
}

const ADMIN = '<h1>Administration</h1><ul><li>ida@shop.test</li><li>ole@shop.test</li></ul>'

it('what answers with a page of its own is followed, and the same page at another name is not', async () => {
  const pages = {
    '/admin': { body: ADMIN },
    '/administration': { body: ADMIN },
    '/api/users': { body: '[{"id":1}]', type: 'application/json' },
  }
  expect((await guessed(pages)).added).toEqual(['/admin', '/api/users'])
})

it.each([
  ['refused', { '/admin': { status: 403, body: 'Not for you' } }, 404],
  ['led to the sign-in', { '/admin': { status: 302, body: '' } }, 404],
  ['the page of what is not there, with success', {}, 200],
  ['the start page', { '/admin': { body: START } }, 404],
  ['a picture', { '/admin': { body: 'GIF89a', type: 'image/gif' } }, 404],
])('what is %s is not', async (_name, pages, missing) => {
  const { asked, added } = await guessed(pages, missing)
  expect(added).toEqual([])
  expect(asked.length).toBeLessThan(30)
})
