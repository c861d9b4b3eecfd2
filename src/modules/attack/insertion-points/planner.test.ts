import { expect, test } from 'vitest'
import { SESSION_LOST } from '../../../contract/reach.ts'
import type { Place } from '../crawl/facts.ts'
import { LIMITED } from './facts.ts'
import { grouped, groupOf } from './groups.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import {
  AT_ONCE,
  after,
  begin,
  begunAround,
  type Outcome,
  type PlanState,
  pointsOf,
  sessionSeen,
  type Task,
  TIME,
  take,
  waits,
} from './planner.ts'

const request = (id: string): ProbeRequest => ({
  ...{ id, method: 'GET', url: `http://shop.test/${id}`, headers: [], body: null, effect: 'reads', seenOn: [] },
})
const place = (id: string, name = 'q', at: Place = 'query'): ProbePoint => ({
  ...{ request: request(id), place: at, name, value: '1' },
})
const PLACES = Array.from({ length: 20 }, (_, index) => place(`p${index}`))
const MEMBERS = ['a', 'b', 'c', 'd'].map((name) => place('form', name))
const TESTED: Outcome = { kind: 'ended', ended: { end: 'tested', reason: null }, requests: 8 }
const BLOCKED: Outcome = { kind: 'ended', ended: { end: 'blocked', reason: 'answered 403' }, requests: 8 }

const nameOf = (task: Task | null): string =>
  task === null ? 'none' : task.kind === 'place' ? task.point.name : `${task.kind}: ${task.group.name}`

/** Takes what may be taken at once. */
const takeAll = (from: PlanState, refused = 0): { state: PlanState; tasks: readonly Task[] } => {
  const { state, task } = take(from, refused, false)
  if (!task) return { state, tasks: [] }
  const rest = takeAll(state, refused)
  return { state: rest.state, tasks: [task, ...rest.tasks] }
}

/** The plan of one group after its first tasks ended so. */
const group = (...outcomes: readonly Outcome[]) => {
  let step = take(begin([groupOf(MEMBERS)]), 0, false)
  let last: ReturnType<typeof after> = { state: step.state, settled: [] }
  for (const outcome of outcomes) {
    if (!step.task) throw new Error('nothing to answer')
    last = after(step.state, step.task, outcome)
    step = take(last.state, 0, false)
  }
  return { next: [step.task, ...takeAll(step.state).tasks].map(nameOf), settled: last.settled }
}

test.each([
  [0, AT_ONCE],
  [3, 1],
])('after %i refusals in a row %i places are asked at once', (refused, count) => {
  expect(takeAll(begin(PLACES), refused).tasks).toHaveLength(count)
})

test('after twelve refusals none is asked, and each says so', () => {
  const { task, settled } = take(begin(PLACES), 12, false)
  expect(task).toBeNull()
  expect(settled).toMatchObject([{ ended: { end: 'blocked', reason: expect.stringContaining('12 places') } }])
})

test('no place is begun when the time is over, but what a group left open goes on', () => {
  expect(take(begin(PLACES), 0, true)).toMatchObject({ task: null, state: { stopped: TIME } })
  const { state, task } = take(begin([groupOf(MEMBERS), ...PLACES]), 0, false)
  if (!task) throw new Error('a group is a task')
  const split = after(state, task, { kind: 'moved', members: [] }).state
  expect(nameOf(take(split, 0, true).task)).toContain('group')
})

const MOVED = (members: readonly ProbePoint[]): Outcome => ({ kind: 'moved', members })
const [A, B] = MEMBERS
const ALL = 'query a, query b, query c, query d'

test.each<[string, readonly Outcome[], readonly string[]]>([
  ['nobody moves the page: as one', [MOVED([])], [`group: ${ALL}`]],
  ['who moves it is asked alone', [MOVED(A && B ? [A, B] : [])], ['a', 'b', 'interfering: query c, query d']],
  [
    'an answer stands out: in halves',
    [MOVED([]), { kind: 'deviated' }],
    ['interfering: query a, query b', 'interfering: query c, query d'],
  ],
  [
    'a value that none can hold: in halves',
    [MOVED([]), { ...TESTED, ended: { end: 'failed', reason: 'x' } }],
    ['interfering: query a, query b', 'interfering: query c, query d'],
  ],
  [
    'our fault in asking who moves it: each alone',
    [{ ...TESTED, ended: { end: 'fault', reason: 'x', fault: 'F-1' } }],
    ['a', 'b', 'c', 'd'],
  ],
  [
    'silence when asked who moves it: as one',
    [{ ...TESTED, ended: { end: 'unreachable', reason: 'x' } }],
    [`group: ${ALL}`],
  ],
  ['nothing stands out: done', [MOVED([]), TESTED], ['none']],
  ['refused: done', [BLOCKED], ['none']],
])('a group: %s', (_name, outcomes, next) => {
  expect(group(...outcomes).next).toEqual(next)
})

