/** Pictures of pages without the secrets of the run: what a page shows of them is painted over, then shown again. */
import type { BrowserContext, Frame, JSHandle, Page } from 'playwright-core'
import { within } from '../../contract/within.ts'
import { isGone, type ModuleBrowser } from '../../modules/browser.ts'

/** For runs with credentials: a site may show them to their owner, and a picture cannot be looked through afterwards. */
export const maskingPictures = (browser: ModuleBrowser, text: (text: string) => string): ModuleBrowser => ({
  version: browser.version,
  close: browser.close,
  newContext: async (options) => {
    const context = await browser.newContext(options)
    if (options?.authenticated !== false) watchPages(context, text)
    return context
  },
})

const watchPages = (context: BrowserContext, text: (text: string) => string): void => {
  const open = context.newPage.bind(context)
  const masked = new WeakSet<Page>()
  const mask = (page: Page): Page => {
    if (masked.has(page)) return page
    masked.add(page)
    const draw = page.screenshot.bind(page)
    page.screenshot = async (options) => {
      const undo = await within(PATIENCE, hideTexts(page, text), late)
      try {
        return await draw(options)
      } finally {
        await undo()
      }
    }
    return page
  }
  context.newPage = async () => mask(await open())
  context.on('page', mask)
}

/** Milliseconds to look through a page; one that takes longer is not drawn. */
const PATIENCE = 3_000

const late = (): Error =>
  Object.assign(new Error('Timeout: the page could not be looked through'), { name: 'TimeoutError' })

/** Gives back what shows them again. */
const hideTexts = async (page: Page, text: (text: string) => string): Promise<() => Promise<void>> => {
  const undoes = await Promise.all(page.frames().map((frame) => hideTextsIn(frame, text)))
  return async () => {
    await Promise.all(undoes.map((undo) => undo()))
  }
}

/** Something that shows a text: a text node, a field, or an attribute that is drawn. */
interface Shown {
  text: string
}

const hideTextsIn = async (frame: Frame, text: (text: string) => string): Promise<() => Promise<void>> => {
  const handle = await gone(frame.evaluateHandle<Shown[]>(SHOWN_TEXTS))
  if (handle === null) return async () => undefined
  const before = await handle.evaluate((list: Shown[]) => list.map((one) => one.text))
  const changes = before.flatMap((shown, index) => {
    const cleaned = text(shown)
    return cleaned === shown ? [] : [{ index, shown, cleaned }]
  })
  await write(
    handle,
    changes.map(({ index, cleaned }) => ({ index, text: cleaned })),
  )
  return async () => {
    await gone(
      write(
        handle,
        changes.map(({ index, shown }) => ({ index, text: shown })),
      ),
    )
    await gone(handle.dispose())
  }
}

const write = async (
  handle: JSHandle<Shown[]>,
  texts: readonly { readonly index: number; readonly text: string }[],
): Promise<void> => {
  if (texts.length === 0) return
  await handle.evaluate((list, given) => {
    for (const { index, text } of given) {
      const one = list[index]
      if (one) one.text = text
    }
  }, texts)
}

/** Null where frame or page have gone meanwhile: they show nothing any more. */
const gone = async <Value>(work: Promise<Value>): Promise<Value | null> => {
  try {
    return await work
  } catch (error) {
    if (isGone(error) || (error instanceof Error && /navigat/i.test(error.message))) return null
    throw error
  }
}

/**
 * Runs in the page: what shows a text, at most 50,000 of them. Text nodes, fields and drawn attributes, within open
 * shadow roots too.
 */
const SHOWN_TEXTS = `(() => {
  const list = []
  const add = (node, read, write) => {
    if (read(node).length >= 4) list.push({ get text() { return read(node) }, set text(next) { write(node, next) } })
  }
  const roots = [document]
  while (roots.length > 0) {
    const walker = document.createTreeWalker(roots.pop(), NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node !== null && list.length < 50000; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) {
        add(node, (one) => one.data, (one, next) => { one.data = next })
        continue
      }
      if (node.shadowRoot) roots.push(node.shadowRoot)
      const field = node instanceof HTMLTextAreaElement
        || (node instanceof HTMLInputElement && !/^(?:checkbox|radio|file|image|password|hidden)$/.test(node.type))
      if (field) add(node, (one) => one.value, (one, next) => { one.value = next })
      for (const name of ['placeholder', 'alt']) {
        add(node, (one) => one.getAttribute(name) ?? '', (one, next) => { one.setAttribute(name, next) })
      }
    }
  }
  return list
})()`
