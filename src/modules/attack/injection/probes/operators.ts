/** Objects in place of texts, as document databases read them: {"$in": [value]} and the like. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { formDecoded } from '../../../../page/percent.ts'
import { isSafe } from '../../../../safety/effect.ts'
import { formWith, jsonWith } from '../../insertion-points/body.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { isInDocument } from '../../insertion-points/packed.ts'
import { leavesOf } from '../../insertion-points/points.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { mayWiden, namesIn, secretsIn } from '../../insertion-points/sign-in.ts'
import { isToken } from '../../insertion-points/tokens.ts'
import type { Questioner } from '../questions.ts'
import type { Way } from './answers.ts'

type Operator = readonly [name: string, operand: string]

/**
 * Sets of operators, each asked by itself: document databases and what takes their questions know them all, some or two of
 * them. `equal`: any of them asks whether the value is this one; `other`: whether there is one that nobody has.
 */
const SETS: readonly {
  readonly of: string
  readonly equal: (of: string) => readonly Operator[]
  readonly other: (word: string) => readonly Operator[]
}[] = [
  { of: '', equal: (of) => [['$in', of]], other: (word) => [['$ne', word]] },
  {
    of: ', by patterns',
    equal: (of) => [
      ['$eq', of],
      ['$regex', `^${of.replace(/[^\w\s]/g, '\\$&')}$`],
    ],
    other: (word) => [
      ['$nin', word],
      ['$regex', '^(?!q)'],
    ],
  },
]

/**
 * Which names are those of operators: a document database ends in an error by any other, and nothing else that reads a value knows them. What
 * they ask finds nobody, so that it may stand behind what writes, too, and no record has to be known. `doubt`: what is no operator is answered
 * as a text is, or what is one is not.
 */
export const operatorNameWays = (
  probe: Probe,
  word: () => string,
  isLike: (one: Reply, other: Reply) => Promise<boolean>,
): readonly NamedWay[] => {
  const { members } = probe.point
  const { method, effect } = probe.request
  if (!holdsObjects(probe.point) || members || isSafe(method) || effect === 'writes') return []
  const send = sending(probe)
  const unknown = (): Operator => [`$${word()}`, word()]
  const asUnknown = memo(() => send(unknown()))
  return SETS.map(({ of, equal }) => {
    const known = (): Operator => equal(word())[0] ?? ['$in', word()]
    return {
      kind: 'nosql',
      flavour: `names of operators${of}`,
      mode: 'widens',
      first: asUnknown,
      doubt: async () => {
        const texts = [await probe.control(), (await probe.baseline())[0]]
        const isText = async (reply: Reply): Promise<boolean> =>
          (await Promise.all(texts.map((text) => isLike(reply, text)))).includes(true)
        return (await isText(await asUnknown())) || !(await isText(await send(known())))
      },
      nothing: () => send(known()),
      ask: async (truth) => {
        const operator = truth ? unknown() : known()
        return { question: operator.join(' '), reply: await send(operator) }
      },
      malformed: () => send(known()),
    }
  })
}

/** Names of members of a document of GraphQL begin with no sign (GraphQL, 2.1.9). */
const holdsObjects = ({ place, within }: Probe['point']): boolean =>
  ['query', 'form', 'json'].includes(place) && !(within && isInDocument(within))

export interface NamedWay extends Way {
  /** The answer to a name that no operator has, which a server without care may die of. */
  readonly first: () => Promise<Reply>
  readonly doubt: () => Promise<boolean>
}

const memo = <Value>(work: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | null = null
  return () => {
    made ??= work()
    return made
  }
}

export const operatorWays = (probe: Probe, mode: Questioner['mode'], word: () => string): readonly Way[] => {
  const { value, members } = probe.point
  if (!holdsObjects(probe.point)) return []
  if (mode === 'narrows' ? value === '' || members !== undefined : !mayWiden(probe.request)) return []
  if (mode === 'narrows') return waysOf(probe, mode, word, sending(probe))
  const opening = (which: (value: string) => boolean): readonly Way[] => {
    const places = (members ?? [probe.point]).filter((one) => members === undefined || which(one.value))
    const before = (request: HttpRequest): HttpRequest => open(probe.point, request, word(), which)
    return places.length === 0 ? [] : waysOf(probe, mode, word, sending(probe, before, places))
  }
  // A number that its page gives, of a locker or a table, is right already, and may be taken for a text alone.
  const beside = members?.map((one) => one.value) ?? besideOf(probe.point, probe.request).map(([, own]) => own)
  return [...opening(() => true), ...(beside.some(isNumber) ? opening((own) => !isNumber(own)) : [])]
}

const isNumber = (value: string): boolean => /^\d{1,9}$/.test(value)

