/**
 * Forms that show what they hold, as settings of an account do: what stood there before a module wrote, and the putting back of it once none
 * writes any more. On test systems, as nothing is written elsewhere. What a form makes anew each time stays, and is told for cleaning up.
 */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { type HtmlForm, type HtmlInput, readHtml } from '../../../page/html.ts'
import { mayShow } from '../../../page/shape.ts'
import { textOf } from '../../../page/text.ts'
import type { GetPage } from '../effects/pages.ts'
import { encodeValue } from './body.ts'
import type { ProbeRequest } from './inventory.ts'
import { isHiddenToken, isToken, isTokenField } from './tokens.ts'

export interface FirstValues {
  /** Before anything is sent to the form of the request: its page is read, once. `form`: where the request does not tell it. */
  readonly note: (request: ProbeRequest, get: GetPage, form?: string) => Promise<void>
  /** A module begins that may write; what it gives back says that it has ended, and, once, whether it was the last of them. */
  readonly enter: () => () => boolean
  /**
   * Sends the forms that show something else than what stood there with that again. Gives the requests whose page then shows it; those of
   * earlier times among them.
   */
  readonly putBack: (parts: PutBackParts) => Promise<readonly string[]>
}

export interface PutBackParts {
  readonly get: GetPage
  /** With the token of now, where it needs one. */
  readonly send: (request: ProbeRequest, http: HttpRequest) => Promise<void>
  readonly isOver: () => boolean
}

/** Forms whose pages are read; the settings of an application are few. */
const MOST_FORMS = 120

interface Stood {
  readonly request: ProbeRequest
  readonly page: string
  readonly held: Held
}

/** What a form holds, and the names of its buttons. */
interface Held {
  readonly pairs: readonly Pair[]
  readonly buttons: ReadonlySet<string>
}

interface Pair {
  readonly name: string
  readonly value: string
  /** Nobody sees it: which record it is, a token. */
  readonly isHidden: boolean
}

export const createFirstValues = (): FirstValues => {
  const noted = new Map<string, Promise<Stood | null>>()
  const back = new Set<string>()
  const writing = new Set<symbol>()
  return {
    note: async (request, get, form = request.form ?? request.id) => {
      if (noted.size < MOST_FORMS && !noted.has(form) && isKept(request)) noted.set(form, stoodIn(request, get))
      await noted.get(form)
    },
    enter: () => {
      const own = Symbol('a module')
      writing.add(own)
      return () => writing.delete(own) && writing.size === 0
    },
    putBack: async (parts) => {
      for (const one of noted.values()) {
        const stood = await one
        if (stood !== null && !parts.isOver() && (await setBack(stood, parts))) back.add(stood.request.id)
      }
      return [...back]
    },
  }
}

const isKept = ({ method, body, headers, asNobody, signsIn, deletes }: ProbeRequest): boolean =>
  method === 'POST' &&
  body !== null &&
  headers.some(([name, value]) => /^content-type$/i.test(name) && /urlencoded/i.test(value)) &&
  asNobody === undefined &&
  signsIn === undefined &&
  deletes === undefined

/** Null where its page has no such form, or one that holds nothing, as those do by which something is made. */
const stoodIn = async (request: ProbeRequest, get: GetPage): Promise<Stood | null> => {
  const page = request.seenOn.find(mayShow)
  const held = page === undefined ? null : await heldAt(request, page, get)
  if (page === undefined || held === null) return null
  return held.pairs.some(({ value, isHidden }) => !isHidden && value !== '') ? { request, page, held } : null
}

/** As a browser would send the form of the page untouched; null where it has none, or one whose values a page does not tell. */
const heldAt = async (request: ProbeRequest, page: string, get: GetPage): Promise<Held | null> => {
  const exchange = await get(page)
  if (exchange?.status !== 200) return null
  const names = new Set(new URLSearchParams(request.body ?? '').keys())
  const form = readHtml(textOf(exchange), page).forms.find((one) => isFormOf(one, request, names))
  if (form === undefined || form.inputs.some(isUntold)) return null
  return {
    pairs: form.inputs.filter(isSent).map(({ name, value, type }) => ({ name, value, isHidden: type === 'hidden' })),
    buttons: new Set(form.inputs.filter(isButton).map(({ name }) => name)),
  }
}

const isFormOf = ({ method, action, inputs }: HtmlForm, { url }: ProbeRequest, names: ReadonlySet<string>): boolean => {
  const own = new Set(inputs.map(({ name }) => name))
  return method === 'post' && addressOf(action ?? '') === addressOf(url) && [...names].every((name) => own.has(name))
}

/** Without a token: that is another one each time. */
const addressOf = (url: string): string => {
  const { origin, pathname, searchParams } = URL.parse(url) ?? new URL('about:blank')
  return JSON.stringify([origin, pathname, [...searchParams].filter(([name, value]) => !isTokenLike(name, value))])
}

const isUntold = ({ type, attributes }: HtmlInput): boolean => attributes.multiple !== undefined || type === 'file'

const isButton = ({ tag, type }: HtmlInput): boolean =>
  tag === 'button' || ['submit', 'button', 'image', 'reset'].includes(type)

const isSent = (input: HtmlInput): boolean => {
  const { type, name, checked, attributes } = input
  if (name === '' || attributes.disabled !== undefined || isButton(input)) return false
  return checked || !['radio', 'checkbox'].includes(type)
}

const setBack = async (stood: Stood, { get, send }: PutBackParts): Promise<boolean> => {
  const { request, page, held } = stood
  const now = await heldAt(request, page, get)
  // Another record stands there by now: what is somebody else's is left alone.
  if (now === null || handedOf(held) !== handedOf(now) || seenOf(held) === seenOf(now)) return false
  const current = new Map(now.pairs.map(({ name, value }) => [name, value]))
  const values = held.pairs.map(({ name, value, isHidden }) =>
    isHidden && isTokenLike(name, value) ? [name, current.get(name) ?? value] : [name, value],
  )
  // What was pressed tells the program what is to be done.
  const pressed = [...new URLSearchParams(request.body ?? '')].filter(([name]) => held.buttons.has(name))
  const body = [...values, ...pressed].map(([name = '', value = '']) => `${encodeValue(name)}=${encodeValue(value)}`)
  const { url, method, headers } = request
  await send(request, { url, method, headers, body: body.join('&') })
  const then = await heldAt(request, page, get)
  return then !== null && seenOf(held) === seenOf(then)
}

/** Which record it is, and what else the page gives a form along. */
const handedOf = ({ pairs }: Held): string =>
  JSON.stringify(
    pairs.flatMap(({ name, value, isHidden }) => (isHidden && !isTokenLike(name, value) ? [[name, value]] : [])),
  )

const seenOf = ({ pairs }: Held): string =>
  JSON.stringify(pairs.flatMap(({ name, value, isHidden }) => (isHidden ? [] : [[name, value]])))

const isTokenLike = (name: string, value: string): boolean =>
  isTokenField(name) || isToken(name, value) || isHiddenToken(name, value, 'hidden')
