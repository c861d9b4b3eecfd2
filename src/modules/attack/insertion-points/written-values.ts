/** What requests that may have stored something were filled with, for cleaning up: such values as do not hold the marker of the run, which finds the others. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { isSecretName } from '../../../page/names.ts'
import type { WrittenValue } from './facts.ts'
import type { ProbeRequest } from './inventory.ts'
import { jsonLeaves } from './leaves.ts'

/** Of a form so many, and characters of each. */
const MOST_VALUES = 120
const LONGEST = 100

/** Whether an answer of this status leaves it open that something was stored: not where the site refuses (RFC 9110, 15.5), or where none came. */
export const mayHaveStored = (status: number): boolean => status > 0 && (status < 400 || status >= 500)

export interface WrittenValues {
  /** By which values of the run are found anyway; null where it has none. */
  marker: string | null
  /** `sent`: the request with what was put into it. */
  readonly note: (request: ProbeRequest, sent: HttpRequest) => void
  /** By the request that was filled. */
  readonly all: () => Readonly<Record<string, readonly WrittenValue[]>>
}

export const createWrittenValues = (): WrittenValues => {
  const known = new Map<string, Map<string, WrittenValue>>()
  const written: WrittenValues = {
    marker: null,
    note: (request, sent) => {
      const isMarked = ({ value }: WrittenValue): boolean => written.marker !== null && value.includes(written.marker)
      const values = known.get(request.id) ?? new Map<string, WrittenValue>()
      for (const one of changedIn(request, sent))
        if (values.size < MOST_VALUES && !isMarked(one)) values.set(`${one.field} ${one.value}`, one)
      if (values.size > 0) known.set(request.id, values)
    },
    all: () => Object.fromEntries([...known].map(([id, values]) => [id, [...values.values()]])),
  }
  return written
}

/** Fields of the address and the body that hold another value than they were found with; what a password or a token was made is nobody's to read. */
const changedIn = (request: ProbeRequest, sent: HttpRequest): readonly WrittenValue[] => {
  const before = new Map(valuesOf(request.url, request.body).map(({ field, value }) => [field, value]))
  const body = typeof sent.body === 'string' ? sent.body : null
  return valuesOf(sent.url, body)
    .filter(({ field, value }) => value !== '' && before.get(field) !== value && !isSecretName(field))
    .map(({ field, value }) => ({ field, value: value.slice(0, LONGEST) }))
}

const valuesOf = (url: string, body: string | null): readonly WrittenValue[] => [
  ...pairsOf(URL.parse(url)?.search ?? ''),
  ...(URL.parse(url)?.pathname.split('/') ?? []).map((value, at) => ({ field: `path ${at}`, value })),
  ...(body === null || body === '' ? [] : bodyOf(body)),
]

const pairsOf = (text: string): readonly WrittenValue[] =>
  [...new URLSearchParams(text)].map(([field, value]) => ({ field, value }))

/** JSON by its leaves, parts of a form each, pairs; anything else is one value. */
const bodyOf = (body: string): readonly WrittenValue[] => {
  if (/^\s*[[{]/.test(body)) {
    const leaves = jsonLeaves(body)
    return leaves.length > 0 ? leaves.map(([field, value]) => ({ field, value })) : [whole(body)]
  }
  const parts = [...body.matchAll(PART)].map(([, field = '', value = '']) => ({ field, value }))
  if (parts.length > 0) return parts
  return /^\s*</.test(body) ? [whole(body)] : pairsOf(body)
}

const whole = (value: string): WrittenValue => ({ field: 'body', value })

/** Of a body in parts (RFC 7578); of each its beginning. */
const PART =
  /^content-disposition: form-data; name="([^"\r\n]{0,200})"[^\r\n]{0,400}\r\n(?:[^\r\n]{1,400}\r\n){0,4}\r\n([^\r\n]{0,400})/gim
