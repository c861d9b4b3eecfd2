/**
 * Places of one request that seem to do nothing, probed together: sites read few headers and cookies, and forms hold many
 * fields that an address is not read for. A value goes into every member at once; as soon as an answer is not the one to
 * meaningless values, they are asked in halves and then alone.
 */
import { mayWriteFiles } from '../../../safety/effect.ts'
import { compose, renamed } from './compose.ts'
import { TOKEN_REFUSED } from './freshness.ts'
import { isTokenOfDeed, type ProbePoint, type ProbeRequest, slotOf } from './inventory.ts'
import { identical, moves, noiseOf, TOO_NOISY } from './likeness.ts'
import { madeOf } from './likes.ts'
import { ORDINARY } from './points.ts'
import type { Asking, Probe, Prober, Reply } from './prober.ts'
import { isSerialized } from './serialized.ts'
import { isHiddenToken, isToken } from './tokens.ts'
import { createTurns, type Turns } from './turns.ts'
import { WORD } from './word.ts'

/** Stand for the members' own values in a group's payloads; a number where any of them is one, as payloads for numbers fit no text. */
const STANDS = { number: '907193048', text: 'qzv-held', empty: '' } as const
/** A header or cookie that changes pages by itself is asked alone on so many that it changes; one program reads it on all. */
const ALONE_ON = 2

/** So many are asked one by one, more of them by halves. */
const FEW_ALONE = 6

/** Of so few fields each is looked at by itself where places are many. */
const FEW_FIELDS = 3

/** A page reads few names that it was not seen with. */
const MOST_MOVED = 3

/** Header or cookie: beside the request, and the same on others. */
export const isAround = ({ place }: ProbePoint): boolean => place === 'header' || place === 'cookie'

const FIELDS: ReadonlySet<ProbePoint['place']> = new Set(['query', 'form'])
/** Of what may be sent a few times only, the values of other bodies as well: each alone they would have no turn. */
const BOUNDED_FIELDS: ReadonlySet<ProbePoint['place']> = new Set([...FIELDS, 'json', 'multipart'])

