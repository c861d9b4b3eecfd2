/** Words by which people and functions for few are called. */
import { plainName, singular } from '../../../page/names.ts'
import type { Slot } from './operations.ts'

const USERS =
  /^(?:user|profile|member|account|person|people|employee|author|contributor|colleague|contact|staff|student|teacher|player)$/
export const isUser = ({ name, of }: Slot): boolean =>
  [name, ...(of ?? '').split(' ')].map((text) => singular(plainName(text))).some(isUserWord) && !isNumbered(name, of)

/** An account that has a number is one at a bank or with a seller, and no person; `/account?number=700101`. */
const isNumbered = (name: string, of: string | null | undefined): boolean =>
  NUMBERED.test(plainName(name)) || (/^(?:number|no|nr|iban)$/.test(plainName(name)) && /\baccounts?$/i.test(of ?? ''))
const NUMBERED = /^accounts?(?:number|no|nr|iban)$/

/** A member that accounts of money have, and no profile. */
export const isOfMoney = ({ name }: { readonly name: string }): boolean =>
  /^(?:balance|overdraft|credit_?limit)$/.test(name)

/** A word in the singular by which people are called. */
export const isUserWord = (word: string): boolean => USERS.test(word)

const ADMIN =
  /^(?:admin\w*|backoffice|manage|management|internal|staff|superuser|root|sysadmin|moderation|moderator|audit|auditlog|impersonate|ops)$/

/** A word by which functions are named that are for few. */
export const isFunctionWord = (word: string): boolean => ADMIN.test(word)

/** `GET /api/notes/mine`: whoever asks is asked who it is. */
export const isOneself = (name: string): boolean =>
  /\/(?:me|mine|my|own|self|current|my-[\w-]+)\/?(?:[?\s]|$)/i.test(name)