test('of a form that may be sent any number of times what moves nothing comes behind all others', () => {
  const { state, task } = take(begin([groupOf(MEMBERS), ...PLACES.slice(0, 2)]), 0, false)
  if (!task) throw new Error('a group is a task')
  const next = (kind: ProbeRequest['bound']) => {
    const members = MEMBERS.map((one) => bound(one, kind))
    const asked = { ...task, group: groupOf(members) } as Task
    return takeAll(after(state, asked, MOVED(members.slice(0, 1))).state).tasks.map(nameOf)
  }
  const others = 'interfering: query b, query c, query d'
  expect(next(undefined)).toEqual(['a', 'q', 'q', others])
  expect(next(40)).toEqual(['a', others, 'q', 'q'])
})

const bound = (point: ProbePoint, most: ProbeRequest['bound']): ProbePoint =>
  most === undefined ? point : { ...point, request: { ...point.request, bound: most } }

test('a group settles its members, each with its part of the requests', () => {
  const { settled } = group(MOVED([]), TESTED)
  expect(settled.map(({ point, requests, ended }) => [point.name, requests, ended.end])).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => [name, 2, 'tested']),
  )
})

test('the last questions wait until every place was asked the others', () => {
  let { state, tasks } = takeAll(begin(PLACES.slice(0, 2)))
  for (const task of tasks) state = after(state, task, { ...TESTED, more: 'last' }).state
  const then = takeAll(state)
  expect(then.tasks.map((task) => [task.kind === 'place' && task.point.request.id, task.last])).toEqual([
    ['p0', true],
    ['p1', true],
  ])
  expect(take(state, 0, true)).toMatchObject({ task: null, state: { stopped: TIME } })
  const [first] = then.tasks
  if (!first) throw new Error('there are places')
  expect(after(then.state, first, { kind: 'spent', reason: 'no budget', requests: 3 }).settled).toEqual([])
})

test('the last questions about what a page sends have their turns with guesses', () => {
  const guesses = Array.from({ length: 8 }, (_, index) => ({ ...place(`g${index}`), guessed: true as const }))
  const own = PLACES.slice(0, 3)
  let state = begin([...own, ...guesses])
  const order: string[] = []
  for (let step = take(state, 0, false); step.task; step = take(state, 0, false)) {
    const { task } = step
    order.push(`${requestIdOf(task)}${task.last ? ' last' : ''}`)
    state = after(step.state, task, task.last ? TESTED : { ...TESTED, more: 'last' }).state
  }
  expect(order.slice(0, 8)).toEqual(['p0', 'p1', 'p2', 'p0 last', 'g0', 'p1 last', 'g1', 'p2 last'])
  expect(order.slice(14)).toEqual(guesses.map(({ request: { id } }) => `${id} last`))
})

test('fields that nothing moves are asked before guesses', () => {
  const { state, task } = take(begin([groupOf(MEMBERS), { ...place('guess'), guessed: true }]), 0, false)
  if (!task) throw new Error('there is a group')
  const moved = after(state, task, MOVED(MEMBERS.slice(0, 1))).state
  expect(takeAll(moved).tasks.map((one) => pointsOf(one).map(({ request: { id }, name }) => `${id} ${name}`))).toEqual([
    ['form a'],
    ['form b', 'form c', 'form d'],
    ['guess q'],
  ])
})

