/**
 * Many small programs, scanned at a pace in a time that is not enough for all of them: what was found of what was planted, and what the
 * requests were spent on. `node testbed/generate/many-report.ts [--seed N] [--places 450] [--rate 20] [--minutes 13] [--modules sqli,…]`
 */
import { parseArgs } from 'node:util'
import { drawLines } from '../../bench/beds/table.ts'
import { raiseLastWall } from '../../src/engine/last-wall.ts'
import { keptOf } from './kept.ts'
import { planMany } from './many.ts'
import { scanApplication } from './scanned.ts'
import { dimensionTable } from './tally.ts'

const { values } = parseArgs({
  options: {
    ...{ seed: { type: 'string', default: '1' }, places: { type: 'string', default: '450' } },
    ...{ rate: { type: 'string', default: '20' }, minutes: { type: 'string', default: '13' } },
    modules: { type: 'string', default: 'sqli,injection,xss' },
  },
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)

raiseLastWall((name, error) => process.stderr.write(`stray error in ${name}: ${error}\n`))
const application = planMany(Number(values.seed), Number(values.places))
/** Module and way of the place → requests. */
const spent = new Map<string, number>()
const wayOf = (path: string): string =>
  application.places.find((place) => path === place.entry || path === place.path || path.startsWith(`${place.path}/`))
    ?.way ?? 'other'
const scanned = await scanApplication(application, {
  ...{ modules: values.modules.split(','), rate: Number(values.rate), seconds: Number(values.minutes) * 60, log: say },
  audited: (entries) => {
    for (const { module, event, url } of entries) {
      if (event !== 'request' || !url) continue
      const key = JSON.stringify([module, wayOf(new URL(url).pathname)])
      spent.set(key, (spent.get(key) ?? 0) + 1)
    }
  },
})
const { places, seconds } = keptOf(scanned)
const found = places.filter(({ vulnerable, verdict }) => vulnerable && verdict === 'confirmed')
say(
  `seed ${application.seed}: ${found.length} of ${places.filter(({ vulnerable }) => vulnerable).length} in ${seconds} s`,
)
say(
  drawLines([
    ['module', 'way', 'requests'],
    ...[...spent].toSorted(([a], [b]) => a.localeCompare(b)).map(([key, count]) => [...JSON.parse(key), String(count)]),
  ]),
)
say(dimensionTable(places))
