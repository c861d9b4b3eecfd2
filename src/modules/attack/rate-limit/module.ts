import { type Check, defineModule } from '../../module.ts'
import { overPages } from '../insertion-points/unread.ts'
import { CHECKS } from './checks.ts'

const overAll = (check: Check<'rate-limit'>) => overPages(check)

/** How often the same may be asked. Last of the active modules: a limit that it meets would stop the others. */
export const rateLimit = defineModule<
  'rate-limit',
  'crawl',
  'waf' | 'exposure' | 'xss' | 'sqli' | 'injection' | 'templates' | 'api' | 'authorization' | 'sessions'
>({
  id: 'rate-limit',
  title: 'Limits of requests',
  conduct: 'active',
  needs: ['crawl'],
  uses: ['waf', 'exposure', 'xss', 'sqli', 'injection', 'templates', 'api', 'authorization', 'sessions'],
  budget: { requests: 1_300, seconds: 270 },
  collect: async (ctx, { crawl }) => (await import('./collect.ts')).collectRateLimit(ctx, crawl),
  checks: [...CHECKS].map(overAll),
})
