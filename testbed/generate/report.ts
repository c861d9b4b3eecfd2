/**
 * Made applications, scanned one after another: recall, false alarms and passes without asking for each value of each
 * dimension, the weakest first. `node testbed/generate/report.ts --seeds N [--from S] [--places P] [--classes sqli,xss] [--misses]`
 */
import { parseArgs } from 'node:util'
import { CLASSES } from '../../bench/beds/classes.ts'
import { drawLines } from '../../bench/beds/table.ts'
import { raiseLastWall } from '../../src/engine/last-wall.ts'
import { planApplication } from './plan.ts'
import { type ScannedPlace, scanApplication } from './scanned.ts'
import { type DimensionRow, dimensionRows } from './tally.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    from: { type: 'string', default: '1' },
    places: { type: 'string', default: '10' },
    classes: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
const classes = values.classes?.split(',')
const modules = [
  ...new Set(
    Object.entries(CLASSES).flatMap(([name, { module }]) => (!classes || classes.includes(name) ? (module ?? []) : [])),
  ),
]
const from = Number(values.from)
const all: ScannedPlace[] = []
raiseLastWall((name, error) => process.stderr.write(`stray error in ${name}: ${error}\n`))
for (let seed = from; seed < from + Number(values.seeds); seed += 1) {
  const application = planApplication(seed, { places: Number(values.places), ...(classes ? { classes } : {}) })
  const scanned = await scanApplication(application, { modules, log: () => undefined })
  all.push(...scanned.places)
  const flaws = scanned.places.filter(({ place }) => place.vulnerable)
  const found = flaws.filter(({ verdict }) => verdict === 'confirmed')
  process.stderr.write(`seed ${seed}: ${found.length} of ${flaws.length}, ${Math.round(scanned.run.seconds)} s\n`)
  if (!values.misses) continue
  for (const one of flaws)
    if (one.verdict !== 'confirmed') process.stdout.write(`${seed}: ${one.case.id}: ${one.verdict}: ${one.reason}\n`)
}

const share = (part: number, whole: number): string => (whole === 0 ? '' : (part / whole).toFixed(2))
const lineOf = (row: DimensionRow): readonly string[] =>
  [
    row.dimension,
    row.value,
    row.flaws,
    share(row.found, row.flaws),
    row.unknown,
    row.left,
    row.asked,
    row.passed,
    row.safe,
    row.alarms,
  ].map(String)
process.stdout.write(
  `${drawLines([
    [
      'dimension',
      'value',
      'flaws',
      'recall',
      'place unknown',
      'not asked',
      'asked in full',
      'pass unasked',
      'safe',
      'false',
    ],
    ...dimensionRows(all).map(lineOf),
  ])}\n`,
)
