/**
 * Objects that are somebody's as their sign-in says: its answer, or a token in it, names them beside the account. Programs abbreviate
 * there, as nothing else is near: `bid` of a basket, `cart_id`, `customer`.
 */
import { jsonTreeOf } from '../../../page/json.ts'
import { tokensIn } from '../../../page/jwt.ts'
import { plainName, singular } from '../../../page/names.ts'
import type { RunSession } from '../../module.ts'

import type { Slot } from './operations.ts'

export type SignInAnswer = ReturnType<NonNullable<RunSession['answers']>>[number]

const MOST = 200
const DEEPEST = 5
/** What a number there is, beside an object's. */
const OTHER = /^(?:exp|iat|nbf|expires?(?:in|at)?|ttl|role|status|level|version|count|lastip|code)/
const VALUE = /^(?:\d{1,18}|[\w-]{4,64}|[\w.+-]{1,64}@[\w.-]{1,190})$/

/** By a place of a request: what stands in it of whoever signed in. */
export const createOwnIds = (answers: readonly SignInAnswer[]): ((slot: Slot) => readonly string[]) => {
  const found: { readonly name: string; readonly holder: string; readonly value: string }[] = []
  const walk = (value: unknown, name: string, holder: string, depth: number): void => {
    if (found.length >= MOST || depth > DEEPEST) return
    if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value))
        walk(one, plainName(key), Array.isArray(value) ? holder : name, depth + 1)
      return
    }
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    if (VALUE.test(text) && !OTHER.test(name)) found.push({ name, holder, value: text })
  }
  for (const { text } of answers) {
    walk(jsonTreeOf(text), '', '', 0)
    for (const { claims } of tokensIn(text)) walk(claims, '', '', 0)
  }
  return (slot) => {
    const thing = singular(plainName(slot.of ?? slot.name))
    const wanted = plainName(slot.name)
    const isIt = ({ name, holder, value }: (typeof found)[number]): boolean =>
      (/mail/.test(wanted) && value.includes('@')) ||
      name === `${thing}id` ||
      (wanted.length > 2 && (name === wanted || name === thing)) ||
      (singular(holder) === thing && (name === 'id' || name === 'uuid')) ||
      // Its first letter alone, where it is no word of its own.
      (/^[a-z]id$/.test(name) && thing.length > 2 && name[0] === thing[0])
    return [...new Set(found.filter(isIt).map(({ value }) => value))]
  }
}
