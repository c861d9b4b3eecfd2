/** Views of an application that one document draws: which one is shown, the way to another, and what stays while it changes. */
import type { Page } from 'playwright-core'
import { hashRouteOf, withoutHash } from '../../../../page/shape.ts'
import { inPageScript } from '../../../in-page.ts'
import { tolerant } from './approach.ts'
import type { Pressable, Standing } from './pressable.ts'

const LEADING = new URL('../in-page/leading.ts', import.meta.url)
const STANDING = new URL('../in-page/standing.ts', import.meta.url)

/** Another path is another view, and another route behind the #. */
export const shownAt = (address: string): string =>
  `${URL.parse(address)?.pathname ?? address}#${(hashRouteOf(address) ?? '').split('?')[0]}`

/** Where the page stands in the history of its window, 0 where it cannot tell. */
export const depthOf = (page: Page): Promise<number> => asked(page, 'window.navigation?.currentEntry?.index ?? 0', 0)

/** Back to a view that was left. `depth`: where it stood in the history. False where the page does not come to it. */
export const leadBack = async (
  page: Page,
  home: string,
  depth: number,
  settle: () => Promise<unknown>,
): Promise<boolean> => {
  const steps = (await depthOf(page)) - depth
  // What was put in the place of the view before has no way back of its own.
  if (steps > 0) await asked(page, `(${inPageScript(LEADING)})(${-steps})`, null)
  else await leadTo(page, home)
  await settle()
  return shownAt(page.url()) === shownAt(home)
}

/** By its own router. Nothing happens where the address is of another site. */
export const leadTo = async (page: Page, to: string): Promise<void> => {
  if (URL.parse(page.url())?.origin !== URL.parse(to)?.origin) return
  await asked(page, `(${inPageScript(LEADING)})(${JSON.stringify(to)})`, null)
}

/** What stands on a view of an application and on others, each as it is here and as it is on the view that all are compared with. */
export interface Frame {
  readonly application: string
  /** The view that all are compared with. */
  readonly view: string
  readonly stood: readonly { readonly here: Pressable; readonly there: Pressable }[]
}

/** `views`: two addresses; the first shows the view that all are compared with. Null where the application shows no other view for them. */
export const frameOn = async (
  page: Page,
  views: readonly string[],
  settle: () => Promise<unknown>,
): Promise<Frame | null> => {
  const script = `(${inPageScript(STANDING)})()`
  const here = shownAt(page.url())
  await asked(page, script, null)
  for (const to of views) {
    await leadTo(page, inDocument(page.url(), to))
    await settle()
    const view = shownAt(page.url())
    if (view === here) continue
    const standing = await asked<Standing | null>(page, script, null)
    if (standing?.isAnother !== true) return null
    // What the first of them shows is the view itself: there it is.
    const isThat = to !== views[0]
    const stood = standing.stood.map(({ then, now }) => ({ here: then, there: isThat ? then : now }))
    return { application: standing.application, view: isThat ? here : view, stood }
  }
  return null
}

/** With the query that its document has by now: of the way back between two queries not every router hears. */
const inDocument = (now: string, to: string): string => {
  const route = hashRouteOf(to)
  return route === null ? to : `${withoutHash(now)}#${route}`
}

/** `otherwise` where the page is gone. */
const asked = async <Value>(page: Page, script: string, otherwise: Value): Promise<Value> => {
  let answer = otherwise
  await tolerant(
    page.evaluate<Value>(script).then((given) => {
      answer = given
    }),
  )
  return answer
}
