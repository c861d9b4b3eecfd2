/**
 * Writes docs/scores.md from the results of `bench/beds.ts`, and nothing by hand: of each case the newest result counts, so
 * that a bed may be scanned in parts. What stands there of a bed without a result stays, with its date; below what stands there of
 * more cases than have a result, those are set once more.
 * `node bench/beds/scores.ts --results FOLDER`
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { CLASSES } from './classes.ts'
import { LEFT_OUT, PEER_SCORES } from './peers.ts'

const Result = z.object({
  bed: z.string(),
  at: z.string(),
  commit: z.string().default(''),
  seconds: z.number().default(0),
  modules: z.array(z.object({ module: z.string().default(''), requests: z.number() })).default([]),
  rows: z.array(z.object({ median: z.number().nullable() })).default([]),
  cases: z.array(
    z.object({
      case: z.object({ id: z.string(), class: z.string(), vulnerable: z.boolean() }),
      verdict: z.string(),
      passed: z.boolean(),
    }),
  ),
})
type Result = z.infer<typeof Result>
type Kept = Result['cases'][number] & Pick<Result, 'at' | 'commit'>

const { values } = parseArgs({ options: { results: { type: 'string' } } })
if (values.results === undefined) throw new Error('which results? --results FOLDER')
const folder = values.results

const results = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => Result.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  .toSorted((a, b) => (a.at < b.at ? -1 : 1))

const beds = new Map<string, Map<string, Kept>>()
for (const { bed, at, commit, cases, modules } of results) {
  const kept = beds.get(bed) ?? new Map<string, Kept>()
  // A part may hold cases of a module that it did not run.
  const ran = (name: string | null | undefined): boolean => !name || modules.some(({ module }) => module === name)
  for (const one of cases.filter((each) => ran(CLASSES[each.case.class]?.module)))
    kept.set(one.case.id, { ...one, at, commit })
  beds.set(bed, kept)
}

/** Modules that stand in every run, whatever is asked for. */
const GROUND = 'site'
/** More than probe: what an active run of the product has. */
const ALL = 10

const askedIn = ({ modules }: Result): string => {
  const names = [...new Set(modules.map(({ module }) => module))].filter((name) => name !== GROUND)
  return names.length > ALL ? 'all modules' : names.toSorted().join(', ')
}

/** What the runs took of which a case still counts, and which modules they had. */
const effortOf = (bed: string, kept: readonly Kept[]): string => {
  const runs = results.filter((one) => one.bed === bed && kept.some(({ at }) => at === one.at))
  const ways = Map.groupBy(runs, askedIn)
  const how = [...ways].map(([modules, of]) => `${of.length} run${of.length === 1 ? '' : 's'} of ${modules}`).join('; ')
  const sum = (of: (run: Result) => number): string =>
    Math.round(runs.reduce((all, run) => all + of(run), 0)).toLocaleString('en')
  const medians = runs.flatMap(({ rows }) => rows.flatMap(({ median }) => median ?? []))
  const requests = sum(({ modules }) => modules.reduce((all, one) => all + one.requests, 0))
  const most = medians.length === 0 ? '' : `; the median for an insertion point is ${Math.max(...medians)} at most`
  return `${how}: ${requests} requests in ${sum(({ seconds }) => seconds)} s${most}.`
}

const share = (part: number, whole: number): string => (whole === 0 ? '' : `${Math.floor((100 * part) / whole)} %`)

const rowOf = (name: string, of: readonly Kept[]): string => {
  const flaws = of.filter((one) => one.case.vulnerable)
  const safe = of.filter((one) => !one.case.vulnerable)
  const count = (list: readonly Kept[], ...verdicts: readonly string[]): number =>
    list.filter(({ verdict }) => verdicts.includes(verdict)).length
  const found = count(flaws, 'confirmed')
  const cells = [
    ...[name, flaws.length, found, share(found, flaws.length), count(flaws, 'unconfirmed', 'other')],
    ...[count(flaws, 'never crawled', 'no place'), count(flaws, 'left alone'), count(flaws, 'asked')],
    ...[flaws.filter(({ passed }) => passed).length, safe.length, count(safe, 'confirmed', 'unconfirmed')],
  ]
  return `| ${cells.join(' | ')} |`
}

const HEAD = [
  '| class | flaws | confirmed | share | other finding | not reached | not asked | asked, missed | pass unasked | safe cases | false |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
]

