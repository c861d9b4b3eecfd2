/** What of a request that writes can carry something by which its owner is seen to have got it: a text, or else a number. */

import { randomInt } from 'node:crypto'
import { plainName, singular } from '../../../page/names.ts'
import { leavesOf } from '../insertion-points/points.ts'
import type { Operation, Slot } from './operations.ts'

export interface Field {
  /** JSON Pointer, or name of a form's field. */
  readonly at: string
  readonly name: string
  /** How many of a thing there are: what is sent is a number. */
  readonly isCount?: true
}

const TEXT =
  /name|title|note|text|comment|message|description|subject|body|content|label|summary|remark|reason|bio|city|nick/i
const NEVER =
  /password|passwd|secret|token|mail|phone|iban|card|role|status|state|type|kind|^id$|_id$|[a-z]Id$|url|date/i
const COUNT = /^(?:quantity|qty|count|pieces|rating|stars|anzahl|menge)$/i

/** Texts that people read; where there are none, one number of JSON. */
export const fieldsOf = ({ template }: Pick<Operation, 'template'>): readonly Field[] => {
  const leaves = template.encoding === 'json' ? leavesOf(template.body ?? '') : []
  const fields =
    template.encoding === 'urlencoded'
      ? template.fields.map(({ name }) => ({ at: name, name }))
      : leaves.map(([at]) => ({ at, name: at.slice(at.lastIndexOf('/') + 1) }))
  if (fields.some(({ name }) => /passw|pwd|secret/i.test(name))) return []
  const texts = fields.filter(({ name }) => TEXT.test(name) && !NEVER.test(name))
  const counts = leaves.flatMap(([at, value]): Field[] => {
    const name = at.slice(at.lastIndexOf('/') + 1)
    return COUNT.test(name) && /^\d{1,6}$/.test(value) ? [{ at, name, isCount: true }] : []
  })
  return texts.length > 0 ? texts : counts.slice(0, 1)
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
