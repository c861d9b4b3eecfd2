/**
 * Drives the rule set of @duckduckgo/autoconsent (MPL-2.0): it knows several hundred consent tools by their markup. Its script
 * runs in a world of its own beside the page's, in every frame; what it wants to know of the page's world goes through here.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { sleep } from '../../../contract/sleep.ts'
import { isGone } from '../../browser.ts'
import type { Profile } from '../visit/profile.ts'
import { StepTimeout, within } from '../visit/times.ts'

export interface RuleDriver {
  /** Name of the tool whose dialog is open, or null when none shows within the time. */
  readonly detect: (milliseconds: number) => Promise<string | null>
  /** True when the rule says that it got through. */
  readonly choose: (choice: 'accept' | 'reject', milliseconds: number) => Promise<boolean>
  readonly close: () => Promise<void>
}

interface Rule {
  readonly name: string
  readonly runContext?: { readonly main?: boolean; readonly frame?: boolean; readonly urlPattern?: string }
}

interface Message {
  readonly type: string
  readonly cmp?: string
  readonly result?: boolean
  readonly id?: string
  readonly code?: string
}

interface World {
  readonly context: number
}

interface FrameWorld extends World {
  readonly frame: string
  readonly url: string
  readonly main: boolean
}

const WORLD = 'sonde-consent'
const BINDING = 'autoconsentSendMessage'
const EVALUATE = 5_000

/** `fault` hears of what breaks in the package's script: it must not pass for a page without a dialog in silence. */
export const openRules = async (profile: Profile, page: Page, fault: (error: unknown) => void): Promise<RuleDriver> => {
  const worlds = new Map<number, FrameWorld>()
  /** The page's own worlds, by frame. */
  const pageWorlds = new Map<string, number>()
  let found: { readonly cmp: string; readonly world: World } | null = null
  let outcome: boolean | null = null
  const settled = (error: unknown): undefined => {
    if (!isGiveUp(error)) fault(error)
    return undefined
  }
  /** As `settled`, where the page has a part in what is thrown. */
  const refused = (error: unknown): undefined => (error instanceof RuleError ? undefined : settled(error))
  const session = await within('attaching to a tab', profile.context.newCDPSession(page), 5_000)

  const evaluate = async (world: World, expression: string): Promise<unknown> => {
    const call = { expression, contextId: world.context, awaitPromise: true, returnByValue: true, userGesture: true }
    const { result, exceptionDetails } = await within(
      'a consent rule',
      session.send('Runtime.evaluate', call),
      EVALUATE,
    )
    if (exceptionDetails !== undefined)
      throw new RuleError(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  const say = (world: World, message: unknown) =>
    evaluate(world, `autoconsentReceiveMessage(${JSON.stringify(message)})`)

  const answer = async (message: Message, world: FrameWorld): Promise<void> => {
    if (message.type === 'init') {
      const rules = rulesFor(world.url, world.main)
      await say(world, { type: 'initResp', config: CONFIG, rules: { autoconsent: rules } })
    } else if (message.type === 'popupFound' && message.cmp) found ??= { cmp: message.cmp, world }
    else if (message.type === 'optOutResult' || message.type === 'optInResult') outcome = message.result === true
    else if (message.type === 'eval' && message.id && message.code) {
      // Such questions come from the package's rules, never from the page.
      const context = pageWorlds.get(world.frame)
      const result = context === undefined ? false : await evaluate({ context }, message.code).catch(refused)
      await say(world, { type: 'evalResp', id: message.id, result: result ?? false })
    }
  }
  session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    const world = worlds.get(executionContextId)
    if (name !== BINDING || !world) return
    answer(JSON.parse(payload) as Message, world).catch(settled)
  })

  session.on('Runtime.executionContextCreated', ({ context }) => {
    const about = context.auxData as { readonly frameId?: string; readonly isDefault?: boolean } | undefined
    if (about?.isDefault && about.frameId) pageWorlds.set(about.frameId, context.id)
  })
  await within('attaching to a tab', session.send('Runtime.enable'), EVALUATE)
  await within(
    'attaching to a tab',
    session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
    EVALUATE,
  )
  const { frameTree } = await within('listing frames', session.send('Page.getFrameTree'), EVALUATE)
  for (const { id, url, parentId } of framesOf(frameTree as FrameTree).slice(0, 10)) {
    try {
      const made = await within(
        'a consent rule',
        session.send('Page.createIsolatedWorld', { frameId: id, worldName: WORLD }),
        EVALUATE,
      )
      const world = { context: made.executionContextId, frame: id, url, main: parentId === undefined }
      worlds.set(world.context, world)
      await evaluate(world, `${SENDER}\n${SCRIPT}`)
    } catch (error) {
      settled(error) // A frame of another process, or one that went away: it is searched by words alone.
    }
  }
  return {
    detect: async (milliseconds) => {
      const end = performance.now() + milliseconds
      do {
        if (found !== null) return found.cmp
        await sleep(50, profile.signal)
      } while (performance.now() < end)
      return null
    },
    choose: async (choice, milliseconds) => {
      if (found === null) return false
      outcome = null
      const end = performance.now() + milliseconds
      // A rule that stumbles over the page has not got through; nothing of ours is broken by that.
      await within(
        'a consent rule',
        say(found.world, { type: choice === 'accept' ? 'optIn' : 'optOut' }),
        milliseconds,
      ).catch(refused)
      while (outcome === null && performance.now() < end) await sleep(50, profile.signal)
      return outcome === true
    },
    close: async () => {
      await within('detaching', session.detach(), 1_000).catch(settled)
    },
  }
}

