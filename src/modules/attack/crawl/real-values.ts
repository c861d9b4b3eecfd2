/** Which values of forms people have put there, and which the crawl has made up because nothing stood there. */
import { jsonTreeOf } from '../../../page/json.ts'
import { NO_FILE } from '../../sample-files.ts'
import { codeOf } from '../effects/shown.ts'
import { type Field, MADE_UP, type RequestTemplate } from './facts.ts'

const TEXTS = ['text', 'search', 'textarea', '']

export const isMade = ({ value, type }: Field, marker: string | null): boolean =>
  TEXTS.includes(type) && (value === MADE_UP || (marker !== null && value.startsWith(marker)))

const isMarked = (field: Field): boolean => isMade(field, null)

/** Whether one of them is made up, and says nothing of who has. */
export const isMadeUp = (fields: readonly Field[] = []): boolean => fields.some(isMarked)

export const marked = (fields: readonly Field[] = [], value: string): readonly Field[] =>
  fields.map((field) => (isMarked(field) ? { ...field, value } : field))

/**
 * What another page fills in the same form stands in place of what was made up: a message to somebody is written from their profile, and to nobody
 * from the list of messages, where it is refused. Not without a marker, where nothing may be stored: nobody is to get it then.
 */
const withReal = (fields: readonly Field[], others: readonly Field[], marker: string | null): readonly Field[] => {
  if (marker === null) return fields
  const real = new Map(
    others.flatMap((field) =>
      TEXTS.includes(field.type) && field.value !== '' && !isMade(field, marker) ? [[field.name, field] as const] : [],
    ),
  )
  return fields.map((field) => (isMade(field, marker) ? (real.get(field.name) ?? field) : field))
}

/** Fields and body of what is sent, with what is real of another that is sent alike; as they are where nothing may be stored. */
export const realOf = (
  { fields, body, encoding }: RequestTemplate,
  other: Pick<RequestTemplate, 'fields' | 'body'>,
  marker: string | null,
): Pick<RequestTemplate, 'fields' | 'body'> => ({
  fields: withFiles(withReal(fields, other.fields, marker), other.fields),
  body: encoding === 'json' && marker !== null ? withRealMembers(body, other.body) : body,
})

/** Likewise in a body of JSON, of members of the same names: what a script sends where nothing was typed finds what its site has. */
const withRealMembers = (body: string | null, other: string | null): string | null => {
  const [own, real] = [body, other].map((text) => (text === null ? undefined : jsonTreeOf(text)))
  if (body === null || own === undefined || real === undefined) return body
  const filled = filledIn(own, real)
  return filled === own ? body : JSON.stringify(filled)
}

/** The same value where nothing was put in. */
const filledIn = (own: unknown, real: unknown): unknown => {
  if (own === MADE_UP) return typeof real === 'string' && real !== '' ? real : own
  if (!isRecord(own) || !isRecord(real)) return own
  const members = Object.entries(own).map(([name, value]) => [name, filledIn(value, real[name])] as const)
  return members.every(([name, value]) => value === own[name]) ? own : Object.fromEntries(members)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands in the values that were made up, of each entry its own; null where nothing may be stored. */
export const createMarks = (marker: string | null) => {
  const codes = new Map<string, string>()
  const of = (key: string): string | null => {
    if (marker === null) return null
    const own = codes.get(key) ?? codeOf(codes.size)
    codes.set(key, own)
    return `${marker}${own}`
  }
  return { codes, of }
}

/** A script names a variable where a page has chosen a file. */
const withFiles = (fields: readonly Field[], others: readonly Field[]): readonly Field[] => {
  const files = new Set(others.filter(({ type }) => type === 'file').map(({ name }) => name))
  return fields.map((field) => (files.has(field.name) && field.type !== NO_FILE ? { ...field, type: 'file' } : field))
}
