/** Lets an interpreter work out products of random numbers, in one syntax after the other. */
import { randomInt } from 'node:crypto'
import { askDelays } from '../../insertion-points/delays.ts'
import { unwatched } from '../../insertion-points/groups.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { ComputedHit, WaitedHit } from '../facts.ts'
import { type Arithmetic, CODE, COMMAND_WAITS, COMMANDS } from '../payloads.ts'
import { type Said, saidTo } from './shown-elsewhere.ts'

type Way<Hit> = () => Promise<Hit | null>

/** `windows`: the server says that it is one; `files`: the place speaks of them. */
export const commandWays = (
  probe: Probe,
  { windows, files }: { readonly windows: boolean; readonly files: boolean },
): readonly Way<ComputedHit>[] => {
  const { members } = probe.point
  const holds = (needs: (typeof COMMANDS)[number]['needs']): boolean => {
    if (needs === 'few') return false
    if (needs === 'windows') return windows
    if (needs === 'file') return files && members === undefined
    return needs === undefined || members !== undefined || needs === breakOf(probe)
  }
  return COMMANDS.filter(({ needs }) => holds(needs)).map((way) => () => askTwice(probe, 'command', way))
}

/** One request that tells of several places, where the page shows what they are sent and few may be sent. */
export const soonestCommandWays = (probe: Probe): readonly Way<ComputedHit>[] =>
  COMMANDS.filter(({ needs }) => needs === 'few').map((way) => () => askTwice(unwatched(probe), 'command', way))

/** Neither a header nor a file's name holds a line break; a group may have members that do. */
const breakOf = ({ point: { place } }: Probe): 'line break' | 'no line break' =>
  place === 'header' || place === 'file-name' ? 'no line break' : 'line break'

export const waitWays = (probe: Probe, flavour?: string): readonly Way<WaitedHit>[] =>
  waitsAt(probe, flavour).map((way) => async () => {
    const { value } = probe.point
    const payload = (seconds: string): string => withoutBlanks(probe, way.with(value, seconds))
    const delays = await askDelays(probe, payload, 'shell', 'command')
    return delays && { kind: 'command', proof: 'waited', flavour: way.flavour, ...delays }
  })

/** `flavour`: that alone. */
const waitsAt = (probe: Probe, flavour?: string) =>
  COMMAND_WAITS.filter(({ needs }) => needs === breakOf(probe)).filter(
    (way) => flavour === undefined || way.flavour === flavour,
  )

/** A cookie holds no blank (RFC 6265, 4.1.1): servers that follow it take none of its value, and shells have another for it. */
const withoutBlanks = ({ point: { place, value, members = [] } }: Probe, payload: string): string => {
  const isCookie = place === 'cookie' || members.some((one) => one.place === 'cookie')
  if (!isCookie || !payload.startsWith(value)) return payload
  return `${value}${payload.slice(value.length).replaceAll(' ', () => `\${IFS}`)}`
}

/** Which software answered, as far as it says so. */
export const isWindows = ({ headers }: Reply): boolean =>
  headers.some(
    ([name, value]) =>
      (/^(?:server|x-powered-by)$/i.test(name) && /IIS|ASP\.NET|Win(?:32|64|dows)/i.test(value)) ||
      /^x-aspnet/i.test(name) ||
      (name.toLowerCase() === 'set-cookie' && /^ASP(?:\.NET_SessionId|SESSIONID)/i.test(value)),
  )

/** Of those kinds: see CODE. */
export const codeWays = (
  probe: Probe,
  ...kinds: readonly (typeof CODE)[number]['tried'][]
): readonly Way<ComputedHit>[] =>
  CODE.filter(({ tried }) => kinds.includes(tried)).map((way) => () => askTwice(probe, 'code', way))

/** The way by which several places as one were hit; none where it is not one of these. */
export const sameWays = (
  probe: Probe,
  { kind, flavour }: Pick<ComputedHit, 'kind' | 'flavour'>,
): readonly Way<ComputedHit>[] =>
  [...COMMANDS, ...CODE]
    .filter((way) => flavour === way.flavour || flavour.startsWith(`${way.flavour}, `))
    .map((way) => () => askTwice(probe, kind, way))

/** Of four digits, their product of seven: from eight on some languages write it as a power of ten. */
export const factor = (): number => randomInt(1_100, 3_100)

