/** Finds the consent dialog of a page by its words, in all frames and shadow roots, open and closed. */
import type { CDPSession, Frame, Page } from 'playwright-core'
import { sleep } from '../../../contract/sleep.ts'
import type { ButtonRole, ConsentWords } from '../../../knowledge/consent/label.ts'
import { isGone } from '../../browser.ts'
import { inPageScript } from '../../in-page.ts'
import type { Profile } from '../visit/profile.ts'
import { unreadable } from '../visit/snapshot.ts'
import { StepTimeout, within } from '../visit/times.ts'
import type { Found, FoundBox, FoundButton, FoundTick } from './found.ts'

const SCRIPT = new URL('./in-page/main.ts', import.meta.url)
/** Where the finder keeps its elements in the page. */
const STORE = '__sondeFound'

export interface RoleButton extends FoundButton {
  readonly role: ButtonRole
}

export interface Dialog {
  readonly frame: Frame
  readonly text: string
  readonly position: FoundBox['position']
  readonly box: FoundBox['box']
  readonly buttons: readonly RoleButton[]
  readonly ticks: readonly FoundTick[]
  /** Share of the page that something fixed lies over. */
  readonly covered: number
}

const MOST_FRAMES = 12

/** The likeliest consent dialog that can be seen now, or null. `closed`: closed shadow roots are looked into as well. */
export const findDialog = async (
  profile: Profile,
  page: Page,
  words: ConsentWords,
  closed = true,
): Promise<Dialog | null> => {
  const dialogs: Dialog[] = []
  for (const frame of page.frames().slice(0, MOST_FRAMES)) {
    for (const found of await search(profile, page, frame, closed)) {
      for (const box of found.boxes) {
        // What is no box of its own is no dialog, whatever its buttons say: on most pages that is all there is, look after look.
        if (box.position === 'page') continue
        const buttons = box.buttons.flatMap((button) => {
          const role = words.roleOf(button.text)
          return role === null ? [] : [{ ...button, role }]
        })
        if (!isDialog(box, buttons, words)) continue
        const { text, position, box: place, ticks } = box
        dialogs.push({ frame, text, position, box: place, buttons: inDialog(buttons), ticks, covered: found.covered })
      }
    }
  }
  return dialogs.toSorted((a, b) => worth(b) - worth(a))[0] ?? null
}

/** Everything that can be pressed on the page, whatever box it is in. */
export const findButtons = async (
  profile: Profile,
  page: Page,
): Promise<readonly { readonly frame: Frame; readonly button: FoundButton }[]> => {
  const all = []
  for (const frame of page.frames().slice(0, MOST_FRAMES)) {
    for (const { boxes } of await search(profile, page, frame, true))
      for (const { buttons } of boxes) for (const button of buttons) all.push({ frame, button })
  }
  return all
}

/** Presses at the place where the button stands, as a person would; by script only where that changes nothing. */
export const pressElement = async (page: Page, frame: Frame, index: number): Promise<void> => {
  const place = await within('finding a button', frame.evaluate<Place | null>(placeOf(index)), 4_000)
  if (place === null) return
  const offset = await offsetOf(frame)
  if (place.free && offset !== null) {
    await within('pressing', page.mouse.click(offset.x + place.x, offset.y + place.y), 3_000)
  } else {
    await within('pressing', frame.evaluate(`window[${JSON.stringify(STORE)}][${index}].click()`), 3_000)
  }
}

interface Place {
  readonly x: number
  readonly y: number
  /** Nothing lies over it. */
  readonly free: boolean
}

const placeOf = (index: number): string => `(() => {
  const element = (window[${JSON.stringify(STORE)}] || [])[${index}]
  if (!element || !element.isConnected) return null
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const { x, y, width, height } = element.getBoundingClientRect()
  const place = { x: x + width / 2, y: y + height / 2 }
  let top = element.getRootNode().elementFromPoint(place.x, place.y)
  const free = Boolean(top) && (element.contains(top) || top.contains(element))
  return { ...place, free }
})()`

/** Where a frame's corner lies in the page. */
export const offsetOf = async (frame: Frame): Promise<{ readonly x: number; readonly y: number } | null> => {
  if (frame.parentFrame() === null) return { x: 0, y: 0 }
  const element = await within('finding a frame', frame.frameElement(), 2_000).catch(gone)
  return (await element?.boundingBox()) ?? null
}

const gone = (error: unknown): null => {
  if (error instanceof StepTimeout || isGone(error)) return null
  throw error
}

/**
 * A dialog that is waited for, look after look until `end` (by performance.now()). What only the protocol sees is looked at in every fourth
 * and in the last: the browser writes out the whole page for it. Null: none has come, or `other` has seen what it waits for.
 */
