/** Looks for the consent dialog of a page, and makes a choice in it: by the rules of its tool, else by words. */
import type { Page } from 'playwright-core'
import type { EvidenceRef } from '../../../contract/evidence.ts'
import { sleep } from '../../../contract/sleep.ts'
import type { ButtonRole, ConsentWords } from '../../../knowledge/consent/label.ts'
import { isUndrawn } from '../../browser.ts'
import { marked } from '../evidence/mark.ts'
import type { Press, StateName } from '../facts.ts'
import type { Profile } from '../visit/profile.ts'
import { StepTimeout, within } from '../visit/times.ts'
import { awaitDialog, type Dialog, findDialog, offsetOf, pressElement, type RoleButton } from './finder.ts'
import { openRules, type RuleDriver } from './rules.ts'

export interface ChooseParts {
  readonly profile: Profile
  readonly page: Page
  readonly state: StateName
  readonly words: ConsentWords
  readonly picture: (name: string, png: Buffer) => EvidenceRef
  /** Hears of a fault of ours that the visit went on without. */
  readonly fault: (error: unknown) => void
}

/** A dialog that is open: known by its tool's rules, by its words, or by both. */
export interface OpenDialog {
  readonly tool: string | null
  readonly rules: RuleDriver
  readonly seen: Dialog | null
}

export interface Choice {
  readonly made: boolean
  readonly presses: readonly Press[]
  readonly layers: readonly Dialog[]
}

const VIEWPORT = { width: 1280, height: 900 }
const RULE_TIME = 1_200
/** Where words have found the dialog already, rules only say whose it is. */
const KNOWN_TIME = 400
const CHOICE_TIME = 7_000
const LAYERS = 3
/** Milliseconds between two looks: for a dialog that may come, and for one that is expected. */
const LOOK = 250
const LOOK_AGAIN = 150

/** Null when none shows within the time for it. The caller closes its rules. */
export const lookForDialog = async (parts: ChooseParts): Promise<OpenDialog | null> => {
  const { profile, page, words } = parts
  const rules = await openRules(profile, page, parts.fault)
  const end = performance.now() + Math.min(profile.times.dialog, profile.left())
  let seen = await findDialog(profile, page, words)
  let tool = await rules.detect(seen === null ? Math.min(RULE_TIME, profile.times.dialog) : KNOWN_TIME)
  if (seen === null && tool === null && performance.now() < end) {
    await sleep(LOOK, profile.signal)
    const other = async (): Promise<boolean> => {
      tool = await rules.detect(1)
      return tool !== null
    }
    seen = await awaitDialog(parts, { end, every: LOOK, other })
    tool ??= await rules.detect(1)
  }
  if (seen === null && tool === null) {
    await rules.close()
    return null
  }
  return { tool, rules, seen }
}

/**
 * Presses what has to be pressed. The moment changes with the last press, told by `chosen`. A button that says it on the first
 * layer is what a visitor presses; a rule may take a longer way, and counts where no such button is.
 */
export const choose = async (
  parts: ChooseParts,
  dialog: OpenDialog,
  kind: 'accept' | 'reject',
  chosen: () => void,
): Promise<Choice> => {
  const direct = dialog.seen?.buttons.some(({ role }) => role === kind) ?? false
  if (dialog.tool === null || direct) return chooseByWords(parts, kind, chosen)
  const { log } = parts.profile
  const before = log.moment()
  const since = Date.now()
  const choice = await byRules(parts, dialog, kind, chosen)
  if (choice.made) return choice
  // What went out meanwhile followed no choice.
  log.takeBack(since, before)
  return chooseByWords(parts, kind, chosen)
}

/** Whether words find a dialog within the time for it. */
export const waitForDialog = async (parts: Omit<ChooseParts, 'state'>): Promise<boolean> => {
  const end = performance.now() + Math.min(parts.profile.times.dialog, parts.profile.left())
  return (await awaitDialog(parts, { end, every: LOOK_AGAIN })) !== null
}

