/**
 * What can be done on a page is done. A deed that leads to another view of the application is a link: that view is a page of its own, and
 * this one is gone back to. What a menu showed is there again once what opened it is done again.
 */
import type { Frame, Page } from 'playwright-core'
import { hashRouteOf, kindOf } from '../../../../page/shape.ts'
import { ASKS_FIRST } from '../../../../safety/form-effect.ts'
import { actOn, CANDIDATES_LIST } from './page-script.ts'
import type { Shared } from './parts.ts'
import type { Gate } from './requests.ts'
import { ACTING, changesOf, framesOf, load, mayDo, readDom, settle, stateOf } from './showing.ts'

/** Deeds on one page, in a row that showed nothing, loads to do what was not there any more, and deeds to show it again. */
const DEEDS = 60
const IN_VAIN = 15
const LOADS = 3
const REPEATS = 60
/** Of what numbers alone tell apart, rows of a list or a counter that goes up, so many on one page. */
const ALIKE = 4

export interface Acting {
  readonly page: Page
  /** As it was opened. */
  readonly url: string
  readonly gate: Gate
  readonly parts: Shared
  /** Whether what was done on another page is done here, too. */
  readonly again: boolean
  /** By performance.now(): when others have their turn before it goes on here. */
  readonly turn: number
  readonly done: Done
  /** What was begun on this page itself, by key. */
  readonly own: Set<string>
}

/** What became of what there is to do on one page. */
export interface Done {
  deeds: number
  /** Left for later, by key: another page has done it or is doing it, or others had their turn. */
  readonly left: Set<string>
  /** Never done: the limits of one page were reached before. */
  short: number
  /** Never done, as others stand for them that numbers alone tell apart. */
  alike: number
}

interface Candidate {
  readonly key: string
  readonly label: string
  /** Its id, classes and name. */
  readonly names: string
  readonly asks: boolean
  readonly events: readonly string[]
  /** It was there when the page was read before. */
  readonly stood: boolean
  /** It names a language. */
  readonly speaks: boolean
  /** It stands at the head or foot of all views. */
  readonly around: boolean
}

interface Due {
  readonly candidate: Candidate
  readonly frame: Frame
  /** What has to be done before it is there, by key. */
  readonly via: readonly string[]
}

/** What a deed has shown is done next, so that a menu in a menu is open when it is its turn. */
export const actAll = async (acting: Acting): Promise<void> => {
  const { page, url, parts, done } = acting
  const kind = kindOf(url)
  const ways = new Map<string, readonly string[]>()
  const walk = { home: page.url(), typed: false, repeats: 0 }
  const alike = new Map<string, number>()
  let [loads, gone, vain] = [1, false, 0]
  const stack = [...(await candidatesOf(acting, kind, ways, [])).due]
  const isOver = (): boolean =>
    done.deeds >= DEEDS || vain >= IN_VAIN || performance.now() > parts.until() || parts.signal.aborted
  for (;;) {
    const next = stack.shift()
    if (next === undefined) {
      if (!gone || loads >= LOADS || vain >= IN_VAIN) return
      // What was there at first made place for something else.
      loads += 1
      gone = false
      await goHome(acting, walk)
      stack.push(...(await candidatesOf(acting, kind, ways, [])).due)
      continue
    }
    if (performance.now() > acting.turn && !isOver()) {
      for (const due of [next, ...stack]) if (isStillDue(acting, due, kind)) done.left.add(due.candidate.key)
      return
    }
    if (isOver()) {
      done.short += [next, ...stack].filter((due) => isStillDue(acting, due, kind)).length
      return
    }
    const { candidate, via } = next
    if (!isTurnOf(acting, candidate.key, kind)) continue
    const isFirst = parts.pressed.isNew(candidate.key)
    parts.pressed.begin(candidate.key)
    acting.own.add(candidate.key)
    const [isForbidden, isMerged] = [!isAllowed(acting, candidate), isOneOfMany(alike, candidate.key)]
    if (isForbidden || isMerged) {
      if (!isForbidden) done.alike += 1
      parts.pressed.done(candidate.key, kind, false)
      continue
    }
    const outcome = await actOrRepeat(acting, next, walk)
    if (outcome === 'gone') {
      gone = true
      continue
    }
    done.deeds += 1
    const typed = TYPED.test(candidate.key)
    walk.typed ||= typed && !candidate.around
    if (outcome === 'nothing') {
      parts.pressed.done(candidate.key, kind, false)
      // What is typed in lets other things be pressed, and another part of a page may be built like the one before: both look the same.
      const fresh = (await candidatesOf(acting, kind, ways, via, true)).due
      stack.unshift(...fresh)
      if (isFirst && !typed && fresh.length === 0) vain += 1
      // Where it stood before, the others are.
      if (!walk.typed && hasLeft(page, walk.home)) await goBack(acting, walk)
      continue
    }
    vain = 0
    if (!walk.typed && hasLeft(page, walk.home)) {
      parts.link(page.url(), url, candidate.label)
      parts.pressed.done(candidate.key, kind, true)
      parts.pressed.led(candidate.key)
      await goBack(acting, walk)
      continue
    }
    const shown = await candidatesOf(acting, kind, ways, [...via, candidate.key])
    parts.pressed.done(candidate.key, kind, outcome === 'news' || shown.isNew)
    const queued = new Set(stack.map(({ candidate: { key } }) => key))
    stack.unshift(...shown.due.filter(({ candidate: { key } }) => !queued.has(key)))
  }
}

