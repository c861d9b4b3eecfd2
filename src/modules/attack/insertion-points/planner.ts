/**
 * What is asked next, and what an outcome means for it. Pure: state and outcome in, state and next tasks out; no clock, no
 * request, no chance. `run.ts` carries the tasks out.
 */
import { SESSION_LOST } from '../../../contract/reach.ts'
import { LIMITED, type ProbedPoint } from './facts.ts'
import { briefOf, groupOf, halvesOf, isAround, isGuess, rareAround } from './groups.ts'
import { type ProbePoint, type ProbeRequest, slotOf } from './inventory.ts'
import { givesWay, levelOf } from './order.ts'

export type Task = (
  | /** One place, in every way there is. */
  { readonly kind: 'place'; readonly point: ProbePoint }
  /** Which members of a group change the page by any value. */
  | { readonly kind: 'interfering'; readonly group: ProbePoint }
  /** All members as one; `brief`: by one text instead of every way. */
  | { readonly kind: 'group'; readonly group: ProbePoint; readonly brief: boolean }
) & {
  /** An answer stood out where it was asked among others. */
  readonly sign?: true
  /** By all that its first part did not ask. */
  readonly rest?: true
  /** A value of nobody's does nothing to it. */
  readonly unmoved?: true
  /** By what is asked when every place was asked by all else. */
  readonly last?: true
  /** It was asked by one text before. */
  readonly around?: true
}

export type Ended = Pick<ProbedPoint<never>, 'end' | 'reason' | 'fault'>

/** Questions that come when all places were asked the others; 'usual': none, as it stands out as others of its kind do, in vain. */
export type More = 'rest' | 'last' | 'around' | 'usual'

export type Outcome =
  | /** `more`: which questions are still to come. */
  { readonly kind: 'ended'; readonly ended: Ended; readonly requests: number; readonly more?: More }
  /** Of 'interfering': those that do. */
  | { readonly kind: 'moved'; readonly members: readonly ProbePoint[] }
  /** Of 'group': something in it reads what it is sent; `members`: those that do, as far as they are known. */
  | { readonly kind: 'deviated'; readonly members?: readonly ProbePoint[] }
  /** Time or budget is over; nothing is known of the task's places but what was found before. */
  | { readonly kind: 'spent'; readonly reason: string; readonly requests: number }

export interface Settled {
  readonly point: ProbePoint
  readonly ended: Ended
  readonly requests: number
  /** Counts the proofs of the session before it: what was settled after the last proof is in doubt once it is lost. */
  readonly epoch: number
}

export interface PlanState {
  /** In the order of what they promise. */
  readonly units: readonly Task[]
  /** Requests on which headers and cookies are asked by one text alone. */
  readonly brief: ReadonlySet<string>
  /** Headers and cookies of so few requests that they are asked in every way on each. */
  readonly rare: ReadonlySet<string>
  /** Index of the next unit. */
  readonly next: number
  /** What outcomes have brought: before the next unit. */
  readonly first: readonly Task[]
  /** By form that may be sent a few times only: how many units of its fields are not begun. The rest of any waits for them. */
  readonly unbegun: ReadonlyMap<string, number>
  /** How many units that promise something are not begun. */
  readonly promising: number
  /** By turns with those; of what promises little after the last unit of all. Those of `last` have their turns with guesses. */
  readonly rest: readonly Task[]
  /** Requests of first parts, and of rests, of what promises something: neither waits for all of the other. Likewise of last questions and of guesses. */
  readonly spent: Readonly<Record<'first' | 'rest' | 'last' | 'guesses', number>>
  readonly restOfLittle: readonly Task[]
  /** Of what pages and scripts send. */
  readonly last: readonly Task[]
  readonly lastOfGuesses: readonly Task[]
  /** Asked by one text alone so far: in every way when nothing else of any is left, see `begunAround`. */
  readonly around: readonly Task[]
  readonly running: number
  /** Of forms that may be sent a few times only: what is being asked, and how far it stands behind what people fill. */
  readonly filling: readonly { readonly form: string; readonly level: number }[]
  readonly epoch: number
  /** Why nothing is begun any more. */
  readonly stopped: string | null
}

