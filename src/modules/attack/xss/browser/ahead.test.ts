/** What a page asks for ahead of somebody going there. */
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { handOf } from './pressing.ts'

const RUN = {
  ...{ target: { host: 'shop.test', port: null, environment: 'test' }, options: {}, hasCredentials: false },
  egress: { excludes: () => false },
} as never

it.each([
  ['for a link, by a browser', { 'sec-purpose': 'prefetch' }, 'GET', 'stopped'],
  ['for a link, by a router', { 'next-router-prefetch': '1' }, 'GET', 'stopped'],
  ['by somebody who goes there', { rsc: '1' }, 'GET', 'let go'],
  ['by what is sent', { purpose: 'prefetch' }, 'POST', 'let go'],
])('%s', async (_who, headers, method, expected) => {
  const became: string[] = []
  const page = { opener: async () => null }
  const request = { headers: () => headers, method: () => method, frame: () => ({ page: () => page }) }
  await handOf(RUN).judge({
    request: () => request,
    abort: async () => void became.push('stopped'),
    fallback: async () => void became.push('let go'),
  } as unknown as Route)
  expect(became).toEqual([expected])
})
