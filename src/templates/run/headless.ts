/** Runs a headless step: actions in a real page of the module's browser, whose every byte goes through egress. */
import type { BrowserContext, Page } from 'playwright-core'
import { EgressError } from '../../egress/door/egress.ts'
import { ModuleEnding } from '../../modules/endings.ts'
import { bytesOfText, textOfBytes } from '../language/bytes.ts'
import type { Value } from '../language/expression/value.ts'
import type { HeadlessAction, HeadlessStep } from '../language/template.ts'
import { answerOf, type Executor, type StepRun, StepSkipped } from './executor.ts'

/** Milliseconds for one action, and for all of a step. */
const ACTION = 10_000
const STEP = 60_000
const MOST_CONTENT = 4 * 1024 * 1024

export const runHeadless: Executor<HeadlessStep> = async (step, run) => {
  const browser = await run.browser().catch((error: unknown) => {
    if (error instanceof ModuleEnding) throw new StepSkipped(error.message, 'absent')
    throw error
  })
  let matched = false
  for (const combination of run.combinations(step.payloads, step.attack)) {
    run.signal.throwIfAborted()
    const context = await browser.newContext({ serviceWorkers: 'block' })
    try {
      matched = (await inPage(step, run, context, combination)) || matched
    } finally {
      await context.close()
    }
    if (matched && (step.stopAtFirstMatch || run.template.stopAtFirstMatch)) break
  }
  return matched
}

interface Session {
  readonly page: Page
  readonly context: BrowserContext
  readonly run: StepRun
  readonly fill: (text: string) => string
  readonly outputs: Record<string, Value>
  readonly main: { status: number; headers: string; url: string }
  readonly dialogs: { readonly type: string; readonly message: string }[]
  readonly rules: Rules
}

/** What a template changes of every request of the page; null leaves it as it is. */
interface Rules {
  method: string | null
  body: string | null
  readonly without: Set<string>
  installed: boolean
}

const inPage = async (
  step: HeadlessStep,
  run: StepRun,
  context: BrowserContext,
  combination: ReadonlyMap<string, Value>,
): Promise<boolean> => {
  const page = await context.newPage()
  page.setDefaultTimeout(ACTION)
  const session: Session = {
    page,
    context,
    run,
    fill: (text) => textOfBytes(run.fill(text, (name) => combination.get(name))),
    outputs: {},
    main: { status: 0, headers: '', url: '' },
    dialogs: [],
    rules: { method: null, body: null, without: new Set(), installed: false },
  }
  page.on('dialog', (dialog) => {
    session.dialogs.push({ type: dialog.type(), message: dialog.message() })
    // The page may be gone by then.
    dialog.dismiss().catch(() => undefined)
  })
  const until = performance.now() + STEP
  for (const action of step.actions) {
    run.signal.throwIfAborted()
    if (performance.now() > until) throw new EgressError('timeout', 'the page took longer than a minute')
    await act(action, session)
  }
  return judged(step, session, combination)
}

const judged = async (
  step: HeadlessStep,
  { page, run, outputs, main }: Session,
  combination: ReadonlyMap<string, Value>,
): Promise<boolean> => {
  const content = bytesOfText((await page.content().catch(() => '')).slice(0, MOST_CONTENT))
  const answer = answerOf(
    {
      ...outputs,
      body: content,
      header: main.headers,
      status_code: main.status,
      matched: main.url,
      host: run.target.host,
      type: 'headless',
    },
    run.text,
    { resp: 'body', response: 'body', data: 'body', raw: 'body', all_headers: 'header' },
  )
  const verdict = run.judge(
    step.operators,
    answer,
    {
      at: { url: main.url === '' ? run.target.base : main.url },
      request: step.actions.map(({ action, args }) => `${action} ${JSON.stringify(args)}`).join('\n'),
      response: content,
    },
    (name) => combination.get(name),
  )
  return verdict.matched
}

type Act = (args: Readonly<Record<string, string>>, session: Session, action: HeadlessAction) => Promise<void>

