import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { createDoubtful } from '../../doubtful.ts'
import { createBrowsing } from './browsing.ts'
import type { ReachRow } from './facts.ts'
import { createReachNotes } from './reach.ts'

it('pages that nobody had the time to open are told', async () => {
  const rows: ReachRow[] = []
  const profile = { addInitScript: async () => undefined, route: async () => undefined, close: async () => undefined }
  const browsing = createBrowsing({
    launch: async () => ({
      version: '1',
      newContext: async () => profile as unknown as BrowserContext,
      close: async () => undefined,
    }),
    scripted: () => [
      { url: 'https://shop.test/', code: 'app' },
      { url: 'https://shop.test/#/board', code: 'app' },
    ],
    guessed: () => [],
    missing: null,
    isPage: () => undefined,
    follow: async () => undefined,
    notes: { ...createReachNotes(), note: (row) => void rows.push(row) },
    inScope: () => true,
    decide: () => ({ send: 'never', reason: 'a test' }),
    link: () => false,
    request: () => false,
    cookie: () => undefined,
    expressions: [],
    doubt: createDoubtful<string>([]),
    alive: async () => true,
    signal: new AbortController().signal,
    progress: () => undefined,
    until: performance.now() - 1,
  })
  await browsing.run()
  expect(rows.map(({ url, fate }) => `${url} ${fate}`)).toEqual([
    'https://shop.test/ cut_off',
    'https://shop.test/#/board cut_off',
  ])
})