export interface Step {
  readonly state: PlanState
  readonly task: Task | null
  readonly settled: readonly Settled[]
  /** One is left that is never begun: the next may be. */
  readonly passed?: true
}

export const AT_ONCE = 6
/** So many requests of first parts to one of rests: a first part tells more with each. */
const FIRST_TO_REST = 3
/** After so many places in a row that are refused, one is asked at a time; after so many, none any more. */
const SLOW_AFTER = 3
/** So many that wait for forms are passed over. */
const MOST_WAITING = 24
const STOP_AFTER = 12

export const TIME = 'the time for it was over'
export const NOT_ASKED = `not asked: ${STOP_AFTER} places before were refused one after another`
export const LOST = { end: 'session-lost', reason: SESSION_LOST } as const

/** `units`: places, or groups of them, in the order in which they are worth asking. */
export const begin = (units: readonly ProbePoint[]): PlanState => {
  const points = units.flatMap((unit) => unit.members ?? [unit])
  const tasks = units.map(taskOf)
  return {
    units: tasks,
    unbegun: new Map([...Map.groupBy(tasks.filter(isOfForm), formOf)].map(([form, some]) => [form, some.length])),
    promising: tasks.filter((task) => !promisesLittle(task)).length,
    brief: briefOf(points),
    rare: rareAround(points),
    next: 0,
    first: [],
    rest: [],
    spent: { first: 0, rest: 0, last: 0, guesses: 0 },
    restOfLittle: [],
    last: [],
    lastOfGuesses: [],
    around: [],
    running: 0,
    filling: [],
    epoch: 0,
    stopped: null,
  }
}

/** Headers and cookies that were asked by one text alone, in every way: behind all else that the module asks of places. */
export const begunAround = ({ around, epoch }: Pick<PlanState, 'around' | 'epoch'>): PlanState => ({
  ...begin([]),
  units: around,
  epoch,
})

const taskOf = (unit: ProbePoint): Task =>
  unit.members ? { kind: 'interfering', group: unit } : { kind: 'place', point: unit }

export const pointsOf = (task: Task): readonly ProbePoint[] =>
  task.kind === 'place' ? [task.point] : (task.group.members ?? [])

/** What forms that refuse for a time allow, see limits.ts. */
export interface Allowed {
  /** Whether a request is asked now, later, or not any more. */
  readonly when: (request: ProbeRequest) => 'now' | 'later' | 'never'
  /** Tasks that run and wait for such a form: they take nobody's place. */
  readonly waiting: number
  /** Whether it promises little and comes when nothing else is left to begin; by default none does. */
  readonly behind?: (task: Task) => boolean
}
const ALL: Allowed = { when: () => 'now', waiting: 0 }

/**
 * The next task to begin, none where nothing is left or others have to end first. `refused`: units that were refused in a row,
 * by all modules of the run; `over`: whether the time to begin units is over.
 */
export const take = (state: PlanState, refused: number, over: boolean, allowed: Allowed = ALL): Step => {
  const { when, waiting, behind = () => false } = allowed
  const nothing = { state, task: null, settled: [] }
  if (state.stopped !== null) return nothing
  if (state.running - Math.min(waiting, MOST_WAITING) >= (refused >= SLOW_AFTER ? 1 : AT_ONCE)) return nothing
  const mayBegin = (task: Task): boolean => when(requestOf(task)) !== 'later'
  const split = state.first.find(mayBegin)
  const next = (may: (task: Task) => boolean) => nextUnit(state, may)
  const due = state.rest.find((one) => mayBegin(one) && !isEarly(state, one))
  const isNear = (one: Task): boolean => mayBegin(one) && !behind(one) && !promisesLittle(one)
  const { first, rest } = state.spent
  const near = (): Task | undefined => (state.promising > 0 && (due || first > 0) ? next(isNear) : undefined)
  const before = due && FIRST_TO_REST * rest < first ? due : (near() ?? due)
  const isOnlyLittle = (): boolean => state.promising === 0 || next(isNear) === undefined
  const turn = before === undefined && isLastsTurn(state) && isOnlyLittle() ? state.last.find(mayBegin) : undefined
  const unit = before ?? turn ?? next((one) => mayBegin(one) && !behind(one)) ?? next(mayBegin)
  const task = split ?? unit ?? (isBehind(state, mayBegin) ? laterOf(state, mayBegin) : undefined)
  if (!task) return nothing
  if (!split && over) return { ...nothing, state: stop(state, TIME) }
  const taken = without(state, task)
  if (when(requestOf(task)) === 'never')
    return { state: taken, task: null, settled: neverAsked(taken, task), passed: true }
  if (refused >= STOP_AFTER)
    return { state: taken, task: null, settled: settle(taken, task, { end: 'blocked', reason: NOT_ASKED }, 0) }
  const asked = { form: formOf(task), level: levelOfTask(task) }
  const filling = isBounded(task) ? [...state.filling, asked] : state.filling
  return { state: { ...taken, running: state.running + 1, filling }, task, settled: [] }
}

