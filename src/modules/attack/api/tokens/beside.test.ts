/** Tokens that a sign-in answers with beside the one that the run carries. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CollectContext } from '../../../module.ts'
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import { askTokens } from './ask.ts'
import { createGivenTokens } from './sources.ts'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (secret: string): string => {
  const input = `${part({ alg: 'HS256' })}.${part({ sub: 'u-1', use: 'refresh' })}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

test.each([
  ['secret', ['weak-secret answer of the sign-in at /login']],
  ['f3Jx0-Qm7vY2rT9-kLw81zBn', []],
])('what makes the session last is signed with %s', async (secret, expected) => {
  const answers = () => [{ url: 'http://shop.test/login', text: JSON.stringify({ refresh_token: signed(secret) }) }]
  const ctx = {
    ...{ target: { host: 'shop.test' }, now: Date.now(), signal: new AbortController().signal },
    session: { answers, session: () => 1, proofs: () => 1, lost: () => null, prove: async () => true },
    ...{ progress: () => undefined, fault: () => 'none' },
    egress: { credentialsFor: async () => [], formerCredentialsFor: () => [] },
  } as unknown as CollectContext
  const until = performance.now() + 60_000
  const { hits, left } = await askTokens(ctx, caseCrawl({}), [], createGivenTokens(), until)
  expect(hits.map(({ kind, where }) => `${kind} ${where}`)).toEqual(expected)
  expect(left).toEqual({})
})
