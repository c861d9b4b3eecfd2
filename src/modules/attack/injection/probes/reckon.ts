/** Lets an interpreter work out products of random numbers, in one syntax after the other. */
import { randomInt } from 'node:crypto'
import { askDelays } from '../../insertion-points/delays.ts'
import { identical, noiseOf } from '../../insertion-points/likeness.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { ComputedHit, WaitedHit } from '../facts.ts'
import {
  BROKEN_TEMPLATE,
  CODE,
  COMMAND_WAITS,
  COMMANDS,
  type Reckoning,
  TEMPLATE_WAITS,
  TEMPLATES,
} from '../payloads.ts'

type Way<Hit> = () => Promise<Hit | null>

/** `windows`: the server says that it is one. */
export const commandWays = (probe: Probe, windows: boolean): readonly Way<ComputedHit>[] => {
  const { place, members } = probe.point
  const holds = (needs: (typeof COMMANDS)[number]['needs']): boolean => {
    if (needs === 'windows') return windows
    return needs === undefined || members !== undefined || (place === 'header') === (needs === 'no line break')
  }
  return COMMANDS.filter(({ needs }) => holds(needs)).map((way) => () => askTwice(probe, 'command', way))
}

export const waitWays = (probe: Probe): readonly Way<WaitedHit>[] =>
  COMMAND_WAITS.map((way) => async () => {
    const delays = await askDelays(probe, (seconds) => way.with(probe.point.value, seconds), 'shell')
    return delays && { kind: 'command', proof: 'waited', flavour: way.flavour, ...delays }
  })

/** Which software answered, as far as it says so. */
export const isWindows = ({ headers }: Reply): boolean =>
  headers.some(
    ([name, value]) =>
      (/^(?:server|x-powered-by)$/i.test(name) && /IIS|ASP\.NET|Win(?:32|64|dows)/i.test(value)) ||
      /^x-aspnet/i.test(name) ||
      (name.toLowerCase() === 'set-cookie' && /^ASP(?:\.NET_SessionId|SESSIONID)/i.test(value)),
  )

/** Where a text that no engine can read makes a difference, engines are asked to wait. */
export const askBlindTemplates = async (probe: Probe): Promise<WaitedHit | null> => {
  const baseline = await probe.baseline()
  const control = await probe.control()
  const broken = await probe.send(`${probe.point.value}${BROKEN_TEMPLATE}`)
  const reacts = !identical(broken, control, noiseOf(baseline))
  for (const way of reacts ? TEMPLATE_WAITS : []) {
    const delays = await askDelays(probe, (seconds) => way.with(probe.point.value, seconds), 'sql')
    if (delays) return { kind: 'template', proof: 'waited', flavour: way.flavour, ...delays }
  }
  return null
}

/** `shows`: the value or what comes of it stands in the page, so text around it may matter. */
export const codeWays = (probe: Probe, shows: boolean): readonly Way<ComputedHit>[] =>
  CODE.filter((one) => shows || !one.quoted).map((way) => () => askTwice(probe, 'code', way))

/** All syntaxes in one text first; alone only where one of them worked or the text broke something. */
export const askTemplates = async (probe: Probe): Promise<ComputedHit | null> => {
  const asked = TEMPLATES.map((way) => ({ way, a: number(), b: number() }))
  const reply = await probe.send(asked.map(({ way, a, b }) => way.with('', a, b)).join(' '))
  const worked = asked.filter(({ way, a, b }) => shown(reply.text, way.expected(a, b)) !== null)
  const broke = worked.length === 0 && reply.status >= 500 && (await probe.baseline())[0].status < 500
  const ways = broke ? TEMPLATES : worked.map(({ way }) => way)
  for (const way of ways) {
    const hit = await askTwice(probe, 'template', way)
    if (hit) return hit
  }
  return null
}

const number = (): number => randomInt(2_000, 9_000)

const askTwice = async (probe: Probe, kind: ComputedHit['kind'], way: Reckoning): Promise<ComputedHit | null> => {
  const first = await askOnce(probe, kind, way)
  if (!first?.seen) return null
  const second = await askOnce(probe, kind, way)
  return second?.seen ? { kind, proof: 'computed', flavour: way.flavour, computed: [first, second] } : null
}

const askOnce = async (
  probe: Probe,
  kind: ComputedHit['kind'],
  way: Reckoning,
): Promise<ComputedHit['computed'][number] | null> => {
  const [a, b] = [number(), number()]
  const payload = way.with(probe.point.value, a, b)
  let reply: Reply
  try {
    reply = await probe.send(payload, kind === 'command' ? { language: 'shell' } : {})
  } catch (error) {
    if (error instanceof Unsendable) return null // A line break in a header: this way is closed, others are not.
    throw error
  }
  const expected = way.expected(a, b)
  const mark = shown(reply.text, expected)
  return {
    payload,
    expected: mark ?? expected,
    seen: mark !== null,
    excerpt: mark === null ? '' : around(reply.text, mark),
    replay: reply.replay,
  }
}

/** As it stands in the text, also with the thousands set apart as some template engines do. */
const shown = (text: string, expected: string): string | null => {
  if (text.includes(expected)) return expected
  const grouped = expected.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return /^\d+$/.test(expected) && text.includes(grouped) ? grouped : null
}
