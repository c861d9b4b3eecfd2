/** Requests by which people sign in: what they look a person up by reads, whatever its method. */
import { PASSWORD_NAME } from '../../../page/names.ts'
import { isSafe } from '../../../safety/effect.ts'
import { setsAccount } from '../../../safety/storing.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import type { ProbeRequest } from './inventory.ts'
import { leavesOf } from './points.ts'

/**
 * Whether what matches may be more than before: by a safe method, or where a sign-in has shown to read and may be sent freely.
 * Behind others each record that matches may be changed.
 */
export const mayWiden = ({
  method,
  effect,
  bound,
  signsIn = false,
}: Pick<ProbeRequest, 'method' | 'effect' | 'bound' | 'signsIn'>): boolean =>
  isSafe(method) || (signsIn && effect === 'reads' && bound === undefined)

/**
 * One password alone, as two would set one, and no word that tells of an account that is made, changed or won back: where
 * `UPDATE … WHERE name = …` stands behind a form, a condition that holds for everybody changes everybody.
 */
export const isSignIn = (
  template: Pick<RequestTemplate, 'method' | 'url' | 'fields' | 'encoding' | 'body' | 'seenOn'>,
): boolean => {
  const { fields, encoding, body } = template
  const secrets =
    encoding === 'json'
      ? secretsIn(body ?? '').length
      : fields.filter(({ name, type }) => type === 'password' || PASSWORD_NAME.test(name)).length
  return secrets === 1 && !setsAccount(template)
}

/** Names of what a body sends; of JSON the pointers of its own members. */
export const namesIn = (body: string): readonly string[] =>
  /^\s*\{/.test(body)
    ? leavesOf(body).flatMap(([pointer]) => (pointer.split('/').length === 2 ? [pointer] : []))
    : [...new URLSearchParams(body).keys()]

/** Of them, those that ask for a password. */
export const secretsIn = (body: string): readonly string[] => namesIn(body).filter((name) => PASSWORD_NAME.test(name))
