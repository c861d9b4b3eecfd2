/** What of a request that writes can carry something by which its owner is seen to have got it: a text, or else a number. */

import { randomBytes, randomInt } from 'node:crypto'
import { plainName, singular } from '../../../page/names.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { isForm } from './form-fields.ts'
import type { Operation, Slot } from './operations.ts'

export interface Field {
  /** JSON Pointer, or name of a form's field. */
  readonly at: string
  readonly name: string
  /** How many of a thing there are: what is sent is a number. */
  readonly isCount?: true
  /** A day, as dates are written by machines (ISO 8601). */
  readonly isDay?: true
}

const TEXT =
  /name|title|note|text|comment|message|description|subject|body|content|label|summary|remark|reason|bio|city|nick|street|item|topic|colour|color|caption|memo|place|company/i
const NEVER =
  /password|passwd|secret|token|mail|user_?name|log_?in|account|phone|iban|card|role|status|state|type|kind|^id$|_id$|[a-z]Id$|url|date/i
const COUNT = /^(?:quantity|qty|count|pieces|rating|stars|anzahl|menge)$/i

const DAY = /^\d{4}-\d\d-\d\d$/

/** Texts that people read; where there are none, a day, or one number of JSON. */
export const fieldsOf = ({ template }: Pick<Operation, 'template'>): readonly Field[] => {
  const leaves = template.encoding === 'json' ? leavesOf(template.body ?? '') : []
  const given = isForm(template)
    ? template.fields.filter(({ type }) => type !== 'file').map(({ name, value }) => ({ at: name, name, value }))
    : leaves.map(([at, value]) => ({ at, name: at.slice(at.lastIndexOf('/') + 1), value }))
  const fields = given.map(({ at, name }) => ({ at, name }))
  if (fields.some(({ name }) => /passw|pwd|secret/i.test(name))) return []
  const named = fields.filter(({ name }) => TEXT.test(name) && !NEVER.test(name))
  const texts = named.length > 0 ? named : typedOf(template)
  const counts = leaves.flatMap(([at, value]): Field[] => {
    const name = at.slice(at.lastIndexOf('/') + 1)
    return COUNT.test(name) && /^\d{1,6}$/.test(value) ? [{ at, name, isCount: true }] : []
  })
  const days = given.flatMap(({ at, name, value }): Field[] => (DAY.test(value) ? [{ at, name, isDay: true }] : []))
  return texts.length > 0 ? texts : [...days, ...counts].slice(0, 1)
}

/** Fields of a form in which people write, whatever they are called: a box of several lines, or a line that holds words. */
const typedOf = ({ fields }: Operation['template']): readonly Field[] =>
  fields
    .filter(
      ({ name, type, value }) =>
        !NEVER.test(name) &&
        (type === 'textarea' || (type === 'text' && /^\p{L}[\p{L}\p{M}' .-]{2,}$/u.test(value.trim()))),
    )
    .map(({ name }) => ({ at: name, name }))

/** What is written to be seen again: nothing that stands there already. `shown`: what its owner is shown. */
export const markerFor = (field: Field | undefined, shown: string): string => {
  if (field?.isCount) return countFor(field, shown)
  if (!field?.isDay) return `sonde${randomBytes(4).toString('hex')}`
  const two = (number: number): string => String(number).padStart(2, '0')
  const days = Array.from(
    { length: 20 },
    () => `20${randomInt(31, 60)}-${two(randomInt(1, 13))}-${two(randomInt(1, 29))}`,
  )
  return days.find((day) => !shown.includes(day)) ?? '2061-01-31'
}

/** A number that people would take, and that stands under the name nowhere in what its owner is shown. */
export const countFor = ({ name }: Field, shown: string): string => {
  for (let tries = 0; tries < 50; tries += 1) {
    const count = String(randomInt(11, 98))
    if (!isShown({ name, at: '', isCount: true }, count, shown)) return count
  }
  return String(randomInt(101, 998))
}

/** Whether what was sent in a field stands in a text: numbers, under the same name alone. */
export const isShown = ({ name, isCount }: Field, marker: string, text: string): boolean =>
  isCount
    ? new RegExp(`"${name.replace(/[^\w-]/g, '.')}"\\s*:\\s*"?${marker}(?![\\d.])`, 'i').test(text)
    : text.includes(marker)

/** Whether a member names the thing that stands in a path: `BasketId` and `/basket/7`. */
export const namesThing = ({ place, name }: Slot, other: Slot): boolean => {
  const stem = /^(.+?)_?(?:id|uuid|guid|no|number|key)$/i.exec(name)?.[1]
  return (
    place !== 'path' &&
    other.place === 'path' &&
    stem !== undefined &&
    singular(plainName(stem)) === singular(plainName(other.of ?? other.name))
  )
}
