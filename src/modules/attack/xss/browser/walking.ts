/**
 * A walk over all that can be pressed on a page: what one press brings is pressed, too, and what made room for something else is brought
 * back. What leads to another view that is looked at by itself is a link, and the page is gone back to.
 */
import type { Page, Request } from 'playwright-core'
import { kindOf } from '../../../../page/shape.ts'
import { ENDS_SESSION } from '../../../../safety/deeds.ts'
import type { Press, Pressable } from './pressable.ts'
import { pause } from './timers.ts'
import { depthOf, leadBack, shownAt } from './views.ts'

/** Of the page itself, and of what stands on all views. */
const MOST_PRESSED = 16
const MOST_SHELL = 16
/** Presses that only bring something back, and loads for that. */
const REPEATS = 24
const LOADS = 2
const MOST_MISSES = 2
/** Rows that may be alike come first so often, and the others when all else is done. */
const ROWS_FIRST = 2
/** Kinds of requests that say what was done. */
const ASKED: readonly string[] = ['xhr', 'fetch', 'document', 'eventsource', 'ping']

/** What was not pressed on a page. */
export interface Unpressed {
  /** Beyond the most of one page, or not to be brought back any more. */
  readonly left: number
  /** Forbidden by the policy, the end of the session apart. */
  readonly held: number
}

/** What stands on all views of an application: pressed on some of them for all. */
export interface ShellWalk {
  /** Which of those it is; null for what is the view's own. `opener` is what brought it, where that is one of them. */
  readonly idOf: (one: Pressable, opener: string | null) => string | null
  readonly isDue: (id: string) => boolean
  readonly begin: (id: string) => void
  /** It could not be pressed where it was begun. */
  readonly missed: (id: string) => void
  readonly done: (id: string, did: Done) => void
  /** It was not its turn before the walk was over. */
  readonly left: (id: string) => void
  /** Resolves when one of the others that press it now has done so, which may make it due; null where nobody does, or it is due. */
  readonly under: (id: string) => Promise<void> | null
}

/** What a press did. */
export interface Done {
  /** The same for two that did the same. */
  readonly effect: string
  /** It led to another view that is looked at by itself. */
  readonly led: boolean
}

/** Elements of one template, one for each of its rows. */
export interface Rows {
  readonly isSpared: (row: string, turn: number) => boolean
  readonly done: (row: string, effect: string) => void
}

export interface Walk {
  /** Hears of each press in time. `way`: what is pressed before, so that it is there. */
  readonly before: (press: Press, way: readonly Press[]) => void
  /** It led to another view, and the page was gone back to. */
  readonly undone?: (press: Press) => void
  readonly mayContinue?: () => boolean
  /** Whether an address is one of the pages that are looked at by themselves. */
  readonly isPage?: (address: string) => boolean
  /** Opens the page once more as it was at first. */
  readonly again?: () => Promise<void>
  /** What the page has shown of what it does, one word each. */
  readonly heard?: () => readonly string[]
  readonly shell?: ShellWalk
  readonly rows?: Rows
  /** Address that something on the page asks for: what asks for others of its kind comes first, and with it the walk is over. */
  readonly seeks?: string
}

/** The hand that walks. */
export interface Walker {
  readonly list: () => Promise<readonly Pressable[]>
  /** Why something must not be pressed; null where nothing says so. */
  readonly reasonAgainst: (one: Pressable) => string | null
  readonly pressOf: (one: Pressable) => Press
  /** False where it was not there, or lay under something else. */
  readonly press: (press: Press) => Promise<boolean>
  readonly settle: () => Promise<unknown>
}

interface Thing {
  readonly one: Pressable
  readonly press: Press
  /** What brought it, and what brought that. */
  readonly way: readonly Thing[]
  readonly shell: string | null
  readonly row: string
  /** Which one of its rows. */
  readonly turn: number
  /** Why it must not be pressed; null where nothing says so. */
  reason: string | null
  /** How often it was there and could not be reached, and how many presses there had been at the last time. */
  misses: number
  missedAt: number
  state: 'due' | 'done' | 'gone'
}

interface State {
  readonly page: Page
  readonly walk: Walk
  readonly walker: Walker
  readonly things: Map<string, Thing>
  present: ReadonlySet<Thing>
  home: string
  depth: number
  loads: number
  repeats: number
  own: number
  shell: number
  isOver: boolean
  /** Rows that have asked for an address of the kind that is sought. */
  readonly leading: Set<string>
}

