import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { codeOf, locationOf, parameterOf } from '../insertion-points/verdict.ts'
import type { FormulaHit, InjectionFacts } from './facts.ts'

const definition: FindingDefinition = {
  id: 'injection/formula',
  title: 'CSV injection: what a visitor stores is a formula in a table for spreadsheets',
  severity: 'low',
  cwe: 1236,
  why:
    'A cell that begins with `=`, `+`, `-` or `@` is worked out by the program that opens the table. Whoever may store a value has a ' +
    'formula run on the machine of whoever downloads the list, mostly staff: it sends other cells to a server of theirs, or, with a click on a warning, starts programs.',
  remediation:
    'Put an apostrophe in front of values that begin with `=`, `+`, `-`, `@`, a tab or a line break when the table is written, and write each in quotes. ' +
    'Or hand out a format that tells texts from formulas (XLSX with cells of type text).',
  references: [
    'https://owasp.org/www-community/attacks/CSV_Injection',
    'https://cwe.mitre.org/data/definitions/1236.html',
  ],
}

export const formula: Check<'injection', 'crawl'> = {
  findings: [definition],
  judge: ({ formulas }: InjectionFacts) => {
    if (!formulas) return { state: 'not_tested', reason: 'the run ended before anything was stored for tables' }
    const { tables, read, known, asked, hits } = formulas
    const findings = hits.filter(isProven).map(findingOf)
    if (tables === 0) return { state: 'not_applicable', reason: 'no table for spreadsheets (CSV) was found' }
    if (known === 0) return { state: 'not_applicable', reason: 'nothing was found that stores what people fill in' }
    if (asked === 0)
      return { state: 'not_tested', reason: 'what is stored stays, so nothing is on a production system' }
    if (asked === known && read === tables) return findings
    const reason = `of ${known} places that may store ${asked} were asked, and ${read} of ${tables} tables were read`
    return { state: 'inconclusive', reason, findings }
  },
}

const isProven = ({ cells }: FormulaHit): boolean =>
  cells.length >= 2 && new Set(cells.map((one) => one.formula)).size === cells.length

/** What writes a table writes all of its cells alike. */
const findingOf = ({ at, cells }: FormulaHit): Finding => {
  const [first] = cells
  const table = first === undefined ? '' : new URL(first.table).pathname
  return {
    definition,
    confidence: 'confirmed',
    at: locationOf(at),
    ...codeOf(at),
    cause: `table ${table}`,
    detail: `${cells.map((one) => one.formula).join(' and ')}, sent in ${parameterOf(at)}, begin cells of ${table}. They name cells that are none, and stay there.`,
    proof: {
      excerpt: first?.excerpt ?? '',
      mark: first?.formula ?? null,
      replay: first?.replay ?? null,
      basis: 'formula',
    },
  }
}
