/** `{{name}}` within what is sent, and where in an answer its value stands. */
import type { Place } from '../contract/sign-in.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import { headerOf } from '../page/exchange.ts'
import { readHtml } from '../page/html.ts'
import { textOf } from '../page/text.ts'
import { SignInFailed } from './failure.ts'

export interface Values {
  /** @throws SignInFailed where a name has no value */
  readonly filled: (text: string) => Promise<string>
  /** Of JSON, each text within. */
  readonly filledJson: (value: unknown) => Promise<unknown>
  readonly learn: (name: string, value: string) => void
}

/** `code`: of the one-time password; asked once for each place where it stands. */
export const createValues = (code: (() => Promise<string>) | null): Values => {
  const known = new Map<string, string>()
  const resolved = async (name: string): Promise<string> => {
    const value = name === 'totp' ? await code?.() : known.get(name)
    if (value === undefined) throw new SignInFailed(`{{${name}}} has no value: no answer before has given it`)
    return value
  }
  const filled = async (text: string): Promise<string> => {
    const pieces = text.split(/\{\{(\w{1,40})\}\}/)
    const values = await Promise.all(pieces.map((piece, n) => (n % 2 === 0 ? piece : resolved(piece))))
    return values.join('')
  }
  const filledJson = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return filled(value)
    if (Array.isArray(value)) return Promise.all(value.map(filledJson))
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(async ([key, inner]) => [key, await filledJson(inner)] as const)
    return Object.fromEntries(await Promise.all(members))
  }
  return { filled, filledJson, learn: (name, value) => void known.set(name, value) }
}

/** Null where it is not there. `answers`: of one request, redirects included; a page is the last of them. */
export const valueAt = (
  place: Place,
  answers: readonly HttpExchange[],
  cookie: (name: string) => string | null,
): string | null => {
  const last = answers.at(-1)
  if (place.cookie !== undefined) return cookie(place.cookie)
  if (last === undefined) return null
  if (place.header !== undefined) {
    const { header } = place
    return answers.map((answer) => headerOf(answer, header.toLowerCase())).findLast((value) => value !== null) ?? null
  }
  // Of services that do not say what it is, too.
  if (place.pointer !== undefined) return atPointer(last.body.toString('utf8'), place.pointer)
  const page = readHtml(textOf(last), last.request.url)
  if (place.meta !== undefined) return page.metas.find(({ name }) => name === place.meta)?.content ?? null
  if (place.action !== undefined)
    return page.forms.find(({ inputs }) => inputs.some(({ name }) => name === place.action))?.action ?? null
  const inputs = [...page.forms.flatMap((form) => form.inputs), ...page.looseInputs]
  return inputs.find(({ name }) => name === place.field)?.value ?? null
}

export const titleOf = (place: Place): string =>
  Object.entries(place)
    .map(([kind, name]) => `${kind} "${name}"`)
    .join(', ')

/** RFC 6901. Texts and numbers; null for all else. */
export const atPointer = (text: string, pointer: string): string | null => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null // No JSON: nothing stands in it.
    throw error
  }
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = (value as Record<string, unknown>)[key]
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