const isStillDue = (acting: Acting, { candidate }: Due, kind: string): boolean =>
  acting.parts.pressed.isDue(candidate.key, kind) &&
  !acting.done.left.has(candidate.key) &&
  isAllowed(acting, candidate)

const isOneOfMany = (alike: Map<string, number>, key: string): boolean => {
  const shape = key.replace(/\d+/g, '0')
  const count = (alike.get(shape) ?? 0) + 1
  alike.set(shape, count)
  return count > ALIKE && shape !== key
}

/** What was typed in may be what the next view is about: there it goes on. */
const TYPED = /^(?:FORM|INPUT|TEXTAREA|SELECT)\b/

interface Walk {
  /** Where the page stood once it had loaded: many lead on to a view at once. */
  home: string
  typed: boolean
  repeats: number
}

/** Whether another view is shown: another path, or another route behind the #. */
const hasLeft = (page: Page, home: string): boolean => viewOf(page.url()) !== viewOf(home)
const viewOf = (address: string): string =>
  `${URL.parse(address)?.pathname ?? address}#${(hashRouteOf(address) ?? '').split('?')[0]}`

const goBack = async (acting: Acting, walk: Walk): Promise<void> => {
  const { page, gate } = acting
  const changes = await changesOf(page)
  // A view that was put in the place of the one before is not gone back from.
  await page.evaluate('history.back()').catch(() => undefined) // The page may be going away.
  await settle(page, gate, ACTING, changes)
  if (hasLeft(page, walk.home)) await goHome(acting, walk)
}

const goHome = async ({ page, url, gate, parts }: Acting, walk: Walk): Promise<void> => {
  await load(page, url, gate, parts)
  walk.home = page.url()
  walk.typed = false
}

const isAllowed = ({ url, parts }: Acting, { label, names, asks }: Candidate): boolean =>
  mayDo(parts, { url, labels: [label], names, told: asks ? ASKS_FIRST : null })

/**
 * What another page is just doing waits until all pages were opened, and so does what several have done: what a few of them have done in vain none needs
 * to be opened again for.
 */
const isTurnOf = ({ parts, again, own, done }: Acting, key: string, kind: string): boolean => {
  if (!parts.pressed.isDue(key, kind)) return false
  if (again || own.has(key) || parts.pressed.isNew(key) || parts.pressed.isUnsure(key)) return true
  done.left.add(key)
  return false
}

interface Shown {
  readonly due: readonly Due[]
  /** Whether the page shows something to do that no page had shown before. */
  readonly isNew: boolean
}

/**
 * Those that are due here, and what each is reached by: files are chosen first, which buttons send; then what was never done anywhere, what all views
 * have behind what this one is about, and what has just come before what stood there, as what chooses among parts of a page takes the others away.
 * Another language makes the page another one, so it comes last. `fresh`: those alone that were not known.
 */
const candidatesOf = async (
  acting: Acting,
  kind: string,
  ways: Map<string, readonly string[]>,
  via: readonly string[],
  fresh = false,
): Promise<Shown> => {
  const { page, parts } = acting
  const due: Due[] = []
  let shown = false
  for (const frame of framesOf(page, parts)) {
    // A frame may go away while it is read.
    const found = await frame.evaluate<readonly Candidate[]>(CANDIDATES_LIST).catch(() => [])
    for (const candidate of found) {
      const known = ways.has(candidate.key)
      shown ||= !known && parts.pressed.isNew(candidate.key)
      if (!known) ways.set(candidate.key, via)
      if (fresh && known) continue
      if (isTurnOf(acting, candidate.key, kind)) due.push({ candidate, frame, via: ways.get(candidate.key) ?? via })
    }
  }
  const rank = ({ candidate: { key, events, stood, speaks, around } }: Due): number =>
    events.includes('file')
      ? -1
      : (speaks ? 8 : 0) + (parts.pressed.isNew(key) ? 0 : 4) + (around ? 2 : 0) + (stood ? 1 : 0)
  return { due: due.toSorted((a, b) => rank(a) - rank(b)), isNew: shown }
}

/** It was not there; it changed nothing; it changed what is seen; it led to an address or a request that was new. */
type Outcome = 'gone' | 'nothing' | 'changed' | 'news'

/** A menu closes once something in it was chosen: what opened it is done again. */
const actOrRepeat = async (acting: Acting, due: Due, walk: Walk): Promise<Outcome> => {
  const outcome = await act(acting, due.frame, due.candidate.key)
  if (outcome !== 'gone' || due.via.length === 0 || walk.repeats + due.via.length > REPEATS) return outcome
  walk.repeats += due.via.length
  for (const key of due.via) if ((await act(acting, due.frame, key)) === 'gone') return 'gone'
  return act(acting, due.frame, due.candidate.key)
}

const act = async ({ page, url, gate, parts }: Acting, frame: Frame, key: string): Promise<Outcome> => {
  gate.clicked = true
  const [changes, news] = [await changesOf(page), gate.news]
  // A deed may take the page or frame away.
  const found = await frame.evaluate<boolean>(actOn(key)).catch(() => false)
  if (!found) return 'gone'
  await settle(page, gate, ACTING, changes)
  const state = await stateOf(page)
  const isNew = !parts.states.has(state)
  parts.states.add(state)
  if (isNew || (await changesOf(page)) !== changes) await readDom(page, url, gate, parts)
  if (gate.news > news) return 'news'
  return isNew ? 'changed' : 'nothing'
}
