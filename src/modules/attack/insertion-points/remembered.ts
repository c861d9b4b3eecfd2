/**
 * Forms that are sent by GET and whose values an application keeps for whoever is signed in: filters, orders, columns of a list. What is
 * asked there would stand in the account of the run's owner when the run is over, so on a production system it is not.
 */
import { randomInt } from 'node:crypto'
import { textOf } from '../../../page/text.ts'
import type { GetPage } from '../effects/pages.ts'
import type { ProbePoint } from './inventory.ts'
import type { Memory } from './shared.ts'

/** Shared by all modules of a run. */
export interface Remembered {
  /** By request. */
  readonly forms: Set<string>
  /** By place. */
  readonly places: Memory<boolean>
}

export interface Remembering {
  /** Sends the form with this value at the place; with null as it was found. */
  readonly send: (value: string | null) => Promise<unknown>
  readonly get: GetPage
}

/**
 * Whether the page that has the form says afterwards, by itself, what it was sent: once, with a word that means nothing. The form is then sent
 * as it was found, which sets it back.
 */
export const isRemembered = (
  { forms, places }: Remembered,
  key: string,
  point: ProbePoint,
  { send, get }: Remembering,
): Promise<boolean> => {
  const { id, formPage } = point.request
  if (formPage === undefined || point.place !== 'query') return Promise.resolve(false)
  if (forms.has(id)) return Promise.resolve(true)
  const look = async (): Promise<boolean> => {
    const word = `qk${randomInt(1e9, 1e10)}`
    await send(word)
    const page = await get(formPage)
    if (page === null || !textOf(page).includes(word)) return false
    forms.add(id)
    await send(null)
    return true
  }
  return places(key, look)
}