const located = (args: Readonly<Record<string, string>>, { page, fill }: Session) => {
  const xpath = args.xpath ?? (args.by === 'x' || args.by === 'xpath' ? args.selector : undefined)
  const selector = xpath === undefined ? (args.selector ?? args.css ?? 'body') : `xpath=${fill(xpath)}`
  return page.locator(xpath === undefined ? fill(selector) : selector).first()
}

const loaded =
  (state: 'load' | 'domcontentloaded' | 'networkidle'): Act =>
  async (_, { page }) => {
    // A page that never comes to rest is judged as it stands.
    await page.waitForLoadState(state, { timeout: 5_000 }).catch(() => undefined)
  }

/** Changes the page's requests from now on; each still goes through egress. */
const withRules = async ({ page, rules }: Session, change: (rules: Rules) => void): Promise<void> => {
  change(rules)
  if (rules.installed) return
  rules.installed = true
  await page.route('**/*', async (route) => {
    const headers = Object.entries(route.request().headers()).filter(([name]) => !rules.without.has(name.toLowerCase()))
    await route.continue({
      headers: Object.fromEntries(headers),
      ...(rules.method === null ? {} : { method: rules.method }),
      ...(rules.body === null ? {} : { postData: rules.body }),
    })
  })
}

const ofRequests = (args: Readonly<Record<string, string>>): boolean => (args.part ?? 'request') === 'request'