export const walkAll = async (page: Page, walk: Walk, walker: Walker): Promise<Unpressed> => {
  const state: State = {
    ...{ page, walk, walker, things: new Map(), present: new Set<Thing>(), home: page.url() },
    ...{
      depth: await depthOf(page),
      loads: 0,
      repeats: 0,
      own: 0,
      shell: 0,
      isOver: false,
      leading: new Set<string>(),
    },
  }
  await look(state, null)
  while (!state.isOver && !page.isClosed() && (walk.mayContinue?.() ?? true)) {
    const due = [...state.things.values()].filter((thing) => isTurnOf(thing, state))
    const isThere = (thing: Thing): boolean => state.present.has(thing) && thing.missedAt < state.own + state.shell
    const next = due.filter(isThere).toSorted(byWorth(state))[0] ?? due[0]
    if (next === undefined && (await othersEnd(state))) continue
    if (next === undefined) break
    if (isThere(next) || (await bringBack(next, state))) await pressOne(next, state)
    else if (next.state === 'due') next.state = 'gone'
  }
  return unpressedOf(state)
}

/** Milliseconds for one press of another view: a page that was closed meanwhile never tells. */
const OTHERS = 5_000

/** Whether others were pressing what may have its turn here once it is known what it does there, and one of them is done. */
const othersEnd = async ({ things, walk, shell: frame }: State): Promise<boolean> => {
  if (frame >= MOST_SHELL) return false
  const ends = [...things.values()].flatMap(({ state, reason, shell }) =>
    state === 'due' && reason === null && shell !== null ? (walk.shell?.under(shell) ?? []) : [],
  )
  return ends.length > 0 && Promise.race([...ends.map((end) => end.then(() => true)), pause(OTHERS).then(() => false)])
}

const isTurnOf = ({ state, reason, shell, row, turn }: Thing, { walk, own, shell: frame, leading }: State): boolean => {
  if (state !== 'due' || reason !== null || walk.rows?.isSpared(row, turn) === true) return false
  return shell === null
    ? own < MOST_PRESSED || leading.has(row)
    : frame < MOST_SHELL && walk.shell?.isDue(shell) === true
}

/** What was brought closes soon; then what is the view's own, each kind of row a few times before the many of one. */
const byWorth = (state: State) => {
  const sought = seekingIn(state)
  return (a: Thing, b: Thing): number =>
    sought(a) - sought(b) ||
    Math.sign(b.way.length) - Math.sign(a.way.length) ||
    Number(a.shell !== null) - Number(b.shell !== null) ||
    Number(a.turn >= ROWS_FIRST) - Number(b.turn >= ROWS_FIRST)
}

/** What one record is asked for by stands in a list of such. Once a row is known to do it, each of its kind has its turn; before that one of each. */
const seekingIn = ({ walk, things, leading }: State): ((thing: Thing) => number) => {
  if (walk.seeks === undefined) return () => 0
  const counts = new Map<string, number>()
  for (const { row } of things.values()) counts.set(row, (counts.get(row) ?? 0) + 1)
  const isRow = ({ row, turn, way }: Thing): boolean =>
    leading.size === 0 && turn < ROWS_FIRST && way.length === 0 && (counts.get(row) ?? 0) > ROWS_FIRST
  return (thing) => (leading.has(thing.row) ? 0 : isRow(thing) ? 1 : 2)
}

/** What is there now; what was not there before is due, brought by `opener`. */
const look = async (state: State, opener: Thing | null): Promise<void> => {
  const present: Thing[] = []
  for (const one of await state.walker.list()) {
    // By its words as well: another tab has another button at the same place.
    const id = `${one.key} ${plainLabel(one.label)}`
    const thing = state.things.get(id) ?? thingOf(one, opener, state)
    state.things.set(id, thing)
    present.push(thing)
  }
  state.present = new Set(present)
}

const thingOf = (one: Pressable, opener: Thing | null, { walk, walker, things }: State): Thing => {
  const row = `${one.key.replace(/:nth-of-type\(\d+\)/g, '')} ${one.names}`
  return {
    ...{ one, row, press: walker.pressOf(one) },
    way: opener === null ? [] : [...opener.way, opener],
    shell: walk.shell?.idOf(one, opener?.shell ?? null) ?? null,
    turn: [...things.values()].filter((other) => other.row === row).length,
    ...{ reason: walker.reasonAgainst(one), misses: 0, missedAt: -1, state: 'due' },
  }
}

/** Numbers count what was done, and words of ours are others at each visit. */
export const plainLabel = (label: string): string => label.replace(/qx[0-9a-f]{8}w\d+z/g, 'qx').replace(/\d+/g, '0')

