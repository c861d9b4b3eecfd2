/** Runs what a payload made in a real browser, under the page's own policy, and sees whether its call comes. */
import { randomInt } from 'node:crypto'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { CollectContext, EvidenceRef } from '../module.ts'
import { decoded } from '../probing/body.ts'
import { CALL } from './payloads.ts'

/** Milliseconds for a page to load and for its call to come. */
const LOAD = 8_000
const WAIT = 1_200

export interface Proof {
  readonly ran: 'load' | 'click' | null
  readonly refused: boolean
  readonly screenshot: EvidenceRef | null
}

export interface Errand {
  readonly method: string
  readonly url: string
  /** Form fields, urlencoded; null where the request has no body. */
  readonly body: string | null
}

export interface Prover {
  readonly prove: (errand: Errand, nonce: number) => Promise<Proof>
  readonly close: () => Promise<void>
}

export const newNonce = (): number => randomInt(100_000, 999_999)

/** A message where there is no browser: nothing can be proven then, and that is said. */
export const openProver = async (ctx: CollectContext): Promise<Prover | string> => {
  let profile: BrowserContext
  try {
    profile = await (await ctx.browser()).newContext()
  } catch (error) {
    if (error instanceof Error && error.name === 'ModuleEnding') return error.message
    throw error
  }
  const host = ctx.target.host
  const called = new Map<number, () => void>()
  // Named by the page's own frame: a call from another host proves nothing about this one.
  await profile.exposeBinding(CALL, ({ frame }, nonce: unknown) => {
    const from = hostOf(frame)
    if (typeof nonce === 'number' && (from === host || from === `www.${host}`)) called.get(nonce)?.()
  })
  return {
    close: () => profile.close(),
    prove: async (errand, nonce) => {
      const page = await profile.newPage()
      const call = Promise.withResolvers<true>()
      called.set(nonce, () => call.resolve(true))
      let refused = false
      page.on('console', (message) => {
        refused ||= /Content Security Policy/i.test(message.text())
      })
      const came = (ms: number): Promise<boolean> =>
        Promise.race([call.promise, page.waitForTimeout(ms).then(() => false)])
      try {
        await visit(page, errand)
        if (await came(WAIT)) return { ran: 'load', refused, screenshot: await picture(ctx, page, nonce) }
        const link = page.locator(`[href*="${CALL}(${nonce})"]`).first()
        if ((await link.count()) > 0) {
          await link.click({ timeout: WAIT, noWaitAfter: true, force: true }).catch(notClickable)
          if (await came(WAIT)) return { ran: 'click', refused, screenshot: await picture(ctx, page, nonce) }
        }
        return { ran: null, refused, screenshot: null }
      } finally {
        called.delete(nonce)
        await page.close()
      }
    },
  }
}

/** A frame without an address of its own acts for the page around it. */
const hostOf = (frame: Frame): string => {
  let acting: Frame | null = frame
  while (acting?.parentFrame() && !URL.parse(acting.url())?.hostname) acting = acting.parentFrame()
  return URL.parse(acting?.url() ?? '')?.hostname ?? ''
}

/** What is covered or out of sight cannot be clicked by a visitor either. */
const notClickable = (error: unknown): void => {
  if (!(error instanceof Error && error.name === 'TimeoutError')) throw error
}

const visit = async (page: Page, { method, url, body }: Errand): Promise<void> => {
  try {
    if (method === 'GET' || body === null) {
      await page.goto(url, { waitUntil: 'load', timeout: LOAD })
      return
    }
    const inputs = body.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return { name: decoded(name), value: decoded(value) }
    })
    await page.goto('about:blank')
    await Promise.all([
      page.waitForURL((to) => to.href !== 'about:blank', { waitUntil: 'load', timeout: LOAD }),
      page.evaluate(submit({ url, inputs })),
    ])
  } catch (error) {
    // A page that loads for ever, or that our call replaced, may still have run what it holds.
    if (!(error instanceof Error) || !/Timeout|net::ERR|interrupted|Navigation/i.test(`${error.name} ${error.message}`))
      throw error
  }
}

/** Runs in the page: a form as an attacker's own site would send it. */
const submit = (form: { readonly url: string; readonly inputs: readonly { name: string; value: string }[] }): string =>
  `(({ url, inputs }) => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = url
    for (const { name, value } of inputs) {
      const input = document.createElement('textarea')
      input.name = name
      input.value = value
      form.append(input)
    }
    document.body.append(form)
    HTMLFormElement.prototype.submit.call(form)
  })(${JSON.stringify(form)})`

const picture = async (ctx: CollectContext, page: Page, nonce: number): Promise<EvidenceRef | null> => {
  try {
    const body = await page.screenshot({ timeout: 3_000 })
    return ctx.evidence({ filename: `executed-${nonce}.png`, contentType: 'image/png', body })
  } catch (error) {
    // The proof is the call; a page that cannot be drawn in time is proven all the same.
    if (error instanceof Error && error.name === 'TimeoutError') return null
    throw error
  }
}
