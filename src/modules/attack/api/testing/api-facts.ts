/** Facts of interfaces for tables of cases: nothing known, and what a case says. */
import type { ApiFacts, Asked, Shown } from '../facts.ts'

export const shown: Shown = {
  ...{ method: 'GET', url: 'https://shop.test/v1/orders', mark: 'HTTP status 200' },
  ...{ excerpt: 'GET https://shop.test/v1/orders\nHTTP status 200', replay: 'curl -isk https://shop.test/v1/orders' },
}

export const askedOf = <Hit>(hits: readonly Hit[], change: Partial<Asked<Hit>> = {}): Asked<Hit> => ({
  ...{ known: 2, asked: 2, left: {}, hits },
  ...change,
})

export const nothing = { known: 0, asked: 0, left: {}, hits: [] }

export const caseApi = (change: Partial<ApiFacts> = {}): ApiFacts => ({
  ...{ open: nothing, data: nothing, assigned: nothing, graphql: nothing, content: nothing, failed: nothing },
  ...{ accounts: nothing, tokens: { ...nothing, seen: [], listened: false }, careful: false },
  ...change,
})