test('what is spent ends the plan: a place that was begun is cut, one that was not is left', () => {
  const { state, task } = take(begin(PLACES), 0, false)
  if (!task) throw new Error('there are places')
  const spent = (requests: number) => after(state, task, { kind: 'spent', reason: 'no budget', requests })
  expect(spent(3)).toMatchObject({ state: { stopped: 'no budget' }, settled: [{ ended: { end: 'cut' } }] })
  expect(spent(0).settled).toEqual([])
  expect(take(spent(0).state, 0, false).task).toBeNull()
})

test('places know how many proofs of the session stand before them', () => {
  const { state, task } = take(begin(PLACES), 0, false)
  if (!task) throw new Error('there are places')
  expect(after(sessionSeen(state, 'assumed'), task, TESTED).settled).toMatchObject([{ epoch: 0 }])
  expect(after(sessionSeen(state, 'proven'), task, TESTED).settled).toMatchObject([{ epoch: 1 }])
  expect(sessionSeen(state, 'lost').stopped).toBe(SESSION_LOST)
})

test('headers and cookies are asked in every way on four requests, by one text on the others', () => {
  const units = Array.from({ length: 6 }, (_, index) =>
    groupOf(['Referer', 'User-Agent'].map((name) => place(`p${index}`, name, 'header'))),
  )
  const { state, tasks } = takeAll(begin(units))
  const briefs = tasks.map((task) => after(state, task, MOVED([])).state.first[0])
  expect(briefs.map((task) => task?.kind === 'group' && task.brief)).toEqual([false, false, false, false, true, true])
})

test('what was asked by one text waits for the end, and is asked in every way then', () => {
  const units = Array.from({ length: 5 }, (_, index) =>
    groupOf([place(`p${index}`, 'Referer', 'header'), place(`p${index}`, 'User-Agent', 'header')]),
  )
  const { state, tasks } = takeAll(begin(units))
  const last = tasks.at(-1)
  const brief = last && after(state, last, MOVED([])).state.first[0]
  if (!brief) throw new Error('the fifth is asked by one text')
  const then = after({ ...state, running: 1 }, brief, { ...TESTED, more: 'around' })
  expect(then.settled).toHaveLength(2)
  expect(takeAll(then.state).tasks).toEqual([])
  const whole = take(begunAround(then.state), 0, false)
  expect(whole.task).toMatchObject({ kind: 'group', brief: false, group: brief.kind === 'group' && brief.group })
  expect(waits(whole.state)).toBe(false)
})

test('what a script sends with one request alone is asked in every way there', () => {
  const points = Array.from({ length: 6 }, (_, index) =>
    ['Referer', 'User-Agent', `X-Tenant-${index}`, 'X-Own'].map((name) => place(`p${index}`, name, 'header')),
  ).flat()
  const state = begin(grouped(points))
  const asked = state.units
    .filter((task) => pointsOf(task)[0]?.request.id === 'p5')
    .map((task) => {
      const then = task.kind === 'place' ? task : after(state, task, MOVED([])).state.first[0]
      return [pointsOf(task).map(({ name }) => name), then?.kind === 'group' && then.brief]
    })
  expect(asked).toEqual([
    [['Referer', 'User-Agent', 'X-Own'], true],
    [['X-Tenant-5'], false],
  ])
})

test('a form that refuses for a time: others are begun, what waits takes no place, and what is left is not asked', () => {
  const [closed, ...open] = PLACES
  if (!closed) throw new Error('there are places')
  const at = (when: 'later' | 'never', waiting: number) => ({
    ...{ when: ({ id }: ProbeRequest) => (id === closed.request.id ? when : 'now'), waiting },
  })
  const first = take(begin(PLACES), 0, false, at('later', 0))
  expect(first.task).toEqual({ kind: 'place', point: open[0] })
  const full = { ...first.state, running: AT_ONCE }
  expect(take(full, 0, false, at('later', 0)).task).toBeNull()
  expect(take(full, 0, false, at('later', 1)).task).toEqual({ kind: 'place', point: open[1] })
  const only = begin([closed])
  expect(take(only, 0, false, at('later', 0))).toMatchObject({ task: null, settled: [] })
  expect(waits(only)).toBe(true)
  const { settled, state } = take(only, 0, false, at('never', 0))
  expect(settled).toMatchObject([{ ended: { end: 'cut', reason: LIMITED } }])
  expect(waits(state)).toBe(false)
})

