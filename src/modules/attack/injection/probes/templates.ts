/** Lets engines of templates work out products, or wait where nobody sees what they make of a template. */
import { askDelays } from '../../insertion-points/delays.ts'
import { identical, noiseOf } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import type { ComputedHit, WaitedHit } from '../facts.ts'
import { BROKEN_TEMPLATE, ENGINES, type Engine, HASH, TEMPLATE_WAITS } from '../templates.ts'
import { askTwice, factor, shown } from './arithmetic.ts'
import { readable } from './files.ts'
import { saidTo } from './shown-elsewhere.ts'

/**
 * `repeats`: the page shows what it is sent. Then first one text for most engines, and one for those that leave the first as it is; behind
 * that each engine alone, only where the page did something else to the first than to any text, as a shell or code does, too.
 */
export const templateWays = (
  probe: Probe,
  repeats: boolean,
): readonly (() => Promise<ComputedHit | WaitedHit | null>)[] => [
  ...(repeats ? shownTemplateWays(probe) : [() => askBlindTemplates(probe)]),
]

const shownTemplateWays = (probe: Probe): readonly (() => Promise<ComputedHit | WaitedHit | null>)[] => {
  let left: { readonly engines: readonly Engine[] } | null = null
  return [
    async () => {
      const first = await together(probe, byText('first'))
      const untouched = await isUntouched(probe, first.reply)
      const second = untouched ? await together(probe, byText('second')) : null
      const worked = [...first.worked, ...(second?.worked ?? [])]
      // Each text is shorter than the one before; what is left alone is asked so.
      let beyond: readonly Engine[] = first.beyond.length > 0 ? [...first.beyond, HASH] : []
      while (worked.length === 0 && beyond.length > 1) {
        const more = await together(probe, beyond)
        worked.push(...more.worked)
        beyond = more.beyond
      }
      if (!untouched) left = { engines: worked.length > 0 ? [] : ENGINES }
      return firstEngine(probe, worked.length > 0 ? worked : beyond)
    },
    async () => (left === null ? null : ((await firstEngine(probe, left.engines)) ?? askBlindTemplates(probe))),
  ]
}

const firstEngine = async (probe: Probe, engines: readonly Engine[]): Promise<ComputedHit | null> => {
  for (const engine of engines) {
    const hit = await askTwice(probe, 'template', engine)
    if (hit) return hit
  }
  return null
}

const byText = (asked: Engine['asked']): readonly Engine[] => ENGINES.filter((engine) => engine.asked === asked)

interface Together {
  readonly reply: Reply
  readonly worked: readonly Engine[]
  /** Those behind the length to which the page cuts the text: some stand in it as they were sent, and these last do not. */
  readonly beyond: readonly Engine[]
}

const together = async (probe: Probe, engines: readonly Engine[]): Promise<Together> => {
  const all = engines.map((engine) => {
    const [a, b] = [factor(), factor()]
    return { engine, part: engine.with('', a, b), expected: engine.expected(a, b) }
  })
  const { reply, said } = await saidTo(probe, () => probe.send(all.map(({ part }) => part).join(' ')))
  const worked = all.filter(({ expected }) => said.some((one) => shown(one.text, expected) !== null))
  if (worked.length > 0) probe.pursue()
  const texts = said.map((one) => readable(one.text))
  const last = all.findLastIndex(({ part }) => texts.some((text) => text.includes(part)))
  const beyond = worked.length === 0 && last >= 0 ? all.slice(last + 1) : []
  return { reply, worked: worked.map(({ engine }) => engine), beyond: beyond.map(({ engine }) => engine) }
}

/** The page made of it what it makes of a text that means nothing: a number that means nothing is answered otherwise by many. */
const isUntouched = async (probe: Probe, reply: Reply): Promise<boolean> => {
  const noise = noiseOf(await probe.baseline())
  return identical(reply, await probe.control(), noise) || identical(reply, await probe.word(), noise)
}

/** Where a text that no engine can read makes a difference, engines are asked to wait. */
const askBlindTemplates = async (probe: Probe): Promise<WaitedHit | null> => {
  const broken = await probe.send(`${probe.point.value}${BROKEN_TEMPLATE}`)
  const baseline = await probe.baseline()
  // As behind a number, of which the beginning alone is read.
  if (identical(broken, baseline[0], noiseOf(baseline)) || (await isUntouched(probe, broken))) return null
  for (const way of TEMPLATE_WAITS) {
    const delays = await askDelays(probe, (seconds) => way.with(probe.point.value, seconds), 'sql', 'template')
    if (delays) return { kind: 'template', proof: 'waited', flavour: way.flavour, ...delays }
  }
  return null
}
