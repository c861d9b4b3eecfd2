import { defineModule } from '../../module.ts'
import { EXPOSURE_CHECKS } from './checks.ts'

/** Files that lie on the site and should not. Only in active runs: the owner has asked for it. */
export const exposure = defineModule<'exposure', 'site' | 'waf', 'crawl'>({
  id: 'exposure',
  title: 'Exposed files',
  conduct: 'active',
  needs: ['site', 'waf'],
  uses: ['crawl'],
  budget: { requests: 800, seconds: 150 },
  collect: async (ctx, { site, waf, crawl }) =>
    (await import('./collect.ts')).collectExposure(ctx, site, { blockPage: waf.blockPage, crawl }),
  checks: EXPOSURE_CHECKS,
})