test('the last questions wait until no place has a rest', () => {
  let { state, tasks } = takeAll(begin(PLACES.slice(0, 3)))
  for (const [at, task] of tasks.entries())
    state = after(state, task, { ...TESTED, ...(at < 2 ? { more: 'rest' } : { more: 'last' }) }).state
  const then = takeAll(state)
  expect(then.tasks.map((task) => [task.kind === 'place' && task.point.request.id, task.rest, task.last])).toEqual([
    ['p0', true, undefined],
    ['p1', true, undefined],
    ['p2', undefined, true],
  ])
  const [first] = then.tasks
  if (!first) throw new Error('there are places')
  expect(after(then.state, first, { kind: 'spent', reason: 'no budget', requests: 3 }).settled).toEqual([])
  const later = takeAll(after(then.state, first, { ...TESTED, more: 'last' }).state)
  expect(later.tasks.map((task) => [task.rest, task.last])).toEqual([[undefined, true]])
})

test('what promises little is begun when nothing else is left', () => {
  const behind = (task: Task) => task.kind === 'place' && task.point.request.id !== 'p2'
  const allowed = { when: () => 'now' as const, waiting: 0, behind }
  let state = begin(PLACES.slice(0, 3))
  const order: string[] = []
  for (let step = take(state, 0, false, allowed); step.task; step = take(state, 0, false, allowed)) {
    state = step.state
    order.push(requestIdOf(step.task))
  }
  expect(order).toEqual(['p2', 'p0', 'p1'])
})

const requestIdOf = (task: Task): string => (task.kind === 'place' ? task.point.request.id : task.group.name)

test('the rest of what pages send comes before headers and guesses, and the rest of those behind all', () => {
  const guess = { ...place('p0', 'debug'), guessed: true as const }
  let state = begin([place('p0', 'agent', 'header'), place('p1'), guess, place('p2')])
  const order: string[] = []
  // The first is begun before anything has a rest.
  for (let step = take(state, 0, false); step.task; step = take(state, 0, false)) {
    const { task } = step
    order.push(`${nameOf(task)} ${requestIdOf(task)}${task.rest ? ' rest' : ''}`)
    state = after(step.state, task, { ...TESTED, ...(task.rest ? {} : { more: 'rest' }) }).state
  }
  expect(order).toEqual([
    ...['agent p0', 'q p1', 'q p1 rest', 'q p2', 'q p2 rest'],
    ...['debug p0', 'agent p0 rest', 'debug p0 rest'],
  ])
})

test('a request in four is for rests, so that where time ends most places were asked first parts, and the first of them everything', () => {
  const costs = { first: 4, rest: 10 }
  let state = begin(Array.from({ length: 40 }, (_, at) => place(`p${at}`)))
  const spent = { first: 0, rest: 0 }
  const rests: string[] = []
  for (let requests = 0; requests < 100; ) {
    const step = take(state, 0, false)
    if (!step.task) throw new Error('there is more')
    const part = step.task.rest ? 'rest' : 'first'
    requests += costs[part]
    spent[part] += costs[part]
    if (part === 'rest') rests.push(requestIdOf(step.task))
    const more = part === 'first' ? ({ more: 'rest' } as const) : {}
    state = after(step.state, step.task, { ...TESTED, requests: costs[part], ...more }).state
  }
  expect(Math.abs(spent.first - 3 * spent.rest)).toBeLessThanOrEqual(3 * costs.rest)
  expect(rests).toEqual(['p0', 'p1', 'p2'])
})

test('the rest of a field that may be sent a few times waits for the first part of the others of its form', () => {
  const bounded = { ...request('form'), method: 'POST', effect: 'writes' as const, bound: 40 }
  const fields = ['name', 'wish'].map((name) => ({ ...place('form', name, 'form'), request: bounded }))
  const FIRST: Outcome = { ...TESTED, more: 'rest' }
  const { state, task } = take(begin([...fields, ...PLACES]), 0, false)
  if (!task) throw new Error('a field is asked first')
  const next = take(after(state, task, FIRST).state, 0, false)
  expect([task, next.task].map(nameOf)).toEqual(['name', 'wish'])
  if (!next.task) throw new Error('the other field is asked')
  const later = take(after(next.state, next.task, FIRST).state, 0, false)
  expect(later.task).toMatchObject({ rest: true, point: { name: 'name' } })
})
