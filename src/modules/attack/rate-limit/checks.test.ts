import { expect, it } from 'vitest'
import { CHECKS } from './checks.ts'
import type { Endpoint, EndpointKind } from './facts.ts'

const endpoint = (kind: EndpointKind): Endpoint => ({
  ...{ kind, method: 'POST', url: 'https://shop.test/enter', signal: null, told: {}, bypasses: [] },
  ...{ aborted: null, planned: 30 },
  answers: Array.from({ length: 30 }, () => ({ status: 200, ms: 20, likeness: 1, retryAfter: null })),
})

/** Many applications count wrong passwords, and mails, of accounts that exist alone. */
it.each([
  ['login', true],
  ['reset', true],
  ['coupon', false],
] as const)('a series at a %s says that it was asked for nobody: %s', (kind, said) => {
  const facts = { endpoints: [endpoint(kind)], batch: null }
  const details = CHECKS.flatMap((check) => {
    const judged = check.judge(facts, {} as never, { now: 0 } as never)
    return Array.isArray(judged) ? judged.map(({ detail }) => detail) : []
  })
  expect(details).toHaveLength(1)
  expect(details[0]?.includes('does not exist')).toBe(said)
})

it('names the page of a program that has several, and nothing else of its address', () => {
  const [url, at] = ['https://shop.test/index.php?page=enter&id=7', 'https://shop.test/index.php?page=enter']
  const told = [
    { ...endpoint('login'), url, at },
    { ...endpoint('login'), url },
  ]
  const places = CHECKS.flatMap((check) => {
    const judged = check.judge({ endpoints: told, batch: null }, {} as never, { now: 0 } as never)
    return Array.isArray(judged) ? judged.map((one) => (one.at as { url: string }).url) : []
  })
  expect(places).toEqual([at, 'https://shop.test/index.php'])
})

it('where nobody looked at what was sent nothing is said of limits, nor of what had no turn', () => {
  const refused = { ...endpoint('login'), answers: [{ status: 403, ms: 20, likeness: 1, retryAfter: null }] }
  const left = [{ kind: 'interface' as const, reason: 'not reached, as its time was used up' }]
  const judged = new Map(
    CHECKS.flatMap((check) => {
      const one = check.judge({ endpoints: [refused], batch: null, left }, {} as never, { now: 0 } as never)
      return check.findings.map(({ id }) => [id, Array.isArray(one) ? 'judged' : (one as { state: string }).state])
    }),
  )
  expect(judged.get('rate-limit/bypass')).toBe('inconclusive')
  expect(judged.get('rate-limit/limit-seen')).toBe('inconclusive')
  expect(judged.get('rate-limit/login')).toBe('inconclusive')
  expect(judged.get('rate-limit/interface')).toBe('inconclusive')
})

it('a GraphQL interface that refuses whoever asks says nothing of batches', () => {
  const facts = {
    endpoints: [],
    batch: { url: 'https://shop.test/graphql', accepted: false, excerpt: '', refused: true as const },
  }
  const check = CHECKS.find(({ findings }) => findings.some(({ id }) => id === 'rate-limit/graphql-batch'))
  expect(check?.judge(facts, {} as never, { now: 0 } as never)).toMatchObject({ state: 'inconclusive' })
})
