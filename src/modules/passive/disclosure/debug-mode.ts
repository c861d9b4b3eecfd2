import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { environmentIn } from './environment.ts'
import { excerptAround, overAll, pageTexts, places, replayOf, type Text, urlsOf } from './texts.ts'
import { withoutSamples } from './visible.ts'

const debug: FindingDefinition = {
  id: 'disclosure/debug-mode',
  title: 'Debug mode: the application runs in it',
  severity: 'medium',
  cwe: 489,
  why: 'Debug pages show settings, environment, queries and code, and some of them run commands.',
  remediation:
    'Switch it off in production: Django `DEBUG = False`, Laravel `APP_DEBUG=false`, Symfony `APP_ENV=prod`, Flask without `debug=True`, Rails `config.consider_all_requests_local = false`, Mojolicious `MOJO_MODE=production`.',
  references: ['https://cwe.mitre.org/data/definitions/489.html'],
}

const console: FindingDefinition = {
  ...debug,
  id: 'disclosure/debug-console',
  title: 'Debugger with a console: whoever provokes an error may run code on the server',
  severity: 'high',
  why: 'The debugger runs what is typed into it, as the application. A PIN, where one is asked for, can often be worked out from what other flaws tell.',
  remediation:
    'Switch the debugger off wherever others can reach the application: Flask without `debug=True` and `use_debugger`, Rails without `web-console` outside of development.',
  references: [...debug.references, 'https://werkzeug.palletsprojects.com/en/stable/debug/'],
}

/** What tells it, in a page without its samples, or in the whole of it. */
type Marker = readonly [framework: string, told: RegExp | ((text: Shown) => string | null)]

type Shown = Pick<Text, 'body' | 'status' | 'plain'>

/** What only the frameworks' own debug pages write. */
const MARKERS: readonly Marker[] = [
  ['Django', /You(?:'|&#x27;|&#39;|’)re seeing this error because you have <code>DEBUG = True<\/code>/],
  ['Werkzeug', /<div class="debugger">|Werkzeug Debugger<\/title>|EVALEX = (?:true|false),\s*EVALEX_TRUSTED/],
  ['Laravel', /window\.ignite\s?=|<!-- ?Illuminate\\[\w\\]+Exception|"ignitionConfig"/],
  ['Whoops', /<div class="Whoops container">/],
  [
    'Symfony',
    /<div id="sfwdt[0-9a-f]{6}" class="sf-toolbar|Symfony Exception<\/title>|<h1 class="break-long-words exception-message(?: long)?">|<div class="trace trace-as-html" id="trace-box-\d/,
  ],
  [
    'Rails',
    /<header>\s*<h1>\s*[\w:]+(?:Error|Exception)?\s+in [\w:]+#\w+|data-template-paths|id="console" data-mount-point=/,
  ],
  ['PHP (phpinfo)', /<title>(?:PHP [\d.]+ - )?phpinfo\(\)<\/title>[\s\S]{0,20000}<h1 class="p">PHP Version /],
  [
    'CGI (its environment)',
    /\bGATEWAY_INTERFACE(?:<[^<>]{0,40}>|[\s=:"',>]|&\w{2,5};){1,12}CGI\/1\.\d[\s\S]{0,20000}\b(?:SERVER_SOFTWARE|SCRIPT_FILENAME)(?:<[^<>]{0,40}>|[\s=:"',>]|&\w{2,5};){1,12}\S/,
  ],
  ['PHP (Xdebug)', /<table class=['"]xdebug-error/],
  [
    'Play',
    /<title>(?:Execution|Compilation|Action not found|Runtime) ?(?:exception|error)?<\/title>[\s\S]{0,5000}id="(?:detail|source-code|error)"/i,
  ],
  [
    'Phoenix',
    /<title>[^<]{1,200} at (?:GET|POST) [^<]{0,200}<\/title>[\s\S]{0,60000}class="(?:frame-info|code-block)"/,
  ],
  ['Mojolicious', /<title>(?:Server Error|Page Not Found) \(development mode\)<\/title>/i],
  ['ASP.NET Core', /<h1>An unhandled exception occurred while processing the request\.<\/h1>/],
  ['ASP.NET', /<b>Version Information:<\/b>&nbsp;Microsoft \.NET Framework Version:/],
  [
    'ASP.NET (Mono)',
    /<div id="header-text">Application Exception<\/div>[\s\S]{0,20000}<strong>Exception stack trace:<\/strong>/,
  ],
  ['a process (its environment)', environmentIn],
]

/** Debuggers whose page runs what a visitor types, as long as no PIN is asked for. */
const CONSOLES: readonly Marker[] = [
  ['Werkzeug', /\bEVALEX = true\b/],
  [
    'Rails',
    /<(?:div|template)[^<>]{0,200}\bdata-mount-point=["'][^"']{1,200}["'][^<>]{0,200}\bdata-session-id=|id=["']console["'][^<>]{0,200}data-mount-point=/,
  ],
]

export const debugMode: Check<'disclosure', 'site'> = {
  findings: [debug, console],
  judge: (facts, { site }, about) => {
    const texts = pageTexts(facts, site)
    return overAll(facts, about, [
      ...findingOf(debug, texts, MARKERS, (framework) => `is a debug page of ${framework}`),
      ...findingOf(console, texts, CONSOLES, (framework) => `is the debugger of ${framework}, with a console`),
    ])
  },
}

export interface DebugMark {
  readonly framework: string
  readonly index: number
  readonly mark: string
}

/** Debug pages, then consoles of debuggers, that a text is. What it shows as a sample is none. */
export const debugMarksOf = (text: Shown, markers = [...MARKERS, ...CONSOLES]): readonly DebugMark[] => {
  const shown = withoutSamples(text.body, text.status)
  return markers.flatMap(([framework, told]) => {
    const mark = told instanceof RegExp ? told.exec(shown)?.[0] : told(text)
    return mark == null ? [] : [{ framework, mark, index: text.body.indexOf(mark) }]
  })
}

const findingOf = (
  definition: FindingDefinition,
  texts: readonly Text[],
  markers: readonly Marker[],
  says: (framework: string) => string,
): readonly Finding[] => {
  const found = texts.flatMap((text) =>
    debugMarksOf(text, [...markers])
      .slice(0, 1)
      .map((mark) => ({ text, ...mark })),
  )
  const [first] = found
  if (first === undefined) return []
  return [
    {
      definition,
      confidence: 'confirmed',
      at: { url: first.text.url },
      places: places(urlsOf(found.map(({ text }) => text))),
      detail: `${first.text.url} (status ${first.text.status}) ${says(first.framework)}.`,
      proof: {
        excerpt: excerptAround(first.text.body, first.index, first.mark.length),
        mark: null,
        replay: replayOf(first.text),
      },
      evidence: first.text.evidence,
    },
  ]
}