const tableOf = (bed: string, kept: readonly Kept[]): readonly string[] => {
  const classes = Map.groupBy(kept, (one) => one.case.class)
  const commits = [...new Set(kept.map(({ commit }) => commit).filter(Boolean))]
  const dates = kept.map(({ at }) => at.slice(0, 10)).toSorted()
  return [
    `${dates[0]}${dates[0] === dates.at(-1) ? '' : ` to ${dates.at(-1)}`}, commit ${commits.join(', ')}.`,
    effortOf(bed, kept),
    '',
    ...[...HEAD, ...[...classes].toSorted().map(([name, of]) => rowOf(name, of))],
    ...(classes.size > 1 ? [rowOf('**all**', kept)] : []),
    '',
  ]
}

const sectionOf = (bed: string, kept: readonly Kept[]): readonly string[] => {
  const peers = PEER_SCORES.filter((peer) => bed === peer.bed || bed.startsWith(`${peer.bed}-`))
  return [
    ...[`## ${bed}`, '', ...tableOf(bed, kept)],
    ...leftOutOf(bed),
    ...peers.map(
      ({ who, found, of, source, note }) =>
        `${who}: ${found} of ${of} (${share(found, of)}), according to ${source}${note === '' ? '' : `; ${note}`}.\n`,
    ),
  ]
}

const leftOutOf = (bed: string): readonly string[] => {
  const told = LEFT_OUT.filter((one) => one.bed === bed).map(({ cases, reason }) => `${cases} (${reason})`)
  return told.length === 0 ? [] : [`Left out: ${told.join('; ')}.`, '']
}

const INTRO = `# Scores on applications that others wrote

Made by \`node bench/beds.ts --beds FOLDER\`, where the beds of the folder are set up, or written by \`node bench/beds/scores.ts --results FOLDER\`
from results of \`node bench/beds.ts --bed FILE --json OUT\`; never by hand.
The applications run on loopback and are no part of this repository. Only what is confirmed counts as found; a finding of another
class at the same place is an "other finding". "Not reached": the crawl did not see the page, or not the place on it. "Pass unasked":
nobody asked the place in full, and the check of its class says \`pass\`. Cases that nothing can exploit on the machine are left out.
Where a bed took several runs, flaws were scanned with the module of their class. What is true of a case comes from the project's
own list, corrected where its source shows another method, or that no browser runs it. Up to 200 requests a second; seconds are
those of a machine that did much else. Lower shares than a peer's are where we are worse. \`own-site\` alone is ours: the cases of
\`testbed/web/site\` and their safe twins, by \`npm run bench:web -- --json OUT\`.
`

const PAGE = new URL('../../docs/scores.md', import.meta.url)

/** Of each bed, as they were written before. */
const written = new Map(
  readFileSync(PAGE, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), `## ${text.trimEnd()}\n`]),
)

const AGAIN = '### Some of these once more'

/** Flaws and safe cases of a section (of its last row, which is that of all where there are several), and those that it leaves out. */
const casesIn = (section: string): number => {
  const lines = (section.split(AGAIN)[0] ?? '').split('\n')
  const row = lines.findLast((line) => line.startsWith('| ')) ?? ''
  const cells = row.split('|').map((cell) => Number(cell))
  const left = lines.find((line) => line.startsWith('Left out: ')) ?? ''
  const out = [...left.matchAll(/(?:: |; )(\d+) \(/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  return (cells[2] ?? 0) + (cells[10] ?? 0) + out
}

const leftOut = (bed: string): number =>
  LEFT_OUT.filter((one) => one.bed === bed).reduce((sum, { cases }) => sum + cases, 0)

const partOf = (name: string, section: string, kept: readonly Kept[]): readonly string[] => [
  (section.split(AGAIN)[0] ?? '').trimEnd(),
  ...['', AGAIN, '', ...tableOf(name, kept)],
]

const names = [...new Set([...beds.keys(), ...written.keys()])].toSorted()
const sections = names.flatMap((name) => {
  const kept = beds.get(name)
  const before = written.get(name)
  if (!kept) return [before ?? '']
  if (before !== undefined && kept.size + leftOut(name) < casesIn(before))
    return partOf(name, before, [...kept.values()])
  return sectionOf(name, [...kept.values()])
})
writeFileSync(PAGE, `${[INTRO, ...sections].join('\n').trimEnd()}\n`)
