/**
 * A large made application, scanned at a pace: what it took, what was reached and left, and after how many requests what was
 * planted had been proven. `node testbed/generate/large-report.ts [--seed N] [--pages 600] [--places 30] [--rate 20]`
 */
import { parseArgs } from 'node:util'
import { raiseLastWall } from '../../src/engine/last-wall.ts'
import type { CrawlFacts } from '../../src/modules/attack/crawl/facts.ts'
import type { ProbingFacts } from '../../src/modules/attack/insertion-points/facts.ts'
import { planLarge } from './large.ts'
import { type ScannedPlace, scanApplication } from './scanned.ts'

const { values } = parseArgs({
  options: {
    ...{ seed: { type: 'string', default: '1' }, pages: { type: 'string', default: '600' } },
    ...{ places: { type: 'string', default: '30' }, rate: { type: 'string', default: '20' } },
  },
})
const MODULES = ['sqli', 'injection', 'xss']
const say = (line: string): void => void process.stdout.write(`${line}\n`)

raiseLastWall((name, error) => process.stderr.write(`stray error in ${name}: ${error}\n`))
const application = planLarge(Number(values.seed), { pages: Number(values.pages), places: Number(values.places) })
const heard: { readonly request: string; readonly at: number }[] = []
const began = performance.now()
const { places, run } = await scanApplication(application, {
  ...{ modules: MODULES, rate: Number(values.rate), log: say },
  // What names the run is as random as a proof.
  heard: (request) => heard.push({ request: request.replace(/sonde-run\n[^\n]*/i, ''), at: performance.now() - began }),
})

/** The request that proved it first: it holds all that is random in the proof, so that no other is like it. */
const provenAt = ({ case: one, place }: ScannedPlace): number => {
  const own = run.findings.filter(
    ({ confidence, places: where }) => confidence === 'confirmed' && where.some(({ url }) => url?.includes(place.path)),
  )
  const proofs = own
    .map(({ proof }) => proof?.replay?.match(/(?:[0-9a-f]{8,}|\d{4,})/g) ?? [])
    .map((marks) => marks.filter((mark) => !one.path.includes(mark)))
    .filter((marks) => marks.length > 0)
  return heard.findIndex(
    ({ request }) =>
      request.slice(0, 300).includes(place.path) &&
      proofs.some((marks) => marks.every((mark) => request.includes(mark))),
  )
}

const flaws = places.filter(({ place }) => place.vulnerable)
const found = flaws.filter(({ verdict }) => verdict === 'confirmed')
const order = found
  .map(provenAt)
  .filter((at) => at >= 0)
  .toSorted((a, b) => a - b)
const after = (share: number): string => {
  const at = order[Math.max(0, Math.ceil(flaws.length * share) - 1)]
  return at === undefined ? 'never' : `${at + 1} requests, ${Math.round((heard[at]?.at ?? 0) / 1_000)} s`
}
const crawl = run.ends.get('crawl')?.facts as CrawlFacts
say(
  `${Math.round(run.seconds)} s, ${heard.length} requests, ${crawl.urls.length} addresses asked, cut: ${crawl.cut ?? 'no'}`,
)
say(
  `flaws: ${found.length} of ${flaws.length}; first after ${after(0)}; half after ${after(0.5)}; 0.9 after ${after(0.9)}`,
)
say(`all that were found, as far as their proof is known (${order.length}), after ${(order.at(-1) ?? -1) + 1} requests`)
say(
  `safe places accused: ${places.filter(({ place, verdict }) => !place.vulnerable && verdict === 'confirmed').length}`,
)
say(`passes without asking: ${flaws.filter(({ passed }) => passed).length}`)
for (const name of MODULES) {
  const facts = run.ends.get(name)?.facts as ProbingFacts<unknown> | undefined
  const counts = facts?.points.map(({ requests }) => requests).toSorted((a, b) => a - b) ?? []
  const ends = Map.groupBy(facts?.points ?? [], ({ end }) => end)
  say(
    `${name}: ${counts.length} points, median ${counts[Math.floor(counts.length / 2)]} requests, left ${facts?.left}, cut ${facts?.cut}, ` +
      [...ends].map(([end, of]) => `${end} ${of.length}`).join(', '),
  )
}
for (const one of flaws) if (one.verdict !== 'confirmed') say(`missed ${one.case.id}: ${one.verdict}: ${one.reason}`)
