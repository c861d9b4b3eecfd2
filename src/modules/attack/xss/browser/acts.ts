/**
 * What a visitor does with an element that holds the call: point at it, click, type, send its form. What is not to be
 * seen has at most an access key; where nothing can be done, nothing happens and nothing fails.
 */
import type { ElementHandle, Page } from 'playwright-core'
import { CALL } from '../payloads/calls.ts'
import { bringIntoView, tolerant } from './approach.ts'

const MOST_ELEMENTS = 4

/** What the element does by itself is no act. */
const BY_ITSELF = /^on(?:load|error|begin|start|toggle|animation|transition|contentvisibility|pageshow|message)/

/**
 * Acts on each element whose attributes hold the call, until `mayContinue` is false. False where there was nothing to do.
 */
export const actOn = async (page: Page, nonce: number, mayContinue: () => boolean): Promise<boolean> => {
  let acted = false
  for (const frame of page.frames().slice(0, MOST_ELEMENTS)) {
    let found: ElementHandle[] = []
    await tolerant(
      frame.$$(`xpath=//*[@*[contains(., '${nonce}')]]`).then((list) => {
        found = list
      }),
    )
    for (const element of found.slice(0, MOST_ELEMENTS)) {
      let names: readonly string[] = []
      await tolerant(
        element.evaluate(namesOf, CALL).then((list) => {
          names = list
        }),
      )
      for (const name of names) {
        if (!mayContinue() || page.isClosed()) return acted
        if (BY_ITSELF.test(name)) continue
        acted = true
        await tolerant(act(page, element, name))
      }
    }
  }
  return acted
}

/** What these pages' functions use of an element: this project has no types of the DOM. */
interface Shown {
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  readonly form?: Form | null
  readonly closest: (selector: string) => Form | null
}
interface Form {
  readonly elements?: Iterable<{ required: boolean }>
  readonly reset?: () => void
  readonly requestSubmit?: () => void
}

/** Runs in the page. */
const namesOf = (element: unknown, call: string): readonly string[] =>
  [...(element as Shown).attributes].filter(({ value }) => value.includes(call)).map(({ name }) => name)

/** Runs in the page. Fields that have to be filled would be. */
const finish = (element: unknown, way: string): void => {
  const form = (element as Shown).form ?? (element as Shown).closest('form')
  for (const field of form?.elements ?? []) field.required = false
  if (way === 'onreset') form?.reset?.()
  else form?.requestSubmit?.()
}

const act = async (page: Page, element: ElementHandle, name: string): Promise<void> => {
  if (/^on(?:submit|reset)$|^action$/.test(name)) {
    await element.evaluate(finish, name)
    return
  }
  if (!(await element.isVisible())) {
    if (name === 'onclick') await page.keyboard.press('Alt+x')
    return
  }
  await bringIntoView(element)
  if (/^on(?:focus|blur|key|input|change|beforeinput|select|paste|cut|copy|invalid|search)/.test(name)) {
    await element.focus()
    await page.keyboard.type('a')
    await page.keyboard.press('Tab')
    return
  }
  const box = await element.boundingBox()
  if (!box) return
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 300)]
  await page.mouse.move(x, y)
  if (/over|enter|move/.test(name)) return
  if (/wheel|scroll/.test(name)) return page.mouse.wheel(0, 100)
  if (/contextmenu|auxclick/.test(name)) return page.mouse.click(x, y, { button: 'right' })
  await page.mouse.click(x, y, { clickCount: /dbl/.test(name) ? 2 : 1 })
  if (/out|leave/.test(name)) await page.mouse.move(0, 0)
}
