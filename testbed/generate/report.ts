/**
 * Made applications, scanned some at once: recall, false alarms and passes without asking for each value of each dimension, the
 * weakest first. `node testbed/generate/report.ts --seeds N [--from S] [--places P] [--classes sqli,xss] [--split] [--together T]
 * [--keep FILE] [--misses]`. With `--keep` each is written to the file as it ends, those that it holds are not scanned again, and all of it is
 * told: 500 are done in pieces. An application costs 5 s of one processor and 20 to 40 s of waiting, so four at once fill one.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CLASSES } from '../../bench/beds/classes.ts'
import { raiseLastWall } from '../../src/engine/last-wall.ts'
import { type KeptApplication, keep, keptOf, readKept } from './kept.ts'
import { planApplication } from './plan.ts'
import { scanApplication } from './scanned.ts'
import { dimensionTable } from './tally.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    from: { type: 'string', default: '1' },
    places: { type: 'string', default: '10' },
    classes: { type: 'string' },
    split: { type: 'boolean', default: false },
    together: { type: 'string', default: '1' },
    keep: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
const classes = values.classes?.split(',')
const modules = [
  ...new Set(
    Object.entries(CLASSES).flatMap(([name, { module }]) => (!classes || classes.includes(name) ? (module ?? []) : [])),
  ),
]
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.from) + at)
const all: KeptApplication[] = values.keep && existsSync(values.keep) ? [...readKept(values.keep)] : []
raiseLastWall((name, error) => process.stderr.write(`stray error in ${name}: ${error}\n`))

const scanOne = async (seed: number): Promise<void> => {
  const about = {
    places: Number(values.places),
    truth: values.split ? 'split' : 'both',
    ...(classes ? { classes } : {}),
  } as const
  const kept = keptOf(await scanApplication(planApplication(seed, about), { modules, log: () => undefined }))
  all.push(kept)
  if (values.keep) keep(values.keep, kept)
  const flaws = kept.places.filter(({ vulnerable }) => vulnerable)
  const found = flaws.filter(({ verdict }) => verdict === 'confirmed')
  process.stderr.write(`seed ${seed}: ${found.length} of ${flaws.length}, ${kept.seconds} s\n`)
}
const left = seeds.filter((seed) => !all.some((one) => one.seed === seed))
await Promise.all(
  Array.from({ length: Number(values.together) }, async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) await scanOne(seed)
  }),
)
for (const { seed, places } of values.misses ? all : [])
  for (const { id, vulnerable, verdict, reason } of places)
    if (vulnerable ? verdict !== 'confirmed' : /confirmed$/.test(verdict))
      process.stdout.write(`${seed}: ${vulnerable ? '' : 'safe '}${id}: ${verdict}: ${reason}\n`)

process.stdout.write(`${dimensionTable(all.flatMap(({ places }) => places))}\n`)
