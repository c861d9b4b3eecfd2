import type { Check, FindingDefinition } from '../../module.ts'
import { places } from './texts.ts'

const published: FindingDefinition = {
  id: 'disclosure/source-map',
  title: 'Source maps: they publish the original source code of the page',
  severity: 'low',
  cwe: 540,
  why: 'The original code with names and comments explains interfaces, permissions and internal addresses much better than the packed one.',
  remediation:
    'Build without source maps, or without `sourcesContent`, for production, or let only your error tracker have them; delete the .map files from the server.',
  references: ['https://tc39.es/ecma426/', 'https://cwe.mitre.org/data/definitions/540.html'],
}

export const sourceMap: Check<'disclosure', 'site'> = {
  findings: [published],
  judge: (facts) => {
    const maps = facts.maps.filter(({ withContent }) => withContent > 0)
    const [first] = maps
    if (first === undefined) return []
    const names = first.sources.slice(0, 10).map((name) => name.slice(0, 200))
    return [
      {
        definition: published,
        confidence: 'confirmed',
        at: { url: first.url },
        places: places([...new Set(maps.map(({ url }) => url))]),
        detail: `${first.url} holds the text of ${first.withContent} source file${first.withContent === 1 ? '' : 's'} of ${first.scriptUrl}.`,
        proof: { excerpt: `sources: ${names.join(', ')}`, mark: null, replay: `curl -s ${first.url}` },
      },
    ]
  },
}
