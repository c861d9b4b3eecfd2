import { defineModule } from '../../module.ts'
import { EXPOSURE_CHECKS } from './checks.ts'

/** Files that lie on the site and should not. Only in active runs: the owner has asked for it. */
export const exposure = defineModule<'exposure', 'site' | 'waf'>({
  id: 'exposure',
  title: 'Exposed files',
  conduct: 'active',
  needs: ['site', 'waf'],
  budget: { requests: 500, seconds: 120 },
  collect: async (ctx, { site, waf }) => (await import('./collect.ts')).collectExposure(ctx, site, waf.blockPage),
  checks: EXPOSURE_CHECKS,
})
