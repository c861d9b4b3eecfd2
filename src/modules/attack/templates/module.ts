import { defineModule } from '../../module.ts'
import { TEMPLATE_CHECKS } from './checks.ts'
import { templateTables } from './tables.ts'

const SECONDS = 1_200

/** The field's catalogue of templates, run natively, and a few of our own. */
export const templates = defineModule<'templates', 'site' | 'technology'>({
  id: 'templates',
  title: 'Templates',
  conduct: 'active',
  needs: ['site', 'technology'],
  budget: { requests: 20_000, seconds: SECONDS },
  collect: async (ctx, { site, technology }) =>
    (await import('./collect.ts')).collectTemplates(ctx, site, technology, SECONDS * ctx.timeFactor),
  checks: TEMPLATE_CHECKS,
  tables: templateTables,
  knowledge: ({ catalogue }): Readonly<Record<string, string>> =>
    catalogue === null ? {} : { templates: catalogue.version },
})