/** Guesses, and what is the same around most requests: they come behind the rest of what pages and scripts send. */
const promisesLittle = (task: Task): boolean => task.unmoved === true || isGuessed(task)

const isGuessed = (task: Task): boolean => pointsOf(task).every(givesWay)

/** What a page sends may wait and show nothing: that is asked by turns with what nobody sends. */
const isLastsTurn = ({ last, spent }: PlanState): boolean => last.length > 0 && spent.last <= spent.guesses

const laterOf = (state: PlanState, mayBegin: (task: Task) => boolean): Task | undefined =>
  [state.rest, state.restOfLittle, state.last, state.lastOfGuesses].flat().find(mayBegin)

/** Something is left that nothing but a form that refuses for a time keeps from being begun. */
export const waits = ({ stopped, first, units, next, rest, restOfLittle, last, lastOfGuesses }: PlanState): boolean =>
  stopped === null &&
  (units.length > next || [first, rest, restOfLittle, last, lastOfGuesses].some((some) => some.length > 0))

/** What has more to be asked was asked the first questions. */
const neverAsked = (state: PlanState, task: Task): readonly Settled[] =>
  task.rest || task.last ? [] : settle(state, task, { end: 'cut', reason: LIMITED }, 0)

/** Others of its form have not been asked their first part. */
const isEarly = ({ unbegun }: PlanState, task: Task): boolean =>
  unbegun.size > 0 && isBounded(task) && (unbegun.get(formOf(task)) ?? 0) > 0

/** All but what waits for its form was begun. */
const isBehind = ({ units, next }: PlanState, mayBegin: (task: Task) => boolean): boolean =>
  !units.slice(next).some(mayBegin)

/** What is behind others of its form waits until they are done; what is not goes on before it. */
const nextUnit = ({ units, next, filling }: PlanState, mayBegin: (task: Task) => boolean): Task | undefined => {
  for (let at = next; at < units.length; at += 1) {
    const unit = units[at]
    if (
      unit &&
      mayBegin(unit) &&
      !filling.some(({ form, level }) => form === formOf(unit) && level < levelOfTask(unit))
    )
      return unit
  }
  return undefined
}

export const requestOf = (task: Task): ProbeRequest => (task.kind === 'place' ? task.point : task.group).request

const formOf = (task: Task): string => requestOf(task).form ?? requestOf(task).id
const levelOfTask = (task: Task): number => Math.min(...pointsOf(task).map(levelOf))
const isBounded = (task: Task): boolean => requestOf(task).bound !== undefined
/** A field of it, or several. */
const isOfForm = (task: Task): boolean => isBounded(task) && !promisesLittle(task)

/** A task has ended, whatever it brought. */
const released = (state: PlanState, task: Task): PlanState => {
  const at = state.filling.findIndex(({ form, level }) => form === formOf(task) && level === levelOfTask(task))
  return { ...state, running: state.running - 1, filling: state.filling.filter((_one, index) => index !== at) }
}

