import { defineModule } from '../../module.ts'
import { withoutWebsite } from '../../passive/site/facts-absent.ts'
import { blocking, challenged, edgeNetwork, notBlocking } from './checks.ts'

/** Who stands in front of the site, and what they stop. Early, so that others can tell a block page. */
export const waf = defineModule<'waf', 'site'>({
  id: 'waf',
  title: 'Firewall and delivery network',
  conduct: 'active',
  needs: ['site'],
  unless: withoutWebsite,
  budget: { requests: 60, seconds: 60 },
  collect: async (ctx, { site }) => (await import('./collect.ts')).collectWaf(ctx, site),
  checks: [blocking, notBlocking, challenged, edgeNetwork],
})
