import { defineModule } from '../../module.ts'
import { anewCve } from './anew.ts'
import { collectCve } from './collect.ts'
import { component, possibleComponent } from './component.ts'
import { cveTables } from './tables.ts'

/** Known vulnerabilities of what the inventory names, from the feeds of the day. */
export const cve = defineModule({
  id: 'cve',
  title: 'Known vulnerabilities',
  conduct: 'passive',
  needs: ['technology'],
  budget: { requests: 0, seconds: 60 },
  collect: (ctx, { technology }) => collectCve(ctx, technology),
  checks: [component, possibleComponent],
  anew: anewCve,
  tables: cveTables,
  knowledge: (facts) => facts.knowledge,
})