/** As `choose`, by what the buttons say alone. */
export const chooseByWords = async (
  parts: ChooseParts,
  kind: 'accept' | 'reject',
  chosen: () => void,
): Promise<Choice> => {
  const { profile, page, words } = parts
  const presses: Press[] = []
  const layers: Dialog[] = []
  for (let layer = 1; layer <= LAYERS && profile.left() > 2_000; layer += 1) {
    const dialog = await findDialog(profile, page, words)
    if (dialog === null) return { made: false, presses, layers }
    layers.push(dialog)
    const step = nextStep(dialog, kind, layer)
    if (step === null) return { made: false, presses, layers }
    if (step.role === 'save') await untick(parts, dialog)
    const last = step.role !== 'settings'
    presses.push(await press(parts, dialog, step, layer, last ? chosen : () => undefined))
    await profile.settle(profile.times.press)
    if (last) return { made: true, presses, layers }
  }
  return { made: false, presses, layers }
}

/**
 * The layer behind "settings", where refusing does not lead through it: what is ticked there counts, too. The page has to be
 * loaded again afterwards.
 */
export const openSettings = async ({
  profile,
  page,
  words,
}: ChooseParts): Promise<{ readonly pressed: boolean; readonly layer: Dialog | null }> => {
  const dialog = await findDialog(profile, page, words)
  const button = dialog?.buttons.find(({ role }) => role === 'settings')
  if (!dialog || !button || !dialog.buttons.some(({ role }) => role === 'reject'))
    return { pressed: false, layer: null }
  await pressElement(page, dialog.frame, button.index)
  await profile.settle(profile.times.press)
  return { pressed: true, layer: await findDialog(profile, page, words) }
}

export const screenshot = async (page: Page): Promise<Buffer | null> => {
  try {
    return await within('drawing the page', page.screenshot({ timeout: 3_000 }), 3_500)
  } catch (error) {
    // A page that cannot be drawn is judged all the same.
    if (error instanceof StepTimeout || isUndrawn(error)) return null
    throw error
  }
}

const byRules = async (
  parts: ChooseParts,
  dialog: OpenDialog,
  kind: 'accept' | 'reject',
  chosen: () => void,
): Promise<Choice> => {
  const { profile, page } = parts
  const before = profile.told.length
  const png = await screenshot(page)
  chosen()
  const made = await dialog.rules.choose(kind, Math.min(CHOICE_TIME, profile.left()))
  await profile.settle(profile.times.press)
  const clicks = profile.told.slice(before).filter((one) => one.kind === 'click')
  const presses = clicks.slice(0, 5).map((click, index): Press => {
    const mark = { x: click.x, y: click.y, width: click.width, height: click.height }
    return {
      role: index === clicks.length - 1 ? kind : 'settings',
      by: 'rule',
      tool: dialog.tool,
      text: click.text,
      selector: click.selector,
      frame: page.url(),
      layer: index + 1,
      screenshot: index === 0 && png ? parts.picture(`${parts.state}-pressed-1`, marked(png, VIEWPORT, mark)) : null,
    }
  })
  return { made, presses, layers: [] }
}

const nextStep = ({ buttons, ticks }: Dialog, kind: 'accept' | 'reject', layer: number): RoleButton | null => {
  const first = (...roles: readonly ButtonRole[]) =>
    roles.map((role) => buttons.find((button) => button.role === role)).find((button) => button !== undefined) ?? null
  if (kind === 'accept') return first('accept', 'acknowledge')
  if (ticks.some(({ shown }) => shown) || layer > 1) return first('reject', 'save', 'settings')
  return first('reject', 'settings')
}

/** Boxes beyond the necessary that are ticked: refusing by saving means unticking them first. */
const untick = async ({ page, words }: ChooseParts, dialog: Dialog): Promise<void> => {
  for (const { index, checked, disabled, label } of dialog.ticks) {
    if (checked && !disabled && !words.meansNecessary(label)) await pressElement(page, dialog.frame, index)
  }
}

const press = async (
  { page, state, picture }: ChooseParts,
  dialog: Dialog,
  button: RoleButton,
  layer: number,
  chosen: () => void,
): Promise<Press> => {
  const png = await screenshot(page)
  const offset = png ? await offsetOf(dialog.frame) : null
  const mark = offset ? { ...button, x: button.x + offset.x, y: button.y + offset.y } : null
  chosen()
  await pressElement(page, dialog.frame, button.index)
  return {
    role: button.role,
    by: 'words',
    tool: null,
    text: button.text,
    selector: button.selector,
    frame: dialog.frame.url(),
    layer,
    screenshot: png && mark ? picture(`${state}-pressed-${layer}`, marked(png, VIEWPORT, mark)) : null,
  }
}
