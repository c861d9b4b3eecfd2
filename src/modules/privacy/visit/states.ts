/** The four states, each in a profile of its own: nothing pressed; refused; agreed; agreed and withdrawn. */

import type { Page } from 'playwright-core'
import { sleep } from '../../../contract/sleep.ts'
import type { ConsentWords } from '../../../knowledge/consent/label.ts'
import { openTab } from '../../browser.ts'
import {
  type ChooseParts,
  choose,
  chooseByWords,
  lookForDialog,
  type OpenDialog,
  openSettings,
  screenshot,
  waitForDialog,
} from '../consent/choose.ts'
import { type Dialog, findButtons, pressElement } from '../consent/finder.ts'
import { readConsentMode, readSignals, readTcString } from '../consent/signals.ts'
import type { ConsentModeCall, Moment, PageVisit, Press, StateName, TcfRecord } from '../facts.ts'
import type { Canary } from './canaries.ts'
import { type PageLink, readLinks, subpagesOf } from './pages.ts'
import type { Profile } from './profile.ts'
import { emptyHoldings, type Holdings, lookInto, unreadable } from './snapshot.ts'
import { within } from './times.ts'
import { typeCanaries } from './typing.ts'

export interface StateParts extends Omit<ChooseParts, 'page' | 'state'> {
  readonly url: string
  readonly words: ConsentWords
  readonly canaries: readonly Canary[]
  readonly isOwn: (url: string) => boolean
  readonly progress: (detail: string) => void
}

/** What one state saw, with values; `facts` are made of it afterwards. */
export interface RawState {
  readonly name: StateName
  readonly profile: Profile
  readonly holdings: Holdings
  readonly pages: PageVisit[]
  readonly presses: Press[]
  readonly tcf: TcfRecord[]
  readonly consentMode: ConsentModeCall[]
  /** Layers of the dialog that were passed on the way to the choice. */
  readonly layersSeen: Dialog[]
  /** Entries of `dataLayer` that were read, by document. */
  readonly layers: Map<number, number>
  missed: string | null
  /** Of the start page as it is before any choice. */
  dialog: OpenDialog | null
  /** The dialog came again after choice and reload; null when that was not seen. */
  again: boolean | null
  /** What leads back to the choice, by its text. */
  revisit: string | null
  /** Null until the start page was read. */
  links: readonly PageLink[] | null
  /** Text of pages by their address. */
  readonly texts: Map<string, string>
  language: string
  picture: Buffer | null
}

const MOST_PAGES = 4
const TABS = 2
/** Over all pages of a state. */
const MOST_FIELDS = 6

export const newState = (name: StateName, profile: Profile): RawState => ({
  name,
  profile,
  holdings: emptyHoldings(),
  pages: [],
  presses: [],
  tcf: [],
  consentMode: [],
  layers: new Map(),
  layersSeen: [],
  missed: null,
  dialog: null,
  again: null,
  revisit: null,
  links: null,
  texts: new Map(),
  language: '',
  picture: null,
})

/** The start page as a visitor finds it, then up to four more; typed into at the end. `seen` hears of a dialog. */
export const visitUntouched = async (
  state: RawState,
  parts: StateParts,
  seen: (dialog: OpenDialog | null, late: boolean) => void,
): Promise<void> => {
  const { profile } = state
  const page = await openStart(state, parts)
  if (page === null) {
    seen(null, false)
    return
  }
  const quiet = performance.now()
  state.dialog = await lookForDialog({ ...parts, page, state: 'untouched' })
  if (state.dialog !== null) {
    seen(state.dialog, false)
    state.picture = await screenshot(page)
  }
  await scroll(profile, page)
  await readStart(state, page)
  // Before anything that may use up the time.
  await observe(state, [page])
  const others = await visitSome(state, parts, MOST_PAGES)
  await lookInto(profile, others, state.holdings)
  await typeInto(state, parts, [page, ...others])
  await dwell(profile, quiet, profile.times.dwell)
  if (state.dialog === null) {
    await lookAgain(state, parts, page, quiet)
    seen(state.dialog, true)
  }
  // A menu may have come late.
  await readStart(state, page)
  others.push(...(await visitSome(state, parts, MOST_PAGES)))
  await observe(state, [page, ...others])
}