const ACTS: Readonly<Record<string, Act>> = {
  navigate: async (args, { page, fill, run, main }) => {
    const address = fill(args.url ?? '{{BaseURL}}')
    const url = URL.parse(address)
    if (!url || url.hostname !== run.target.host)
      throw new StepSkipped(`it opens ${address.slice(0, 100)}, which is not the target`, 'elsewhere')
    const response = await page.goto(address, { waitUntil: 'commit', timeout: ACTION }).catch((error: unknown) => {
      throw new EgressError(
        'unreachable',
        `the page did not open: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
      )
    })
    main.status = response?.status() ?? 0
    main.url = response?.url() ?? address
    main.headers = Object.entries(response?.headers() ?? {})
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  },
  waitload: loaded('load'),
  waitdom: loaded('domcontentloaded'),
  waitfcp: loaded('load'),
  waitfmp: loaded('load'),
  waitidle: loaded('networkidle'),
  waitstable: loaded('networkidle'),
  waitvisible: async (args, session) => located(args, session).waitFor({ state: 'visible' }),
  waitdialog: async (args, { dialogs, outputs, page }, { name }) => {
    const until = performance.now() + Math.min(ACTION, milliseconds(args['max-duration'] ?? '10s'))
    while (dialogs.length === 0 && performance.now() < until) await page.waitForTimeout(50)
    const [dialog] = dialogs
    const key = name ?? 'waitdialog'
    outputs[key] = dialog !== undefined
    outputs[`${key}_type`] = dialog?.type ?? ''
    outputs[`${key}_message`] = bytesOfText(dialog?.message ?? '')
  },
  script: async (args, { page, context, fill, outputs }, { name }) => {
    const code = fill(args.code ?? '')
    if (args.hook === 'true') {
      await context.addInitScript({ content: `(${functionOf(code)})()` })
      return
    }
    const result = await page.evaluate(`(${functionOf(code)})()`)
    if (name !== null) outputs[name] = resultValue(result)
  },
  click: async (args, session) => located(args, session).click(),
  rightclick: async (args, session) => located(args, session).click({ button: 'right' }),
  text: async (args, session) => located(args, session).fill(session.fill(args.value ?? '')),
  time: async (args, session) => located(args, session).fill(session.fill(args.value ?? '')),
  select: async (args, session) => {
    await located(args, session).selectOption(session.fill(args.value ?? ''))
  },
  keyboard: async (args, { page, fill }) => {
    for (const key of fill(args.keys ?? '').split(',')) await page.keyboard.press(key.trim())
  },
  sleep: async (args, { page }) => page.waitForTimeout(Math.min(ACTION, milliseconds(args.duration ?? '1'))),
  setheader: async (args, { context, fill }) => {
    // Headers of answers are the site's own.
    if (args.part !== 'response') await context.setExtraHTTPHeaders({ [fill(args.key ?? '')]: fill(args.value ?? '') })
  },
  setmethod: async (args, session) => {
    if (ofRequests(args))
      await withRules(session, (rules) => (rules.method = session.fill(args.method ?? 'GET').toUpperCase()))
  },
  setbody: async (args, session) => {
    if (ofRequests(args)) await withRules(session, (rules) => (rules.body = session.fill(args.body ?? '')))
  },
  deleteheader: async (args, session) => {
    if (ofRequests(args))
      await withRules(session, (rules) => rules.without.add(session.fill(args.key ?? '').toLowerCase()))
  },
  getresource: async (args, session, { name }) => {
    const element = located(args, session)
    const address = (await element.getAttribute('src')) ?? (await element.getAttribute('href'))
    if (address === null) return
    // The page fetches it, as it would anyway.
    const text = await session.page.evaluate(
      `fetch(${JSON.stringify(address)}).then((got) => got.text()).then((text) => text.slice(0, ${MOST_CONTENT}))`,
    )
    if (name !== null) session.outputs[name] = bytesOfText(typeof text === 'string' ? text : '')
  },
  waitevent: async (args, { page, context }) => {
    const event = args.event ?? ''
    if (!/^[A-Z]\w{1,30}\.\w{1,40}$/.test(event))
      throw new StepSkipped(`there is no event “${event.slice(0, 40)}”`, 'defect')
    const longest = Math.min(ACTION, milliseconds(args['max-duration'] ?? '5s'))
    const session = await context.newCDPSession(page)
    try {
      // A domain that is not switched on tells of nothing.
      await session.send(`${event.split('.')[0]}.enable` as 'Page.enable')
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longest)
        session.once(event as 'Page.loadEventFired', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    } finally {
      await session.detach()
    }
  },
  files: async () => {
    throw new StepSkipped('it uploads files', 'policy')
  },
  extract: async (args, session, { name }) => {
    const element = located(args, session)
    const found =
      args.target === 'attribute' ? await element.getAttribute(args.attribute ?? '') : await element.textContent()
    if (name !== null) session.outputs[name] = bytesOfText(found ?? '')
  },
  // Pictures are no evidence that a matcher reads, and a template writes no files here.
  screenshot: async () => undefined,
  debug: async () => undefined,
  null: async () => undefined,
}
const ALIASES: Readonly<Record<string, string>> = { addheader: 'setheader', dialog: 'waitdialog' }

const act = async (action: HeadlessAction, session: Session): Promise<void> => {
  const run = ACTS[ALIASES[action.action] ?? action.action]
  if (run === undefined)
    throw new StepSkipped(`the browser does not do “${action.action}” for templates`, 'unsupported')
  try {
    await run(action.args, session, action)
  } catch (error) {
    if (error instanceof StepSkipped || error instanceof EgressError || session.run.signal.aborted) throw error
    // What is not there to be clicked is an answer: the page is not the one that the template means.
    throw new EgressError(
      'protocol',
      `${action.action}: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
  }
}

/** A script is a function, or the body of one. */
const functionOf = (code: string): string =>
  /^\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/.test(code)
    ? code.trim().replace(/;\s*$/, '')
    : `() => { ${/^\s*(?:return|let|const|var|if|for)\b|;/.test(code) ? code : `return (${code})`} }`

const resultValue = (result: unknown): Value => {
  if (typeof result === 'number' || typeof result === 'boolean') return result
  return bytesOfText(typeof result === 'string' ? result : (JSON.stringify(result) ?? ''))
}

const milliseconds = (text: string): number => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text.trim())
  if (!match) return 1_000
  return Number(match[1]) * (match[2] === 'ms' ? 1 : match[2] === 'm' ? 60_000 : 1_000)
}