export const askTwice = async (
  probe: Probe,
  kind: ComputedHit['kind'],
  way: Arithmetic,
): Promise<ComputedHit | null> => {
  const first = await askOnce(probe, kind, way)
  if (!first?.seen) return null
  probe.pursue()
  const second = await askOnce(probe, kind, way, first.asked)
  if (!second?.seen || second.times !== first.times) return null
  const counted = second.times === 1 ? way.flavour : `${way.flavour}, ${second.times} times their product`
  const flavour = second.page === undefined ? counted : `${counted}, shown by ${second.page}`
  return {
    ...{ kind, proof: 'computed', flavour },
    computed: [first, second].map(({ asked: _asked, page: _page, times: _times, ...one }) => one),
  }
}

/**
 * Whose result is not the last one: the same one twice proves nothing, as a page may show it anyway. Drawn so often that none is left
 * but of a way with one result, which then proves nothing.
 */
const numbersFor = (way: Arithmetic, last: string | null): readonly [a: number, b: number] => {
  let drawn = [factor(), factor()] as const
  for (let more = MOST_DRAWN; more > 0 && way.expected(...drawn) === last; more -= 1) drawn = [factor(), factor()]
  return drawn
}
const MOST_DRAWN = 100

const askOnce = async (
  probe: Probe,
  kind: ComputedHit['kind'],
  way: Arithmetic,
  last: string | null = null,
): Promise<
  | (ComputedHit['computed'][number] & {
      readonly asked: string
      readonly page?: string | undefined
      readonly times: number
    })
  | null
> => {
  const [a, b] = numbersFor(way, last)
  const made = way.with(probe.point.value, a, b)
  const payload = kind === 'command' ? withoutBlanks(probe, made) : made
  let said: readonly Said[]
  try {
    said = (await saidTo(probe, () => probe.send(payload, kind === 'command' ? { language: 'shell' } : {}))).said
  } catch (error) {
    if (error instanceof Unsendable) return null // A line break in a header: this way is closed, others are not.
    throw error
  }
  const expected = way.expected(a, b)
  const seenIn = (text: string): Multiple | null => {
    const mark = shown(text, expected)
    return mark === null ? (way.counted ? multipleIn(text, a * b) : null) : { mark, times: 1 }
  }
  const telling = said.find(({ text }) => seenIn(text) !== null)
  const { text = '', replay = said[0]?.replay ?? '', page } = telling ?? {}
  const { mark = null, times = 1 } = seenIn(text) ?? {}
  return {
    payload,
    asked: expected,
    expected: mark ?? expected,
    seen: mark !== null,
    excerpt: mark === null ? '' : around(text, mark),
    replay,
    page,
    times,
  }
}

interface Multiple {
  /** As the text shows it. */
  readonly mark: string
  readonly times: number
}

/** Numbers as pages write them: thousands set apart, and decimals. */
const NUMBER = /(?<![\w.,])(?:\d{1,3}(?:[,'\u2019\u00a0\u202f ]\d{3})+|\d+)(?:\.\d+)?(?![\w,]|\.\d)/g
const MOST_TIMES = 1_000

/** A number that is the product of seven digits times one of two decimals at most, to the last digit: no other number of a page hits one of these. Exported for its test. */
export const multipleIn = (text: string, product: number): Multiple | null => {
  for (const [mark] of text.matchAll(NUMBER)) {
    const number = Number(mark.replace(/[^\d.]/g, ''))
    const hundredths = Math.round((100 * number) / product)
    if (hundredths < 1 || hundredths === 100 || hundredths > 100 * MOST_TIMES) continue
    if (Math.abs(number - (hundredths * product) / 100) <= ROUNDED) return { mark, times: hundredths / 100 }
  }
  return null
}
/** To cents. */
const ROUNDED = 0.0051

/** As it stands in the text: in whatever letters, also with the thousands set apart as some template engines do. */
export const shown = (text: string, expected: string): string | null => {
  if (text.includes(expected)) return expected
  if (/[a-z]/.test(expected)) return new RegExp(RegExp.escape(expected), 'i').exec(text)?.[0] ?? null
  // However they are set apart, its last three digits stand together.
  if (!/^\d+$/.test(expected) || !text.includes(expected.slice(-3))) return null
  const grouped = expected.replace(/\B(?=(?:\d{3})+$)/g, "[,.'\u2019\u00a0\u202f ]")
  return new RegExp(`(?<!\\d)${grouped}(?!\\d)`).exec(text)?.[0] ?? null
}