/** Scrolled, with time gone by: what comes up after some seconds is no absence of a dialog. */
const lookAgain = async (state: RawState, parts: StateParts, page: Page, quiet: number): Promise<void> => {
  const { profile } = state
  const dialog = Math.max(1, quiet + profile.times.late - performance.now())
  const times = { ...profile.times, dialog }
  state.dialog = await lookForDialog({ ...parts, page, state: 'untouched', profile: { ...profile, times } })
  if (state.dialog !== null) state.picture = await screenshot(page)
}

export const visitRejecting = async (state: RawState, parts: StateParts): Promise<void> => {
  const page = await openStart(state, parts)
  if (page === null) return
  const made = await makeChoice(state, parts, page, 'reject', 'rejected')
  if (!made) return
  await afterChoice(state, parts, page)
}

export const visitAccepting = async (state: RawState, parts: StateParts): Promise<void> => {
  const page = await openStart(state, parts)
  if (page === null) return
  const made = await makeChoice(state, parts, page, 'accept', 'accepted')
  if (!made) return
  await afterChoice(state, parts, page)
  state.revisit = (await wayBack(state, parts, page))?.text ?? null
}

export const visitRevoking = async (state: RawState, parts: StateParts): Promise<void> => {
  const { profile } = state
  const page = await openStart(state, parts)
  if (page === null) return
  const dialog = await lookBehind(state, parts, page)
  if (!(await makeChoice(state, parts, page, 'accept', 'accepted', dialog))) return
  await reload(state, page)
  const way = await wayBack(state, parts, page)
  if (way === null) {
    state.missed = 'nothing was found that leads back to the choice'
    return
  }
  state.revisit = way.text
  await way.press()
  if (!(await waitForDialog({ ...parts, page }))) {
    state.missed = `pressing “${way.text}” opened no dialog that could be recognised`
    return
  }
  const choice = await chooseByWords({ ...parts, page, state: 'revoke' }, 'reject', () => undefined)
  state.presses.push(...choice.presses)
  if (!choice.made) {
    state.missed = 'the dialog that came again offers no way to refuse'
    return
  }
  // What runs already can send until the page is left, and often does while it is; only a new load tells what was withdrawn.
  profile.log.enter('revoked')
  await reload(state, page)
  await dwell(profile, performance.now(), profile.times.after)
  await observe(state, [page])
}

/** Null when it did not load; the state says why. */
const openStart = async (state: RawState, parts: StateParts): Promise<Page | null> => {
  const { profile } = state
  parts.progress(`${state.name}: opening ${parts.url}`)
  const page = await openTab(profile)
  const error = await profile.open(page, parts.url)
  state.pages.push({ url: parts.url, moment: 'before', error })
  if (error === null) return page
  state.missed = `the page did not load: ${error}`
  return null
}

const makeChoice = async (
  state: RawState,
  parts: StateParts,
  page: Page,
  kind: 'accept' | 'reject',
  moment: Moment,
  seen: OpenDialog | null = null,
): Promise<boolean> => {
  const { profile } = state
  const choosing = { ...parts, page, state: state.name }
  const dialog = seen ?? (await lookForDialog(choosing))
  if (dialog === null) {
    state.missed = 'no consent dialog was found'
    return false
  }
  await observe(state, [page])
  parts.progress(`${state.name}: pressing ${kind}`)
  const choice = await choose(choosing, dialog, kind, () => profile.log.enter(moment))
  await dialog.rules.close()
  state.presses.push(...choice.presses)
  state.layersSeen.push(...choice.layers)
  if (!choice.made) state.missed = kind === 'reject' ? 'no way to refuse was found' : 'no button that agrees was found'
  return choice.made
}

/**
 * Opens the settings of the dialog and loads the page again; the choice is then made on the first layer. The dialog as it is
 * where nothing had to be opened.
 */
const lookBehind = async (state: RawState, parts: StateParts, page: Page): Promise<OpenDialog | null> => {
  const looking = { ...parts, page, state: state.name }
  const dialog = await lookForDialog(looking)
  if (dialog === null) return null
  const { pressed, layer } = await openSettings(looking)
  if (!pressed) return dialog
  await dialog.rules.close()
  if (layer !== null) state.layersSeen.push(layer)
  await reload(state, page)
  return null
}

/** What happens at once, what after a reload, and whether the choice is still known then. */
const afterChoice = async (state: RawState, parts: StateParts, page: Page): Promise<void> => {
  const { profile } = state
  await observe(state, [page])
  await reload(state, page)
  const quiet = performance.now()
  const dialog = await lookForDialog({
    ...parts,
    page,
    state: state.name,
    profile: { ...profile, times: { ...profile.times, dialog: 800 } },
  })
  state.again = dialog !== null
  await dialog?.rules.close()
  await scroll(profile, page)
  await readStart(state, page)
  const others = await visitSome(state, parts, 1)
  if (state.name === 'accept') {
    await lookInto(profile, [page, ...others], state.holdings)
    await typeInto(state, parts, [page])
  }
  await dwell(profile, quiet, profile.times.after)
  await observe(state, [page, ...others])
}

