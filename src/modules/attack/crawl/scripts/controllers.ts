/** Stimulus (https://stimulus.hotwired.dev/reference/values): what elements of a page hand to the controllers that they name. */
import type { HtmlElement } from '../../../../page/html.ts'
import type { Globals } from './globals.ts'
import { text, type Value } from './value.ts'

const MOST_VALUES = 400
const MOST_CONTROLLERS = 20
const LONGEST = 300

/** `data-rooms-url-value="/rooms/3"` of an element with `data-controller="rooms"`: `rooms#urlValue`. What was given first stays. */
export const learnControllers = (globals: Globals, elements: readonly Pick<HtmlElement, 'attributes'>[]): void => {
  for (const { attributes } of elements) {
    const controllers = (attributes['data-controller'] ?? '').split(/\s+/).filter(Boolean).slice(0, MOST_CONTROLLERS)
    for (const [name, value] of Object.entries(attributes)) {
      if (!name.endsWith(ENDING) || value === '' || value.length > LONGEST) continue
      for (const controller of controllers) {
        const begin = `data-${controller}-`
        if (!name.startsWith(begin) || name.length <= begin.length + ENDING.length) continue
        const member = name
          .slice(begin.length, -ENDING.length)
          .replace(/-+([a-z\d])/g, (_, one: string) => one.toUpperCase())
        const key = `${controller}#${member}Value`
        if (globals.size < MOST_VALUES && !globals.has(key)) globals.set(key, text(value))
      }
    }
  }
}
const ENDING = '-value'

/** By which name pages call the controller in a file: `controllers/admin/line_controller` is `admin--line`. Null of any other file. */
export const controllerIn = (file: string): string | null => {
  const path = file.replace(/[?#].*$/s, '').replace(/-[\da-f]{8,64}(?=\.\w+$|$)/, '')
  const whole = /(?:^|\/)controllers\/((?:[\w-]{1,60}\/){0,4}[\w-]{1,60}?)[_-]controller(?:\.[cm]?[jt]s)?$/.exec(
    path,
  )?.[1]
  const alone = /(?:^|\/)([\w-]{1,60}?)[_-]controller(?:\.[cm]?[jt]s)?$/.exec(path)?.[1]
  const name = whole ?? alone
  return name === undefined ? null : name.replaceAll('/', '--').replaceAll('_', '-')
}

/** Of the controller in this file; in a file of many, where one alone is handed a value of that name. Null where there is none. */
export const valueOfController = (globals: Globals, controller: string | null, member: string): Value | null => {
  if (!member.endsWith('Value')) return null
  const own = controller === null ? undefined : globals.get(`${controller}#${member}`)
  if (own !== undefined || controller !== null) return own ?? null
  const all = [...globals].filter(([key]) => key.endsWith(`#${member}`))
  return all.length === 1 ? (all[0]?.[1] ?? null) : null
}
