import type { Detected } from '../../../knowledge/fingerprints/match.ts'
import { defineModule } from '../../module.ts'
import { anewTechnology } from './anew.ts'
import { collectTechnology } from './collect.ts'
import { endOfLife } from './end-of-life.ts'

/** What runs there: an inventory with the signs it was known by. Other modules choose their checks by it. */
export const technology = defineModule({
  id: 'technology',
  title: 'Technology',
  conduct: 'passive',
  needs: ['site', 'disclosure'],
  // An active run has seen running pages and other services as well.
  uses: ['tls', 'crawl', 'services'],
  budget: { requests: 5, seconds: 60 },
  collect: (ctx, { site, disclosure, ...beside }) => collectTechnology(ctx, site, disclosure, beside),
  checks: [endOfLife],
  anew: anewTechnology,
  knowledge: (facts) => facts.knowledge,
  tables: ({ technologies }) => [
    {
      id: 'technologies',
      module: 'technology',
      title: 'What runs there',
      columns: ['Product', 'Kind', 'Version', 'Certainty', 'Known by'],
      rows: technologies.map((one) => [
        one.name,
        one.kind,
        [one.version, ...one.otherVersions].filter((version) => version !== null).join(', ') || '-',
        one.confidence,
        knownBy(one),
      ]),
    },
  ],
})

const knownBy = ({ evidence, impliedBy }: Detected): string => {
  if (impliedBy.length > 0) return `needed by ${impliedBy.join(', ')}`
  return evidence
    .slice(0, 2)
    .map(({ source, name, text }) => `${name === '' ? source : `${source} ${name}`}: ${text.slice(0, 60)}`)
    .join('; ')
}
