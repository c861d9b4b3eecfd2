/** Puts questions whose answers are known to whatever reads the value, and sees whether the page knows them. */
import { randomBytes, randomInt } from 'node:crypto'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { formWith, jsonWith } from '../../insertion-points/body.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import { likeness, noiseOf } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import type { AnswersHit } from '../facts.ts'
import { QUESTIONERS } from '../payloads.ts'

const TRIALS = 8
const SAME = 0.98

interface Way {
  readonly quote?: "'" | '"'
  readonly kind: AnswersHit['kind']
  readonly flavour: string
  readonly ask: (truth: boolean) => Promise<{ readonly question: string; readonly reply: Reply }>
  readonly malformed: () => Promise<Reply>
}

export const questionWays = (probe: Probe): readonly (() => Promise<AnswersHit | null>)[] =>
  [...operatorWays(probe), ...languageWays(probe)].map((way) => () => askThrough(probe, way))

const word = (): string => `q${randomBytes(8).toString('hex').replace(/\d/g, 'x').slice(0, randomInt(5, 11))}`

const languageWays = (probe: Probe): readonly Way[] =>
  QUESTIONERS.map((one) => {
    const send = (question: string): Promise<Reply> => probe.send(one.with(probe.point.value, question))
    return {
      kind: one.kind,
      flavour: one.flavour,
      ...(one.quote ? { quote: one.quote } : {}),
      ask: async (truth) => {
        const question = one.ask(truth, word())
        return { question, reply: await send(question) }
      },
      malformed: () => send(one.malformed),
    }
  })

/** Objects in place of texts, as MongoDB reads them: {"$in": [value]} and the like. */
const operatorWays = (probe: Probe): readonly Way[] => {
  const { value, place } = probe.point
  if (value === '' || !['query', 'form', 'json'].includes(place)) return []
  const send = (operator: string, operand: string): Promise<Reply> =>
    probe.send(value, { change: (request) => withOperator(probe, request, operator, operand) })
  const questions = (of: string): readonly (readonly [string, string])[] => [
    ['$eq', of],
    ['$in', of],
    ['$regex', `^${of.replace(/[^\w\s]/g, '\\$&')}$`],
  ]
  return [
    {
      kind: 'nosql',
      flavour: 'operator object',
      ask: async (truth) => {
        const all = questions(truth ? value : word())
        const [operator, operand] = all[randomInt(all.length)] ?? ['$eq', value]
        return { question: `${operator} ${operand}`, reply: await send(operator, operand) }
      },
      malformed: () => send('$qz', value),
    },
  ]
}

const withOperator = (probe: Probe, request: HttpRequest, operator: string, operand: string): HttpRequest => {
  const { name, place } = probe.point
  const renamed = `${name}[${operator}]${operator === '$in' ? '[]' : ''}`
  const without = (text: string): string =>
    text
      .split('&')
      .filter((pair) => decodeURIComponent(pair.split('=')[0] ?? '') !== name)
      .join('&')
  if (place === 'query') {
    const url = new URL(request.url)
    return {
      ...request,
      url: withQuery(`${url.origin}${url.pathname}?${without(url.search.slice(1))}`, renamed, operand),
    }
  }
  const body = String(request.body ?? '')
  if (place === 'form') return { ...request, body: formWith(without(body), renamed, operand) }
  return { ...request, body: jsonWith(body, name, { [operator]: operator === '$in' ? [operand] : operand }) ?? body }
}

const askThrough = async (probe: Probe, way: Way): Promise<AnswersHit | null> => {
  const baseline = await probe.baseline()
  const noise = noiseOf(baseline)
  if (way.quote && likeness(await probe.joined(way.quote), baseline[0]) < SAME - noise) return null
  const onTrue = (await way.ask(true)).reply
  if (likeness(onTrue, baseline[0]) < SAME - noise) return null
  const onFalse = (await way.ask(false)).reply
  const apart = 1 - likeness(onTrue, onFalse)
  if (apart <= Math.max(0.0005, 3 * noise)) return null
  const answerOf = (reply: Reply): 'true' | 'false' | 'neither' => {
    const [toTrue, toFalse] = [1 - likeness(reply, onTrue), 1 - likeness(reply, onFalse)]
    if (toTrue <= apart / 3 && toTrue < toFalse) return 'true'
    return toFalse <= apart / 3 && toFalse < toTrue ? 'false' : 'neither'
  }
  const trials: AnswersHit['trials'][number][] = []
  const order = Array.from({ length: TRIALS }, (_, index) => ({ truth: index % 2 === 0, at: randomInt(1_000_000) }))
  for (const { truth } of order.toSorted((a, b) => a.at - b.at)) {
    const { question, reply } = await way.ask(truth)
    const answer = answerOf(reply)
    trials.push({ question, truth, answer })
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const malformed = answerOf(await way.malformed())
  const { kind, flavour } = way
  const excerpt = `true: HTTP ${onTrue.status}, ${onTrue.text.length} characters\nfalse: HTTP ${onFalse.status}, ${onFalse.text.length} characters`
  return {
    kind,
    proof: 'answers',
    flavour,
    apart,
    noise,
    trials,
    malformed,
    excerpt,
    replay: `${onTrue.replay}\n${onFalse.replay}`,
  }
}