export const awaitDialog = async (
  { profile, page, words }: { readonly profile: Profile; readonly page: Page; readonly words: ConsentWords },
  { end, every, other }: { readonly end: number; readonly every: number; readonly other?: () => Promise<boolean> },
): Promise<Dialog | null> => {
  for (let look = 1; ; look += 1) {
    const isLast = performance.now() >= end - every
    const open = await findDialog(profile, page, words, isLast || look % EVERY_CLOSED === 0)
    // What stands in the flow of the page may not be what the visitor is asked.
    const dialog = open?.position === 'flow' ? await findDialog(profile, page, words) : open
    if (dialog !== null || isLast || (await other?.())) return dialog
    await sleep(every, profile.signal)
  }
}

const EVERY_CLOSED = 4

const search = async (profile: Profile, page: Page, frame: Frame, closed: boolean): Promise<readonly Found[]> => {
  const subframe = frame.parentFrame() !== null
  const call = `(${inPageScript(SCRIPT)})(document, ${JSON.stringify(STORE)}, ${subframe})`
  const open = await within('looking for a dialog', frame.evaluate<Found>(call), 5_000).catch(unreadable)
  const found = 'boxes' in open ? [open] : []
  // No script of a page sees into closed shadow roots; the protocol does.
  return !closed ||
    subframe ||
    found.some(({ boxes }) => boxes.some(({ position }) => position !== 'flow' && position !== 'page'))
    ? found
    : [...found, ...(await searchClosed(profile, page))]
}

interface Node {
  readonly backendNodeId: number
  readonly shadowRootType?: string
  readonly shadowRoots?: readonly Node[]
  readonly children?: readonly Node[]
  readonly contentDocument?: Node
}

const MOST_ROOTS = 10

const searchClosed = async (profile: Profile, page: Page): Promise<readonly Found[]> => {
  const session = await within('attaching to a tab', profile.context.newCDPSession(page), 2_000).catch(gone)
  if (session === null) return []
  try {
    const { root } = await within(
      'reading the page',
      session.send('DOM.getDocument', { depth: -1, pierce: true }),
      4_000,
    )
    const roots = closedRoots(root as Node, [])
    const found: Found[] = []
    for (const { backendNodeId } of roots.slice(0, MOST_ROOTS))
      found.push(...(await searchRoot(session, backendNodeId)))
    return found
  } catch (error) {
    if (error instanceof StepTimeout || isGone(error)) return []
    throw error
  } finally {
    await session.detach().catch(gone)
  }
}

const closedRoots = (node: Node, into: Node[]): readonly Node[] => {
  for (const root of node.shadowRoots ?? []) {
    if (root.shadowRootType === 'closed') into.push(root)
    closedRoots(root, into)
  }
  for (const child of node.children ?? []) closedRoots(child, into)
  return into
}

const searchRoot = async (session: CDPSession, backendNodeId: number): Promise<readonly Found[]> => {
  const { object } = await within('reading a shadow root', session.send('DOM.resolveNode', { backendNodeId }), 2_000)
  if (object.objectId === undefined) return []
  const functionDeclaration = `function () { return (${inPageScript(SCRIPT)})(this, ${JSON.stringify(STORE)}, false) }`
  const call = { objectId: object.objectId, functionDeclaration, returnByValue: true }
  const { result } = await within('reading a shadow root', session.send('Runtime.callFunctionOn', call), 3_000)
  return result.value ? [result.value as Found] : []
}

const isDialog = (box: FoundBox, buttons: readonly RoleButton[], words: ConsentWords): boolean => {
  const choices = buttons.filter(({ role }) => ['accept', 'reject', 'acknowledge'].includes(role))
  const second = buttons.some(({ role }) => role === 'save') && box.ticks.length > 0
  if (choices.length === 0 && !second) return false
  if (!words.speaksOfConsent(box.text) && !(words.namesCookies(box.text) && isChoice(buttons))) return false
  // In the flow of a page only what asks a question is a dialog; a policy that speaks of cookies is none.
  return box.position !== 'flow' || (choices.length >= 2 && box.text.length < 1_500)
}

/** What leads back to the choice elsewhere opens the settings where the choice is still to be made. */
const inDialog = (buttons: readonly RoleButton[]): readonly RoleButton[] =>
  buttons.some(({ role }) => role === 'accept')
    ? buttons.map((button) => (button.role === 'revoke' ? { ...button, role: 'settings' } : button))
    : buttons

/** One button agrees, another one does something else with the question. */
const isChoice = (buttons: readonly RoleButton[]): boolean =>
  buttons.some(({ role }) => role === 'accept') &&
  buttons.some(({ role }) => role === 'reject' || role === 'settings' || role === 'save')

const worth = ({ buttons, position, text }: Dialog): number => {
  const has = (role: ButtonRole) => (buttons.some((button) => button.role === role) ? 1 : 0)
  const placed = { dialog: 2, fixed: 2, frame: 1.5, named: 1, flow: 0, page: 0 }[position]
  return 3 * has('accept') + 3 * has('reject') + has('settings') + has('save') + placed - (text.length > 3_500 ? 1 : 0)
}
