/** Whose account a sign-in is for, as it is typed: for questions about that account alone, and never told. */

import type { SignIn } from '../contract/identity.ts'
import { accountFieldOf, PASSWORD_NAME, passwordFieldOf } from '../page/names.ts'

/** The name beside the password, or beside what is called otherwise; null where none can be told from the rest. */
export const accountOf = ({ request, steps }: SignIn): string | null => {
  const sent = (request?.requests ?? []).map(({ form = {}, json }) => [...Object.entries(form), ...textsIn(json)])
  const withSecret = sent.filter((own) => passwordFieldOf(own.map(([name]) => name)) !== undefined)
  for (const own of withSecret.length > 0 ? withSecret : sent.filter((one) => one.length > 1)) {
    const plain = own.filter(([name, value]) => PASSWORD_NAME.test(name) || isPlain(value))
    const field = accountFieldOf(plain.map(([name]) => name))
    const found = plain.find(([name]) => name === field)
    if (found) return found[1]
  }
  // What is filled in before the password.
  const filled = (steps?.steps ?? []).flatMap((one) =>
    one.do === 'fill' ? [[[one.on].flat().join(' '), one.value] as const] : [],
  )
  const secret = filled.findIndex(([on]) => PASSWORD_NAME.test(on))
  const before = filled[secret - 1]?.[1]
  return before !== undefined && isPlain(before) ? before : null
}

const isPlain = (value: string): boolean => value !== '' && !value.includes('{{')

const textsIn = (value: unknown): readonly (readonly [string, string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) =>
        typeof inner === 'string' ? [[name, inner] as const] : textsIn(inner),
      )
    : []
