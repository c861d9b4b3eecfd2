import { defineModule } from '../../module.ts'
import { isWorked } from '../insertion-points/inventory.ts'
import { reachPartOf } from '../insertion-points/reach-part.ts'
import { boolean } from './boolean.ts'
import { databaseError } from './database-error.ts'
import { error } from './error.ts'
import { secondOrder } from './second-order.ts'
import { stacked, time } from './time.ts'
import { union } from './union.ts'

/** SQL injection at every place that the crawl found. Proves, and never changes or reads data. */
export const sqli = defineModule<'sqli', 'crawl', 'waf'>({
  id: 'sqli',
  title: 'SQL injection',
  conduct: 'active',
  decides: true,
  needs: ['crawl'],
  uses: ['waf'],
  budget: { requests: 40_000, seconds: 2_200 },
  collect: async (...given) => (await import('./collect.ts')).collect(...given),
  checks: [error, boolean, union, time, stacked, secondOrder, databaseError],
  reach: (facts, { crawl }) => reachPartOf(facts, crawl, isWorked),
})