/** What starts late counts, too: the start page stays open until so long after it was `quiet`, whatever else is done meanwhile. */
const dwell = async (profile: Profile, quiet: number, milliseconds: number): Promise<void> => {
  const rest = quiet + milliseconds - performance.now()
  await sleep(Math.max(0, Math.min(rest, profile.left())), profile.signal)
  await profile.settle(profile.times.settle, quiet)
}

const readStart = async (state: RawState, page: Page): Promise<void> => {
  const read = await readLinks(page)
  if (read === null) return
  state.links = read.links
  state.language = read.language
  state.texts.set(page.url(), read.text)
}

const typeInto = async ({ profile }: RawState, parts: StateParts, pages: readonly Page[]): Promise<void> => {
  let typed = 0
  for (const page of pages) {
    if (profile.left() > 5_000)
      typed += await typeCanaries(profile, page, parts.canaries, parts.isOwn, MOST_FIELDS - typed)
  }
  if (typed === 0) return
  const last = performance.now()
  await sleep(profile.times.typed, profile.signal)
  await profile.settle(profile.times.settle, last)
}

const reload = async (state: RawState, page: Page): Promise<void> => {
  const { profile } = state
  const url = page.url()
  state.pages.push({ url, moment: profile.log.moment(), error: await profile.open(page, url) })
}

/** Pages that the start page leads to and that were not seen yet, two tabs at a time, until `most` of them were. */
const visitSome = async (state: RawState, parts: StateParts, most: number): Promise<Page[]> => {
  const { profile } = state
  const open: Page[] = []
  const known = new Set(state.pages.map(({ url }) => url))
  const beside = subpagesOf(state.links ?? [], parts.url, parts.words, most)
  const queue = beside.filter((url) => !known.has(url)).slice(0, Math.max(0, most + 1 - known.size))
  const work = async (): Promise<void> => {
    for (let url = queue.shift(); url !== undefined && profile.left() > 6_000; url = queue.shift()) {
      const page = await openTab(profile)
      const error = await profile.open(page, url)
      state.pages.push({ url, moment: profile.log.moment(), error })
      if (error !== null) continue
      open.push(page)
      state.texts.set(url, (await readLinks(page))?.text ?? '')
    }
  }
  await Promise.all(Array.from({ length: TABS }, work))
  return open
}

const scroll = async (profile: Profile, page: Page): Promise<void> => {
  for (let step = 0; step < 4 && profile.left() > 2_000; step += 1) {
    await within('scrolling', page.mouse.wheel(0, 800), 2_000).catch(unreadable)
    await sleep(80, profile.signal)
  }
}

/** Storage, cookies and what is said of the choice, as they are now. */
const observe = async (state: RawState, pages: readonly Page[]): Promise<void> => {
  const { profile } = state
  const moment = profile.log.moment()
  await lookInto(profile, pages, state.holdings)
  for (const page of pages.slice(0, 2)) {
    const { tcString, layer, document } = await readSignals(page.mainFrame())
    if (tcString !== null && tcString !== '') {
      const one = readTcString(tcString, moment, 'api')
      if (!state.tcf.some(({ moment: when, text }) => when === moment && text === one.text)) state.tcf.push(one)
    }
    // What an earlier look at the same document showed belongs to that moment.
    const read = state.layers.get(document) ?? 0
    state.consentMode.push(...readConsentMode(layer.slice(read), moment))
    state.layers.set(document, layer.length)
  }
}

/** What is pressed to change the choice later: a link or button that says so. */
const wayBack = async (state: RawState, parts: StateParts, page: Page) => {
  const buttons = await findButtons(state.profile, page)
  const ranked = buttons.flatMap(({ frame, button }) => {
    const role = parts.words.roleOf(button.text)
    const says = role === 'revoke' || (role === 'settings' && parts.words.speaksOfConsent(button.text))
    return says ? [{ frame, button, rank: role === 'revoke' ? 0 : 1 }] : []
  })
  const found = ranked.toSorted((a, b) => a.rank - b.rank)[0]
  if (!found) return null
  const { frame, button } = found
  return { text: button.text, press: () => pressElement(page, frame, button.index) }
}