/** Thrown inside of the browser, by the package's script or by what a rule asked of the page. */
class RuleError extends Error {
  constructor(thrown: string) {
    super(`a consent rule threw: ${thrown.slice(0, 500)}`)
    this.name = 'RuleError'
  }
}

/** Rules run beside the page: a frame that goes away or hangs ends them, and nothing else. */
const isGiveUp = (error: unknown): boolean => {
  if (error instanceof RuleError) return false
  if (error instanceof StepTimeout || isGone(error)) return true
  return error instanceof Error && /context|Frame|target|Protocol error/i.test(error.message)
}

const CONFIG = {
  enabled: true,
  autoAction: null,
  disabledCmps: [],
  enablePrehide: false,
  enableCosmeticRules: false,
  enableGeneratedRules: true,
  detectRetries: 12,
  isMainWorld: false,
  prehideTimeout: 0,
  enableHeuristicDetection: false,
  visualTest: false,
  logs: {
    lifecycle: false,
    rulesteps: false,
    detectionsteps: false,
    evals: false,
    errors: false,
    messages: false,
    waits: false,
  },
}

const FOLDER = dirname(createRequire(import.meta.url).resolve('@duckduckgo/autoconsent'))
/** The package hands over objects; what the protocol binds takes one text. Evaluated in the same world, before it. */
const SENDER = `{
  const send = window.${BINDING}
  window.${BINDING} = (message) => Promise.resolve(send(JSON.stringify(message)))
}`
const SCRIPT = readFileSync(join(FOLDER, 'autoconsent.playwright.js'), 'utf8')

let all: readonly Rule[] | null = null

/** Rules of other sites and of the other kind of frame are left out: the rest has to be parsed in every frame. */
const rulesFor = (url: string, main: boolean): readonly Rule[] => {
  all ??= (JSON.parse(readFileSync(join(FOLDER, '../rules/rules.json'), 'utf8')) as { autoconsent: Rule[] }).autoconsent
  return all.filter(({ runContext = {} }) => {
    const { main: inMain = true, frame: inFrame = false, urlPattern = '' } = runContext
    if (!(main ? inMain : inFrame)) return false
    return urlPattern === '' || new RegExp(urlPattern).test(url)
  })
}

interface FrameInfo {
  readonly id: string
  readonly url: string
  readonly parentId?: string
}

interface FrameTree {
  readonly frame: FrameInfo
  readonly childFrames?: readonly FrameTree[]
}

const framesOf = ({ frame, childFrames = [] }: FrameTree): readonly FrameInfo[] => [
  frame,
  ...childFrames.flatMap(framesOf),
]