const waysOf = (
  { point: { value } }: Probe,
  mode: Questioner['mode'],
  word: () => string,
  send: ReturnType<typeof sending>,
): readonly Way[] =>
  SETS.map(({ of, equal, other }) => ({
    kind: 'nosql',
    flavour: `${mode === 'narrows' ? 'operator object' : 'operator object, any other value'}${of}`,
    mode,
    // In turn, so that what tells one operator from the other and knows none of them is never right by chance.
    ask: async (truth, turn) => {
      const all = mode === 'narrows' ? equal(truth ? value : word()) : truth ? other(word()) : equal(word())
      const operator = all[turn % all.length] ?? ['$eq', value]
      return { question: operator.join(' '), reply: await send(operator) }
    },
    malformed: () => send(['$qz', value]),
    // True and false are objects of different shapes, with different operands: a page that writes them down tells them apart, and knows no operator.
    unknown: async () => {
      const meant = { true: mode === 'narrows' ? equal(value) : other(word()), false: equal(word()) }
      const asked = async (all: readonly Operator[]): Promise<readonly Reply[]> => {
        const replies: Reply[] = []
        for (const [name, operand] of all) replies.push(await send([LISTS.has(name) ? '$qzi' : '$qze', operand]))
        return replies
      }
      return { true: await asked(meant.true), false: await asked(meant.false) }
    },
    // A page may show a text in its field again, and no object: two of these are held against each other.
    ...(mode === 'widens' ? { nothing: () => send(equal(word())[0] ?? ['$eq', value]) } : {}),
  }))

/** `places`: those that are asked; of a group not always all. */
const sending =
  (
    probe: Probe,
    before = (request: HttpRequest): HttpRequest => request,
    places: readonly ProbePoint[] = probe.point.members ?? [probe.point],
  ) =>
  async ([name, operand]: Operator): Promise<Reply> => {
    const { value } = probe.point
    const reply = await probe.send(value, {
      change: (request) => withOperators(places, before(request), name, operand),
    })
    // What shows the place's own value shows a record, as the request as it is does.
    const shown = operand === value ? '' : operand
    const own = reply.echoes ?? (shown === '' ? [] : [shown])
    return { ...reply, value: shown, echoes: [...repeatedOf(name), ...own] }
  }

/** Where a name and a password are looked up together, the one shows nothing while the other stays wrong. `which`: by their values. */
const open = (point: ProbePoint, request: HttpRequest, word: string, which: (value: string) => boolean): HttpRequest =>
  besideOf(point, request)
    .filter(([, value]) => which(value))
    .slice(0, 2)
    .reduce((changed, [name]) => withOperator({ ...point, name }, changed, '$ne', word), request)

/** Names and values. */
const besideOf = (
  point: ProbePoint,
  { method = 'GET', body: sent }: { readonly method?: string; readonly body?: HttpRequest['body'] | null },
): readonly (readonly [name: string, value: string])[] => {
  const body = String(sent ?? '')
  const names = namesIn(body)
  // Of two that a sign-in looks up the second stands in the password's place, whatever it is called.
  const [secret = point.request.signsIn === true && names.length === 2 ? names[1] : undefined] = secretsIn(body)
  if (secret === undefined || isSafe(method) || point.members) return []
  return names
    .filter((name) => name !== point.name && (name === secret || point.name === secret))
    .map((name) => [name, ownValueIn(name, body)] as const)
    .filter(([name, value]) => isLookedUp(name, value))
}

/** Where a sign-in leads on, and a token, is no part of the question; a page that shows it again shows another one then. */
const isLookedUp = (name: string, value: string): boolean =>
  !isToken(name.replace(/^\//, ''), value) && !/^(?:\/|https?:|$)/i.test(value)

const ownValueIn = (name: string, body: string): string =>
  /^\s*\{/.test(body)
    ? String(leavesOf(body).find(([pointer]) => pointer === name)?.[1] ?? '')
    : (new URLSearchParams(body).get(name) ?? '')

const withOperators = (
  places: readonly ProbePoint[],
  request: HttpRequest,
  operator: string,
  operand: string,
): HttpRequest => places.reduce((changed, one) => withOperator(one, changed, operator, operand), request)

/** The last is no operator of anything. */
const LISTS: ReadonlySet<string> = new Set(['$in', '$nin', '$qzi'])

/** What a page may repeat of the name: in its own address, in where it leads on, where addresses are encoded once more, and in what it refuses. */
const repeatedOf = (operator: string): readonly string[] =>
  [`[${operator}][]`, `[${operator}][0]`, `[${operator}]`, operator].flatMap((text) => [encodeURIComponent(text), text])

const withOperator = (
  { name, place, request: { body: own } }: ProbePoint,
  request: HttpRequest,
  operator: string,
  operand: string,
): HttpRequest => {
  const renamed = `${name}[${operator}]${LISTS.has(operator) ? '[]' : ''}`
  const without = (text: string): string =>
    text
      .split('&')
      .filter((pair) => formDecoded(pair.split('=')[0] ?? '') !== name)
      .join('&')
  if (place === 'query') {
    const url = new URL(request.url)
    const rest = without(url.search.slice(1))
    return {
      ...request,
      url: withQuery(`${url.origin}${url.pathname}${rest === '' ? '' : `?${rest}`}`, renamed, operand),
    }
  }
  const body = String(request.body ?? '')
  if (place === 'form') return { ...request, body: formWith(without(body), renamed, operand) }
  const one = typedAs(own ?? '', name, operand)
  return { ...request, body: jsonWith(body, name, { [operator]: LISTS.has(operator) ? [one] : one }) ?? body }
}

/** A number is like no text, and likewise what is true or false: its own value goes as the body has it. */
const typedAs = (body: string, pointer: string, operand: string): string | number | boolean => {
  const whole = JSON.stringify(JSON.parse(body))
  const typed = [Number(operand), operand === 'true'].find((one) => jsonWith(body, pointer, one) === whole)
  return typed ?? operand
}
