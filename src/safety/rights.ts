/** Requests that give accounts rights or take them away, told by their names: nothing is written there but who, and what they may do. */
import { isSafe } from './effect.ts'
import { wordsOf } from './words.ts'

export const SETS_RIGHTS = 'it sets what an account may do'

interface Given {
  readonly name: string
  /** Somebody types it, so that it says more than who and what. */
  readonly typed: boolean
}

/**
 * `POST /members id:hidden role:select-one`, `PUT /users/3/role`, `PATCH /accounts/3 is_admin`. A profile that has its owner's role among other
 * things is more than that, and so is a new account; which accounts are shown is asked for without one that is named.
 */
export const setsRights = (method: string, address: string, given: readonly Given[]): boolean => {
  const { pathname, searchParams } = new URL(address)
  const names = [...given, ...[...searchParams.keys()].map((name) => ({ name, typed: false }))]
  const segments = pathname.split('/').filter(Boolean)
  const last = wordsOf((segments.at(-1) ?? '').replace(/\.\w{1,5}$/, '')).join(' ')
  if (isSafe(method) || given.length === 0) return false
  const isOf = OF_RIGHTS.test(last)
  const says = ({ name }: Given): boolean => isRight(name) || (isOf && isValue(name))
  if (given.some((one) => one.typed && !says(one) && !isWho(one.name)) || !given.some(says)) return false
  // What everybody of a role may do is set for whoever has it.
  if (OF_PERMISSIONS.test(last) && names.some(({ name }) => isRole(name))) return true
  return names.some(({ name }) => isWho(name)) || segments.slice(-3).some((one) => WHICH.test(one))
}

const RIGHT = '(?:roles?|permissions?|privileges?|rights?|admin|administrator|superuser|superadmin|staff|moderator)'
const IS_RIGHT = new RegExp(
  `^(?:(?:new|user|account|member|is|has) )*${RIGHT}(?: (?:ids?|names?|flag))?$|^(?:new )?(?:user|account|access|member) (?:level|type|groups?)$`,
  'u',
)
const OF_RIGHTS = new RegExp(
  `^(?:(?:set|change|update|edit|grant|assign|user|account) )*(?:${RIGHT}|make admin|promote|demote)$`,
  'u',
)
const OF_PERMISSIONS = /^(?:(?:set|change|update|edit) )?(?:permissions|privileges|rights)$/u
const IS_ROLE = /^(?:roles?|groups?)(?: ids?)?$/u
const IS_WHO =
  /^(?:(?:the|target|selected) )?(?:(?:user|account|member|person|employee|login) ?)?(?:ids?|uid)$|^(?:users?|accounts?|members?|person|people|user ?names?|login)$/u
const IS_VALUE = /^(?:value|name|level|new|to)$/u
/** A number, or a key that nobody thinks up. */
const WHICH = /^(?:\d+|[\da-f]{8}-[\da-f-]{27}|[\da-f]{24}|\{[\w-]+\})$/i

const isRight = (name: string): boolean => IS_RIGHT.test(wordsOf(name).join(' '))
const isRole = (name: string): boolean => IS_ROLE.test(wordsOf(name).join(' '))
const isWho = (name: string): boolean => IS_WHO.test(wordsOf(name).join(' '))
const isValue = (name: string): boolean => IS_VALUE.test(wordsOf(name).join(' '))
