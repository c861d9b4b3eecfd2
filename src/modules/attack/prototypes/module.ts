import { defineModule } from '../../module.ts'
import { overPages } from '../insertion-points/unread.ts'
import { prototypePollution } from './pollution.ts'

/** What all objects of a server inherit. Last of all: a server may end by it, and nobody may start it again. */
export const prototypes = defineModule<
  'prototypes',
  'crawl',
  'waf' | 'exposure' | 'templates' | 'sqli' | 'injection' | 'xss' | 'authorization' | 'api' | 'sessions' | 'rate-limit'
>({
  id: 'prototypes',
  title: 'Prototypes of objects',
  conduct: 'active',
  needs: ['crawl'],
  uses: [
    ...(['waf', 'exposure', 'templates', 'sqli', 'injection', 'xss', 'authorization'] as const),
    ...(['api', 'sessions', 'rate-limit'] as const),
  ],
  budget: { requests: 600, seconds: 180 },
  collect: async (ctx, known) => (await import('./collect.ts')).collectPrototypes(ctx, known),
  checks: [overPages(prototypePollution)],
})
