import { visibleText } from '../../../page/visible.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { findListedTrace } from './listed-traces.ts'
import { conceal, excerptAround, overAll, pageTexts, places, replayOf, type Text, urlsOf } from './texts.ts'
import { findPath, findPhpError, findSqlError, findTraces } from './traces.ts'
import { outsideProse, withLines, withoutEntries, withoutSamples } from './visible.ts'

const trace: FindingDefinition = {
  id: 'disclosure/error-trace',
  title: 'Stack trace: errors are shown to visitors with their stack',
  severity: 'medium',
  cwe: 209,
  why: 'A stack shows file names, functions, libraries and often values: a plan of the inside, for whoever provokes an error.',
  remediation:
    'Show a plain error page and write the details to the log: PHP `display_errors = Off`, Django `DEBUG = False`, Express `NODE_ENV=production`, ASP.NET `<customErrors mode="On">`, Spring `server.error.include-stacktrace=never`.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/209.html',
  ],
}

const sql: FindingDefinition = {
  ...trace,
  id: 'disclosure/sql-error',
  title: 'SQL error message: errors of the database are shown to visitors',
  why: 'The message shows which database is used and how statements are put together, which is what an SQL injection is built from.',
}

const path: FindingDefinition = {
  ...trace,
  id: 'disclosure/absolute-path',
  title: 'Full path disclosure: a page shows where its files lie on the server',
  severity: 'low',
  why: 'The path tells the operating system, the user and the layout, which file inclusion and upload attacks need to know.',
}

export const errorTrace: Check<'disclosure', 'site'> = {
  findings: [trace, sql, path],
  judge: (facts, { site }, about) => {
    const sightings = pageTexts(facts, site).flatMap(lookAt)
    const findings = [trace, sql, path].flatMap((definition): Finding[] => {
      const mine = sightings.filter((one) => one.definition === definition)
      const [first] = mine
      if (first === undefined) return []
      return [
        {
          definition,
          // A page that talks of errors is answered as plainly.
          confidence: mine.every(({ text }) => text.plain) ? 'firm' : 'confirmed',
          at: { url: first.text.url },
          places: places(urlsOf(mine.map(({ text }) => text))),
          detail: first.detail,
          proof: { excerpt: conceal(first.excerpt).slice(0, 4000), mark: null, replay: replayOf(first.text) },
          evidence: first.text.evidence,
        },
      ]
    })
    return overAll(facts, about, findings)
  },
}

export interface Sighting {
  readonly definition: FindingDefinition
  readonly text: Text
  readonly detail: string
  readonly excerpt: string
  /** What of the text says so, and which kind of it: a language, a database. */
  readonly mark: string
  readonly kind: string
}

/** A path inside a stack is part of the stack, and not told twice. */
export const lookAt = (text: Text): readonly Sighting[] => {
  const html = withoutSamples(withLines(text.body, text.status), text.status)
  const visible = visibleText(html)
  const found: Sighting[] = []
  // What answers plainly may be a report of errors, which is what it is for.
  const stack = findTraces(visible)[0] ?? (text.status >= 400 ? findListedTrace(text.body) : null) ?? undefined
  const php = findPhpError(html)
  if (stack !== undefined)
    found.push({
      definition: trace,
      text,
      detail: `${text.url} (status ${text.status}) shows a ${stack.language} stack.`,
      excerpt: stack.lines.join('\n'),
      mark: stack.lines[0] ?? '',
      kind: stack.language,
    })
  else if (php !== null)
    found.push({
      definition: trace,
      text,
      detail: `${text.url} (status ${text.status}) shows an error of PHP.`,
      excerpt: visibleText(php).trim(),
      mark: php,
      kind: 'PHP',
    })
  const printed = withoutEntries(visible, text.status)
  const statement = findSqlError(text.plain ? outsideProse(html) : printed)
  if (statement !== null)
    found.push({
      definition: sql,
      text,
      detail: `${text.url} (status ${text.status}) shows an error of ${statement.database}.`,
      excerpt: excerptAround(visible, visible.indexOf(statement.message), statement.message.length, 100),
      mark: statement.message,
      kind: statement.database,
    })
  const place = stack === undefined && php === null ? findPath(printed) : null
  if (place !== null)
    found.push({
      definition: path,
      text,
      detail: `${text.url} shows the path ${place}.`,
      excerpt: excerptAround(visible, visible.indexOf(place), place.length, 100),
      mark: place,
      kind: 'path',
    })
  return found
}