/** A menu closes once something in it was chosen: what opened it is pressed again, on the page as it was at first if need be. */
const bringBack = async (thing: Thing, state: State): Promise<boolean> => {
  if ((await goAlong(thing, state)) === 'there') return true
  if (!(await openAgain(state))) return false
  if (state.present.has(thing)) return true
  const came = await goAlong(thing, state)
  // Where the whole way was gone and it is not there, the page has no such thing any more; else it is one that was not pressed.
  if (came === 'absent') thing.state = 'done'
  return came === 'there'
}

/** `cut`: the way could not be gone to its end. */
const goAlong = async ({ way, one }: Thing, state: State): Promise<'there' | 'absent' | 'cut'> => {
  if (way.length === 0) return 'absent'
  if (state.repeats + way.length > REPEATS) return 'cut'
  state.repeats += way.length
  for (const { one: opener, press } of way)
    if (state.walker.reasonAgainst(opener) !== null || !(await state.walker.press(press))) return 'cut'
  await backHome(state)
  await look(state, null)
  return [...state.present].some((thing) => thing.one === one) ? 'there' : 'absent'
}

const openAgain = async (state: State): Promise<boolean> => {
  const { walk, page } = state
  if (walk.again === undefined || state.loads >= LOADS) return false
  state.loads += 1
  await walk.again()
  state.home = page.url()
  state.depth = await depthOf(page)
  await look(state, null)
  return true
}

const pressOne = async (thing: Thing, state: State): Promise<void> => {
  const { page, walk, walker } = state
  // A page may have opened a socket since.
  thing.reason = walker.reasonAgainst(thing.one)
  if (thing.reason !== null) return
  thing.state = 'done'
  if (thing.shell === null) state.own += 1
  else {
    state.shell += 1
    walk.shell?.begin(thing.shell)
  }
  const [there, before] = [state.present, walk.heard?.().length ?? 0]
  const asked = new Set<string>()
  let isFound = false
  const note = (request: Request): void => {
    isFound ||= request.url() === walk.seeks
    // Parts that a view is built of come once, whoever asks first.
    if (ASKED.includes(request.resourceType()) && URL.canParse(request.url()))
      asked.add(`${request.method()} ${kindOf(request.url())}`)
  }
  walk.before(
    thing.press,
    thing.way.map(({ press }) => press),
  )
  page.on('request', note)
  const was = await walker.press(thing.press).finally(() => page.off('request', note))
  if (!was) return missed(thing, state)
  if (walk.seeks !== undefined && asked.has(`GET ${kindOf(walk.seeks)}`)) state.leading.add(thing.row)
  state.isOver ||= isFound
  const led = await backHome(state)
  if (led) walk.undone?.(thing.press)
  // What is there after a way back came with the view.
  await look(state, led ? null : thing)
  const heard = walk.heard?.().slice(before) ?? []
  const did = (shown: readonly Thing[]): string =>
    JSON.stringify(
      [asked, heard, shown.map(({ one }) => plainLabel(one.label))].map((all) => [...new Set(all)].toSorted()),
    )
  const shown = [...state.present]
  // Views differ in what they show beside it; a row may change what another has opened.
  if (thing.shell !== null) walk.shell?.done(thing.shell, { effect: did(shown.filter((one) => !there.has(one))), led })
  else walk.rows?.done(thing.row, did(shown))
}

/** What lies under something else is tried after the next press, which may close that, and once the page was opened anew. */
const missed = (thing: Thing, state: State): void => {
  const { walk } = state
  walk.undone?.(thing.press)
  if (thing.shell === null) state.own -= 1
  else {
    state.shell -= 1
    walk.shell?.missed(thing.shell)
  }
  thing.misses += 1
  thing.missedAt = state.own + state.shell
  thing.state = thing.misses > MOST_MISSES ? 'gone' : 'due'
}

/** Whether a view was shown that is looked at by itself: it is left again. Any other is walked on. */
const backHome = async (state: State): Promise<boolean> => {
  const { page, walk, walker } = state
  if (page.isClosed() || shownAt(page.url()) === shownAt(state.home)) return false
  if (walk.isPage?.(page.url()) !== true) {
    state.home = page.url()
    state.depth = await depthOf(page)
    return false
  }
  const isBack = (await leadBack(page, state.home, state.depth, walker.settle)) || (await openAgain(state))
  state.isOver ||= !isBack
  return true
}

const unpressedOf = ({ things, walk }: State): Unpressed => {
  const all = [...things.values()]
  const left = all.filter(
    ({ state, reason, row, turn }) => reason === null && state !== 'done' && walk.rows?.isSpared(row, turn) !== true,
  )
  for (const { shell } of left) if (shell !== null) walk.shell?.left(shell)
  const held = all.filter(({ reason }) => reason !== null && reason !== ENDS_SESSION)
  return { left: left.filter(({ shell }) => shell === null).length, held: held.length }
}
