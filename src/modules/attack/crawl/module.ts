import { defineModule } from '../../module.ts'
import { withoutWebsite } from '../../passive/site/facts-absent.ts'
import { apiDescription } from './api-description.ts'
import { graphqlIntrospection } from './graphql-introspection.ts'
import { passwordInAddress } from './password-in-address.ts'
import { reachPartOf } from './reach-part.ts'
import { sessionAccepted } from './session-accepted.ts'
import { crawlTables } from './tables.ts'

/** The inventory that the active modules test: every request the site takes, and every place in it that takes a value. */
export const crawl = defineModule<'crawl', 'site'>({
  id: 'crawl',
  title: 'Crawl',
  conduct: 'active',
  decides: true,
  needs: ['site'],
  unless: withoutWebsite,
  // Seconds: with what is spare, see time.ts.
  budget: { requests: 10_000, seconds: 540 },
  collect: async (ctx, { site }) => {
    const { hypothesis } = ctx.options
    if (hypothesis !== undefined) return (await import('./one-place.ts')).collectPlace(ctx, site, hypothesis)
    return (await import('./collect.ts')).collectCrawl(ctx, site)
  },
  checks: [sessionAccepted, graphqlIntrospection, apiDescription, passwordInAddress],
  tables: crawlTables,
  reach: reachPartOf,
})
