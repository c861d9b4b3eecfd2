/** Which requests are one form: what may be sent so often is counted by it, and what one of them does they all do. */
import { createHash } from 'node:crypto'
import type { Asked } from './policy.ts'
import { ROUTING } from './words.ts'

/** What people type, and what a page hands along for its own record, makes no other form of it. */
const OF_A_RECORD = [
  'text',
  'search',
  'textarea',
  'password',
  'email',
  'tel',
  'url',
  'number',
  'date',
  'hidden',
  'file',
]

/**
 * Equal for the same method, host and path, names, choices and values that say what is to be done, whatever record it is about
 * and whether it is sent in the clear.
 */
export const formOf = ({ method, url, encoding, fields, body }: Asked): string => {
  const { host, pathname, searchParams } = new URL(url)
  const query = [...searchParams].map(([name, value]) => ({ name, value, type: 'hidden' }))
  const names = [...query, ...fields].map(({ name, value, type }) =>
    ROUTING.test(name) || !OF_A_RECORD.includes(type) ? `${name}=${value}` : name,
  )
  const shape = encoding === 'json' || encoding === 'xml' ? shapeOf(body ?? '') : ''
  const text = [method, host, pathname, ...names.toSorted(), shape].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Of a body: its names, and the text of what routes it. */
const shapeOf = (body: string): string =>
  [...body.slice(0, 20_000).matchAll(/"([\w-]{1,60})"\s*:\s*(?:"([^"\\]{0,200})")?|<([\w:.-]{1,60})/g)]
    .map(([, name = '', value = '', element = '']) =>
      element === '' ? (name === 'query' || ROUTING.test(name) ? `${name}=${value}` : name) : element,
    )
    .join(' ')
