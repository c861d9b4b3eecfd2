/** Which values of forms people have put there, and which the crawl has made up because nothing stood there. */
import { NO_FILE } from '../../sample-files.ts'
import { codeOf } from '../effects/shown.ts'
import { type Field, MADE_UP } from './facts.ts'

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
export const withReal = (
  fields: readonly Field[],
  others: readonly Field[],
  marker: string | null,
): readonly Field[] => {
  if (marker === null) return fields
  const real = new Map(
    others.flatMap((field) =>
      TEXTS.includes(field.type) && field.value !== '' && !isMade(field, marker) ? [[field.name, field] as const] : [],
    ),
  )
  return fields.map((field) => (isMade(field, marker) ? (real.get(field.name) ?? field) : field))
}

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
export const withFiles = (fields: readonly Field[], others: readonly Field[]): readonly Field[] => {
  const files = new Set(others.filter(({ type }) => type === 'file').map(({ name }) => name))
  return fields.map((field) => (files.has(field.name) && field.type !== NO_FILE ? { ...field, type: 'file' } : field))
}
