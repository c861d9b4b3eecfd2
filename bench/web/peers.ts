/** The same pages given to wapiti and sqlmap, in the same run, and the ratios. */
import { sqli } from '../../src/modules/sqli/module.ts'
import type { WebCase } from '../../testbed/web/case.ts'
import { type BenchRow, row } from '../table.ts'
import { scanOurs } from './ours.ts'
import { missedOf, recallOf, requestsOf, type Scores, sumOf } from './scores.ts'
import { SQLMAP, scanSqlmap } from './sqlmap.ts'
import { CRAWLABLE, type Target } from './target.ts'
import { scanWapiti, WAPITI } from './wapiti.ts'

/** Seconds a page and twin at most. */
const PER_PAGE = 20

type Compare = (cases: readonly WebCase[], target: Target, ours: Scores) => Promise<readonly BenchRow[]>

const besideWapiti: Compare = async (cases, target, ours) => {
  const reached = cases.filter(({ place }) => CRAWLABLE.includes(place))
  const wapiti = await scanWapiti(reached, target, reached.length * 2 * PER_PAGE)
  if (wapiti) tell('wapiti', reached, wapiti)
  return rowsOf('wapiti', WAPITI.hint, reached, ours, wapiti, 'all pages and classes')
}

const besideSqlmap: Compare = async (cases, target) => {
  const sql = cases.filter(({ module }) => module === 'sqli')
  const sqlmap = await scanSqlmap(sql, target)
  const ours = await scanOurs(sql, target, [sqli])
  if (sqlmap) tell('sqlmap', sql, sqlmap)
  const beyond = sqlmap ? [...sqlmap.found.keys()].filter((id) => !ours.found.has(id)) : []
  return [
    ...rowsOf('sqlmap', SQLMAP.hint, sql, ours, sqlmap, 'SQL alone'),
    row({
      id: 'sqlmap-beyond',
      what: `found by sqlmap and not by us: ${beyond.join(', ') || 'none'}`,
      unit: 'pages',
      ours: beyond.length,
      target: { text: '0', met: (value) => value === 0 },
    }),
  ]
}

export const PEERS = { wapiti: besideWapiti, sqlmap: besideSqlmap } as const

const rowsOf = (
  name: string,
  hint: string,
  cases: readonly WebCase[],
  ours: Scores,
  peer: Scores | null,
  classes: string,
): readonly BenchRow[] => {
  const compare = (of: (scores: Scores) => number) => ({
    ours: of(ours),
    peer: { name, value: peer && of(peer), ...(peer ? {} : { hint }) },
  })
  return [
    row({
      id: `${name}-recall`,
      what: `${cases.length} pages that ${name} can be given`,
      unit: 'share',
      ...compare((scores) => recallOf(cases, scores)),
      target: { text: 'at least its own', met: (_ours, ratio) => ratio === null || ratio >= 1 },
    }),
    row({ id: `${name}-alarms`, what: 'wrong findings', unit: 'findings', ...compare(({ wrong }) => wrong.length) }),
    row({
      id: `${name}-requests`,
      what: `requests for those pages, ours for ${classes}`,
      unit: 'requests',
      ...compare((scores) => sumOf(requestsOf(cases, scores))),
      target: { text: 'a tenth', met: (_ours, ratio) => ratio !== null && ratio <= 0.1 },
    }),
    row({
      id: `${name}-time`,
      what: `time, ours for ${classes}`,
      unit: 's',
      ...compare(({ ms }) => ms / 1_000),
      target: { text: 'less', met: (_ours, ratio) => ratio !== null && ratio < 1 },
    }),
  ]
}

const tell = (name: string, cases: readonly WebCase[], scores: Scores): void => {
  const lines = [
    ...missedOf(cases, scores).map((id) => `${name} missed ${id}`),
    ...scores.wrong.map((one) => `${name} alarm ${one}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
