import type { Check, FindingDefinition } from '../../module.ts'
import { excerptAround, pageTexts, places } from './texts.ts'

const debug: FindingDefinition = {
  id: 'disclosure/debug-mode',
  title: 'Debug mode: the application runs in it',
  severity: 'medium',
  cwe: 489,
  why: 'Debug pages show settings, environment, queries and code, and some of them run commands.',
  remediation:
    'Switch it off in production: Django `DEBUG = False`, Laravel `APP_DEBUG=false`, Symfony `APP_ENV=prod`, Flask without `debug=True`, Rails `config.consider_all_requests_local = false`.',
  references: ['https://cwe.mitre.org/data/definitions/489.html'],
}

/** What only the frameworks' own debug pages write. */
const MARKERS: readonly (readonly [framework: string, pattern: RegExp])[] = [
  ['Django', /You(?:'|&#x27;|&#39;|’)re seeing this error because you have <code>DEBUG = True<\/code>/],
  ['Werkzeug', /<div class="debugger">|Werkzeug Debugger<\/title>|EVALEX = (?:true|false),\s*EVALEX_TRUSTED/],
  ['Laravel', /window\.ignite\s?=|<!-- ?Illuminate\\[\w\\]+Exception|"ignitionConfig"/],
  ['Whoops', /<div class="Whoops container">/],
  ['Symfony', /<div id="sfwdt[0-9a-f]{6}" class="sf-toolbar|Symfony Exception<\/title>/],
  [
    'Rails',
    /<header>\s*<h1>\s*[\w:]+(?:Error|Exception)?\s+in [\w:]+#\w+|data-template-paths|id="console" data-mount-point=/,
  ],
  ['ASP.NET', /<b>Version Information:<\/b>&nbsp;Microsoft \.NET Framework Version:/],
]

export const debugMode: Check<'disclosure', 'site'> = {
  findings: [debug],
  judge: (facts, { site }) => {
    const found = pageTexts(facts, site).flatMap((text) => {
      const marker = MARKERS.find(([, pattern]) => pattern.test(text.body))
      const match = marker?.[1].exec(text.body)
      return marker === undefined || match === undefined || match === null
        ? []
        : [{ text, framework: marker[0], match }]
    })
    const [first] = found
    if (first === undefined) return []
    return [
      {
        definition: debug,
        confidence: 'confirmed',
        at: { url: first.text.url },
        places: places([...new Set(found.map(({ text }) => text.url))]),
        detail: `${first.text.url} (status ${first.text.status}) is a debug page of ${first.framework}.`,
        proof: {
          excerpt: excerptAround(first.text.body, first.match.index, first.match[0].length),
          mark: null,
          replay: `curl -si '${first.text.url}'`,
        },
        evidence: first.text.evidence,
      },
    ]
  },
}