const without = (state: PlanState, task: Task): PlanState => {
  if (state.first.includes(task)) return { ...state, first: state.first.filter((one) => one !== task) }
  if (task.rest) {
    const [rest, restOfLittle] = [state.rest, state.restOfLittle].map((some) => some.filter((one) => one !== task))
    return { ...state, rest: rest ?? [], restOfLittle: restOfLittle ?? [] }
  }
  if (task.last) {
    const [last, lastOfGuesses] = [state.last, state.lastOfGuesses].map((some) => some.filter((one) => one !== task))
    return { ...state, last: last ?? [], lastOfGuesses: lastOfGuesses ?? [] }
  }
  const { units, next } = state
  const counted = {
    promising: state.promising - (promisesLittle(task) ? 0 : 1),
    unbegun: isOfForm(task) ? oneLess(state.unbegun, formOf(task)) : state.unbegun,
  }
  if (task === units[next]) return { ...state, ...counted, next: next + 1 }
  // Those that wait move back by one.
  const rest = units.slice(next).filter((unit) => unit !== task)
  return { ...state, ...counted, units: [...units.slice(0, next), task, ...rest], next: next + 1 }
}

const oneLess = (counts: ReadonlyMap<string, number>, key: string): ReadonlyMap<string, number> =>
  new Map(counts).set(key, (counts.get(key) ?? 1) - 1)

/**
 * The session was asked for before a task: what is settled from now on stands behind a proof, or nothing goes on. Where another session
 * has replaced it, `doubtful` is asked again: places that were settled since the last proof of the one before.
 */
export const sessionSeen = (
  state: PlanState,
  seen: 'proven' | 'assumed' | 'renewed' | 'lost' | 'unknown',
  doubtful: readonly ProbePoint[] = [],
): PlanState => {
  if (seen === 'lost') return stop(state, LOST.reason)
  if (seen === 'renewed') return withFirst({ ...state, epoch: state.epoch + 1 }, doubtful.map(taskOf))
  return seen === 'proven' ? { ...state, epoch: state.epoch + 1 } : state
}

/** Another session replaced the one under which it was begun: nothing that it brought counts. */
export const begunAnew = (state: PlanState, task: Task): PlanState => withFirst(released(state, task), [task])

/** What an outcome settles, and what has to be asked before anything else because of it. */
export const after = (before: PlanState, task: Task, outcome: Outcome): Omit<Step, 'task'> => {
  const state = released(before, task)
  switch (outcome.kind) {
    case 'spent': {
      const begun = task.kind === 'place' && !task.rest && !task.last && outcome.requests > 0
      const cut: Ended = { end: 'cut', reason: outcome.reason }
      return { state: stop(state, outcome.reason), settled: begun ? settle(state, task, cut, outcome.requests) : [] }
    }
    case 'moved':
      return { state: withMoved(state, task, outcome.members), settled: [] }
    case 'deviated':
      return { state: withFirst(state, parted(task, outcome.members ?? [])), settled: [] }
    case 'ended':
      return ended(withMore(counted(state, task, outcome), task, outcome), task, outcome.ended, outcome.requests)
  }
}

const counted = (state: PlanState, task: Task, { more, requests }: Outcome & { readonly kind: 'ended' }): PlanState => {
  const part = partOf(task, more)
  return part === null ? state : { ...state, spent: { ...state.spent, [part]: state.spent[part] + requests } }
}

/** Of what promises something that which was asked in parts alone: what has no first part says nothing of turns. */
const partOf = (task: Task, more: More | undefined): keyof PlanState['spent'] | null => {
  if (isGuessed(task)) return 'guesses'
  if (task.last) return 'last'
  if (promisesLittle(task)) return null
  return task.rest ? 'rest' : more === 'rest' ? 'first' : null
}

