import { defineModule } from '../../module.ts'
import { READING } from '../insertion-points/reading-first.ts'
import { overPages } from '../insertion-points/unread.ts'
import { accessBypass, functionLevel, missingAuthentication, objectLevel, openAdministration } from './checks.ts'
import { reachPartOf } from './reach-part.ts'
import { authorizationTables } from './tables.ts'

/** What one person may do in another's name: every operation as every identity of the run, and as nobody. */
export const authorization = defineModule<'authorization', 'crawl'>({
  id: 'authorization',
  title: 'Authorization',
  conduct: 'active',
  decides: true,
  needs: ['crawl'],
  budget: { requests: 30_000, seconds: 1_500 },
  collect: async (ctx, { crawl }) => {
    // Before anybody waits for anything: others look whether somebody compares.
    const compared = ctx.scope.of(READING).begin()
    try {
      return await (await import('./collect.ts')).collectAuthorization(ctx, crawl, compared)
    } finally {
      compared()
    }
  },
  checks: [
    overPages(objectLevel),
    overPages(functionLevel),
    overPages(missingAuthentication),
    overPages(openAdministration),
    overPages(accessBypass),
  ],
  tables: authorizationTables,
  reach: reachPartOf,
})