/** What may write a file gets other values. `stores`: where it may write, each is told apart by what it has stored. */
const isField = ({ place, request, name, value, role }: ProbePoint, stores: boolean): boolean => {
  const bounded = request.bound !== undefined && !stores
  if (!(bounded ? BOUNDED_FIELDS : FIELDS).has(place) || isToken(name, value) || isHiddenToken(name, value, role ?? ''))
    return false
  // What is no object any more ends in an error, whatever stands beside it.
  if (isSerialized(value)) return false
  // A server that is told whom to call is asked by addresses, which stand for no other field.
  if (bounded && /^https?:\/\//i.test(value) && CALLED.test(name)) return false
  return (bounded || request.effect === 'reads') && !mayWriteFiles({ effect: 'reads', url: request.url }, name)
}

const CALLED = /ur[il]$|(?:^|[^a-z])api$|[a-z]Api$|hook|callback|endpoint|feed|server|host|fetch|src|source|import/i

/** A field that the request was seen with, tokens aside. */
export const isOwnField = (point: ProbePoint): boolean =>
  FIELDS.has(point.place) && !isGuess(point) && !isToken(point.name, point.value)

/** Names that the request was not seen with are asked by one text; what stands out is asked in every way. */
export const isGuess = ({ guessed }: ProbePoint): boolean => guessed === true

/**
 * Points in their order; headers and cookies of a request, and its fields, two or more, as one point. `stores`: see
 * Plan.
 */
export const grouped = (points: readonly ProbePoint[], stores = false): readonly ProbePoint[] => {
  const groups = new Map<string, ProbePoint[]>()
  const units: (ProbePoint | ProbePoint[])[] = []
  const brief = briefOf(points)
  const rare = brief.size > 0 ? rareAround(points) : brief
  for (const point of points) {
    // Beside a token that is compared, nothing would be heard of the others.
    if (isTokenOfDeed(point) || (!isAround(point) && !isField(point, stores))) {
      units.push(point)
      continue
    }
    // What is packed in a value would be lost beside the value itself.
    // Nor is what the page puts in itself asked beside what people fill: another word there is another deed.
    const { id, bound } = point.request
    const role = bound === undefined ? '' : (point.role ?? '')
    // Of few writes what its own program reads takes none for what others do.
    const belongs = point.own === true || rare.has(slotOf(point))
    const isOwn = bound === undefined ? brief.has(id) && belongs : point.own === true
    const place = isAround(point) ? `around ${isOwn}` : point.place
    const kind = [place, isGuess(point), point.within !== undefined, role]
    const key = `${id} ${kind.join(' ')}`
    const members = groups.get(key)
    if (members) {
      members.push(point)
      continue
    }
    const made = [point]
    groups.set(key, made)
    units.push(made)
  }
  return units.map((unit) => (Array.isArray(unit) ? groupOf(unit) : unit))
}

export const groupOf = (members: readonly ProbePoint[]): ProbePoint => {
  const [first] = members
  if (!first) throw new Error('a group has members')
  if (members.length === 1) return first
  const kinds = new Set(members.map(kindOf))
  return {
    request: first.request,
    place: isAround(first) ? 'header' : first.place,
    name: members.map(slotOf).join(', '),
    value: STANDS[KINDS.find((kind) => kinds.has(kind)) ?? 'text'],
    members,
  }
}

/**
 * Whether a parameter under another name is answered otherwise than the request without it: its name is read. A name that is looked up
 * and finds nothing is answered as none is; one that no language survives is not. Where both are, it may be looked up all the same, as long as
 * the value that stands there is the only one that finds anything. `shows`: a name that is shown is read, too, unless the page shows any.
 */
export const readsName = async (probe: Probe, shows = false): Promise<boolean> => {
  const { value } = probe.point
  const noise = noiseOf(await probe.baseline())
  const other = await probe.control()
  const without = await probe.send(value, { change: (request) => renamed(probe.point, null) ?? request })
  if (!identical(other, without, noise) || !identical(await probe.broken(), without, noise)) return true
  if (shows && isShownIn(other, without)) {
    const added = compose({ ...probe.point, place: 'name' }, WORD)
    return added !== null && !(await probe.send(WORD, { change: () => added })).text.includes(WORD)
  }
  const [usual] = await probe.baseline()
  if (probe.point.place !== 'own-name' || identical(usual, without, noise)) return false
  const itself = { ...probe.point, place: probe.request.body === null ? 'query' : 'form' } as const
  const another = await probe.send(value, { change: (request) => compose(itself, WORD) ?? request })
  return identical(another, without, noise)
}

const isShownIn = ({ text, value }: Reply, without: Reply): boolean =>
  text.includes(value) && !without.text.includes(value)

/**
 * Whether a token is compared before anything else: a meaningless value and signs that few languages survive are refused alike, where its own is taken.
 */
export const isCompared = async (probe: Probe): Promise<boolean> => {
  const [usual] = await probe.baseline()
  const [control, broken] = [await probe.control(), await probe.broken()]
  const isRefused = usual.status < 400 && TOKEN_REFUSED.has(control.status) && broken.status === control.status
  return isRefused && madeOf(broken, probe.request.url) === madeOf(control, probe.request.url)
}

/** A group that answered unlike itself, as two. Headers and cookies are few enough to be asked alone. */
export const halvesOf = (members: readonly ProbePoint[]): readonly (readonly ProbePoint[])[] =>
  members.length < 3 || members.some(isAround)
    ? members.map((member) => [member])
    : [members.slice(0, Math.ceil(members.length / 2)), members.slice(Math.ceil(members.length / 2))]

/** The few values of a form or an address that may be sent any number of times. */
export const isSmall = ({ members, request }: ProbePoint): boolean =>
  members !== undefined &&
  members.length <= FEW_FIELDS &&
  request.bound === undefined &&
  members.every((one) => !isAround(one) && !isGuess(one))

/** In the order in which one stands for the others. */
const KINDS = ['number', 'text', 'empty'] as const

const kindOf = (point: ProbePoint): (typeof KINDS)[number] => {
  if (point.value === '' && !isAround(point)) return 'empty'
  return /^-?\d+(\.\d+)?$/.test(point.value) ? 'number' : 'text'
}

/**
 * Headers and cookies are read by the same code on most addresses of a site: on so many requests everything is tried, on the
 * others one text: see `sentinel`.
 */
export const WHOLE_ON = 4

/** Requests on which headers and cookies are asked by that text alone. */
export const briefOf = (points: readonly ProbePoint[]): ReadonlySet<string> =>
  new Set([...new Set(points.filter(isAround).map(({ request }) => request.id))].slice(WHOLE_ON))

/** Names of headers and cookies that few requests have: a script sends one with its own request alone, and one program reads it. */
export const rareAround = (points: readonly ProbePoint[]): ReadonlySet<string> => {
  const requests = new Map<string, Set<string>>()
  for (const point of points) {
    if (!isAround(point) || ORDINARY.has(point.name.toLowerCase())) continue
    const name = slotOf(point)
    requests.set(name, (requests.get(name) ?? new Set()).add(point.request.id))
  }
  return new Set([...requests].filter(([, { size }]) => size <= WHOLE_ON).map(([name]) => name))
}

/** The same, with those headers and cookies marked that few requests have. */
export const withOwnAround = (points: readonly ProbePoint[]): readonly ProbePoint[] => {
  const rare = rareAround(points)
  return points.map((point) =>
    isAround(point) && point.name !== 'Authorization' && rare.has(slotOf(point)) ? { ...point, own: true } : point,
  )
}

/** A part of that text came back as it was sent, which an ordinary answer never has: the page encodes it in no way. */
export const showsSentinel = ({ text }: Reply): boolean =>
  // Half of the servers do not decode cookies, in which a percent sign does not travel as it is.
  text.includes(')<%=(') || text.includes(')<%25=(') || text.includes(`'"\\`)

/** An answer that is not the one to meaningless values: something in the group reads what it is sent. */
export class Deviation extends Error {
  /** What was sent, around the value that stands for the members' own. */
  readonly value: string
  readonly asking: Asking
  constructor(value: string, asking: Asking) {
    super('an answer differs from the one to meaningless values')
    this.value = value
    this.asking = asking
  }
}

const plain = new WeakMap<Probe, Probe>()

/** What sends without giving up, for what tells by itself and not by standing out. */
export const unwatched = (probe: Probe): Probe => plain.get(probe) ?? probe

/** Sends as the plain probe does, and gives up at the first answer that stands out. */
export const watched = (probe: Probe): Probe => {
  const differs = async (reply: Reply): Promise<boolean> => {
    const [baseline, control] = [await probe.baseline(), await probe.control()]
    if (grows(probe.request, baseline)) return reply.status !== control.status
    const noise = noiseOf(baseline)
    // A page that changes much by itself tells nothing by changing; hits still do.
    return noise <= TOO_NOISY && !identical(reply, control, noise)
  }
  const checked = async (asked: Promise<Reply>, asking: Asking = {}): Promise<Reply> => {
    const reply = await asked
    if (!(await differs(reply)) || ((await probe.doubt()) && !(await differs(reply)))) return reply
    throw new Deviation(reply.value, asking)
  }
  const watching: Probe = {
    ...probe,
    send: (value, asking) => checked(probe.send(value, asking), asking),
    broken: () => checked(probe.broken(), { language: 'sql' }),
    sentinel: () => checked(probe.sentinel(), { language: 'sql' }),
    joined: (quote) => checked(probe.joined(quote), { language: 'sql' }),
  }
  plain.set(watching, probe)
  return watching
}

/** A list has one entry more with each that is sent: what its page says besides tells nothing of what was sent. */
export const grows = ({ bound }: ProbeRequest, [first, second]: readonly [Reply, Reply]): boolean =>
  bound !== undefined && first.status === second.status && first.text.length !== second.text.length

/** Members whose answer to the value that stood out stands out as well: halves are asked by it alone. None where no half's does. */
export const deviants = async (
  prober: Pick<Prober, 'at'>,
  group: ProbePoint,
  { value, asking }: Deviation,
): Promise<readonly ProbePoint[]> => {
  const sure = new Set<ProbePoint>()
  const standsOut = async (some: readonly ProbePoint[]): Promise<boolean> => {
    const probe = prober.at(groupOf(some))
    probe.pursue('sign')
    const { value: stands, members } = probe.point
    // A half of texts alone stands for its values in another way than all did beside a number.
    const text = group.value === '' ? value : value.replaceAll(group.value, () => stands)
    await probe.baseline()
    const reply = await probe.send(text, asking)
    const isOther = async (): Promise<boolean> =>
      !identical(reply, await probe.control(), noiseOf(await probe.baseline()))
    const differs = (await isOther()) && (!(await probe.doubt()) || (await isOther()))
    for (const one of differs && !members ? some : []) sure.add(one)
    return differs
  }
  const search = async (some: readonly ProbePoint[]): Promise<readonly ProbePoint[]> => {
    if (some.length === 1) return some
    const half = Math.ceil(some.length / 2)
    const [left, right] = [some.slice(0, half), some.slice(half)]
    const found = (await standsOut(left)) ? await search(left) : []
    return found.length === 0 || (await standsOut(right)) ? [...found, ...(await search(right))] : found
  }
  const found = await search(group.members ?? [])
  // The last was not asked itself where nothing before it stood out.
  const unsure = found.find((one) => !sure.has(one))
  return unsure && !(await standsOut([unsure])) ? found.filter((one) => one !== unsure) : found
}

/** What a module knows of members that change pages by themselves. */
export interface Interfering {
  /** On how many pages each does, as far as was asked. */
  readonly known: Map<string, number>
  /** One page at a time is asked, so that the next one knows of it. */
  readonly turns: Turns
}

export const createInterfering = (): Interfering => ({ known: new Map(), turns: createTurns(1) })

/**
 * Members that change the page even by a meaningless value, and so could hide the others: a session, a language. On the
 * first requests where they do they are asked alone; on the others they stay, and what else changes that page is asked without
 * them.
 */
export const interferingMembers = async (
  prober: Prober,
  { group, sign }: { readonly group: ProbePoint; readonly sign?: true },
  { turns, known }: Interfering,
): Promise<readonly ProbePoint[]> => {
  const members = group.members ?? []
  const moved = async (point: ProbePoint, values: readonly ProbePoint[]): Promise<boolean> => {
    const probe = prober.at(point)
    if (sign) probe.pursue('sign')
    const differs = async (): Promise<boolean> => {
      // First, so that of other answers what the page changes by itself is known.
      const baseline = await probe.baseline()
      const control = await probe.control()
      if (grows(probe.request, baseline)) return baseline.every(({ status }) => status !== control.status)
      return moves(control, baseline, valuesOf(values))
    }
    return (await differs()) && (!(await probe.doubt()) || (await differs()))
  }
  if (!(await moved(group, members))) return []
  return turns.alone(async () => {
    const asked = members.filter((one) => !isAround(one) || (known.get(slotOf(one)) ?? 0) < ALONE_ON)
    if (asked.length === 0) return []
    if (asked.length < members.length && !(await moved(groupOf(asked), asked))) return []
    const found: ProbePoint[] = []
    // What repeats its own address is moved by every name.
    const repeats = (): boolean => found.length > MOST_MOVED && found.every(isGuess)
    const search = async (some: readonly ProbePoint[]): Promise<void> => {
      const half = Math.ceil(some.length / 2)
      const parts = some.length <= FEW_ALONE ? some.map((one) => [one]) : [some.slice(0, half), some.slice(half)]
      for (const part of parts) {
        const [first] = part
        if (!first || repeats() || !(await moved(groupOf(part), part))) continue
        if (part.length === 1) found.push(first)
        else await search(part)
      }
    }
    await search(asked)
    if (repeats()) return []
    for (const one of found) known.set(slotOf(one), (known.get(slotOf(one)) ?? 0) + 1)
    return found
  })
}

const valuesOf = (members: readonly ProbePoint[]): readonly string[] => members.map(({ value }) => value)
