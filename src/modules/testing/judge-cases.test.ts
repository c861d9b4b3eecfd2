import { type Check, defineModule, type FindingDefinition } from '../module.ts'
import { judgeCases } from './judge-cases.ts'
import { caseSite } from './site-facts.ts'

const definition: FindingDefinition = {
  id: 'site/example',
  title: 'An example is served',
  severity: 'info',
  cwe: null,
  why: 'It is one.',
  remediation: 'Remove it.',
  references: ['https://example.org/'],
}

const example: Check<'site'> = {
  findings: [definition],
  judge: ({ pages }) => {
    if (pages.length === 0) return { state: 'not_tested', reason: 'no page was fetched' }
    return pages
      .filter((page) => page.body.includes('example'))
      .map((page) => ({ definition, confidence: 'firm', at: { url: page.url }, detail: `${page.url} is one.` }))
  },
}

judgeCases(example, [
  { name: 'in the body', facts: caseSite({ page: { body: 'an example' } }), expect: ['site/example'] },
  { name: 'healthy site', facts: caseSite(), expect: [] },
  { name: 'nothing fetched', facts: caseSite({ pages: [] }), expect: [], unjudged: 'not_tested' },
])

// The types alone: a check that reads another module's facts has to be given them.
defineModule<'site'>({
  id: 'site',
  title: 'Example',
  conduct: 'passive',
  needs: [],
  budget: { requests: 1, seconds: 1 },
  collect: async () => caseSite(),
  checks: [example],
})