const withMore = (
  state: PlanState,
  { rest: _rest, ...task }: Task,
  { more, ended: { end } }: Outcome & { readonly kind: 'ended' },
): PlanState => {
  if (more === undefined || more === 'usual' || end !== 'tested') return state
  if (more === 'around' && task.kind === 'group') {
    return { ...state, around: [...state.around, { ...task, brief: false, around: true }] }
  }
  if (more === 'rest') {
    const key = promisesLittle(task) ? 'restOfLittle' : 'rest'
    return { ...state, [key]: [...state[key], { ...task, rest: true }] }
  }
  const key = isGuessed(task) ? 'lastOfGuesses' : 'last'
  return { ...state, [key]: [...state[key], { ...task, last: true }] }
}

const ended = (state: PlanState, task: Task, how: Ended, requests: number): Omit<Step, 'task'> => {
  if (task.kind === 'interfering' && how.end !== 'blocked') {
    // Without an answer to who moves the page, all are asked as one; where that is our fault, each alone.
    const members = how.end === 'fault' ? pointsOf(task) : []
    return { state: withFirst(state, oneByOne(state, task, members)), settled: [] }
  }
  if (task.kind === 'group' && (how.end === 'failed' || how.end === 'fault'))
    return { state: withFirst(state, halvesOf(pointsOf(task)).map(unitOf)), settled: [] }
  return { state, settled: settle(state, task, how, requests) }
}

/** Members that move the page alone, the others as one. */
const oneByOne = (state: PlanState, task: Task, alone: readonly ProbePoint[]): readonly Task[] => {
  if (task.kind === 'place') return []
  const { group, sign } = task
  const marked = sign ? { sign } : {}
  if (alone.length === 0) return [{ kind: 'group', group, brief: isBrief(state, task), ...marked }]
  const rest = pointsOf(task).filter((member) => !alone.includes(member))
  return [...alone.map(taskOf), ...(rest.length > 0 ? [unitOf(rest)] : [])].map((one) => ({ ...one, ...marked }))
}

/** Those whose answer stood out alone, the others as one; where nobody knows whose it was, in halves. */
const parted = (task: Task, alone: readonly ProbePoint[]): readonly Task[] => {
  const rest = pointsOf(task).filter((member) => !alone.includes(member))
  if (alone.length > 0 && rest.length > 0)
    return [...alone.map((point): Task => ({ kind: 'place', point, sign: true })), unitOf(rest)]
  return halvesOf(pointsOf(task)).map((half): Task => ({ ...unitOf(half), sign: true }))
}

/** What a value of nobody's does nothing to promises little: of a form that may be sent any number of times it comes behind all others, before guesses. */
const withMoved = (state: PlanState, task: Task, members: readonly ProbePoint[]): PlanState => {
  const tasks = oneByOne(state, task, members)
  if (members.length === 0 || requestOf(task).bound !== undefined || pointsOf(task).some(isAround))
    return withFirst(state, tasks)
  const alone = tasks.slice(0, members.length)
  const others = tasks.slice(members.length).map((one): Task => ({ ...one, unmoved: true }))
  const guess = state.units.findIndex((unit, at) => at >= state.next && isGuessed(unit))
  const at = guess === -1 ? state.units.length : guess
  return { ...withFirst(state, alone), units: state.units.toSpliced(at, 0, ...others) }
}

const isBrief = ({ brief, rare }: PlanState, task: Task): boolean => {
  const members = pointsOf(task)
  const isEverywhere = (one: ProbePoint): boolean =>
    isAround(one) && !one.own && one.name !== 'Authorization' && !rare.has(slotOf(one))
  return members.some(isGuess) || members.some((one) => isEverywhere(one) && brief.has(one.request.id))
}

const unitOf = (members: readonly ProbePoint[]): Task => taskOf(groupOf(members))

const withFirst = (state: PlanState, tasks: readonly Task[]): PlanState => ({
  ...state,
  first: [...tasks, ...state.first],
})

/** The first reason holds. */
const stop = (state: PlanState, reason: string): PlanState => ({ ...state, stopped: state.stopped ?? reason })

const settle = (state: PlanState, task: Task, how: Ended, requests: number): readonly Settled[] => {
  const points = pointsOf(task)
  const each = Math.ceil(requests / points.length)
  return points.map((point) => ({ point, ended: how, requests: each, epoch: state.epoch }))
}
