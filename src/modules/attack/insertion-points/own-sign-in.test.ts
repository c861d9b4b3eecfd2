import { expect, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { choose } from '../rate-limit/endpoints.ts'
import { ownSignIn, signInWithout } from './own-sign-in.ts'

const form = {
  ...{ url: 'https://shop.test/api/enter', encoding: 'json' as const, fields: [], page: null },
  body: '{"who":"sonde","password":""}',
}
const crawled = (path: string, names: readonly string[]) =>
  caseRequest({
    ...{ id: path, method: 'POST', url: `https://shop.test${path}`, encoding: 'urlencoded', sent: false },
    fields: names.map((name) => ({ name, type: name, value: '' })),
  })

test('where no page has a form for it, the identity’s own request stands for one', () => {
  const own = ownSignIn({ form }, [crawled('/api/search', ['q'])])
  expect(own).toMatchObject({ method: 'POST', url: form.url, encoding: 'json', body: form.body, harm: null })
  expect(choose({ requests: [], urls: [] }, own).map(({ kind, request }) => [kind, request.url])).toEqual([
    ['login', form.url],
  ])
})

test('the one that the crawl has found is taken, and comes before forms of other servers', () => {
  const requests = [crawled('/a-connection', ['user', 'password']), crawled('/api/enter', ['user', 'password'])]
  const own = ownSignIn({ form }, requests)
  expect(own?.id).toBe('/api/enter')
  expect(choose({ requests, urls: [] }, own)[0]?.request.id).toBe('/api/enter')
})

test('of one that needs a token from its page the one that the crawl has found is taken, by its path', () => {
  const never = () => Promise.reject(new Error('nobody signs in'))
  const leading = {
    ...{ paths: new Set(['/session/new', '/session']), fields: ['email', 'password'] },
    ...{ to: never, saying: never, behind: never, instead: never },
  }
  const requests = [crawled('/office/session', ['email', 'password']), crawled('/session', ['email', 'password'])]
  expect(ownSignIn({ leading }, requests)?.id).toBe('/session')
  expect(ownSignIn({ leading }, requests.slice(0, 1))).toBeNull()
})

test('without one there is none', () => {
  expect(ownSignIn({}, [])).toBeNull()
  expect(ownSignIn(undefined, [])).toBeNull()
})

test('a run that signs in by steps has a sign-in, though no request of it is known', () => {
  expect(signInWithout({ account: 'ada' }, [])).toContain('no request is known')
  expect(signInWithout({ account: 'ada' }, [crawled('/session', ['user', 'password'])])).toBeNull()
  expect(signInWithout({}, [])).toBeNull()
  expect(signInWithout(undefined, [])).toBeNull()
})
