/**
 * What an active run may send: the one place that decides it, for crawl, probes and browser. Words forbid and never allow.
 * What a request does is known by its method or by what was seen of it. docs/decisions/0265 says why.
 */
import type { Environment } from '../contract/run.ts'
import type { Field } from '../modules/attack/crawl/facts.ts'
import { controlName } from '../page/names.ts'
import { isOfPostback } from '../page/postbacks.ts'
import { answersQuestion } from './asking-first.ts'
import { configures } from './configuring.ts'
import { CHANGES_STATE, CONFIGURES, DELETES, DELETES_ACCOUNTS, ENDS_SESSION, PAYS, PUTS_AWAY, STOPS } from './deeds.ts'
import { deletedAt, deletedOn } from './deleted.ts'
import { type Bearing, effectOf, isGraphqlQuery, isSafe, readsBy, writesBy } from './effect.ts'
import {
  ASKS_FIRST,
  altersPassword,
  changesPassword,
  changesPasswordAt,
  changesSignInName,
  replacesPassword,
  replacesSignInName,
  SETS_NAME,
  SETS_PASSWORD,
  type Writes,
} from './form-effect.ts'
import { OTHER_LANGUAGE } from './language.ts'
import { mutationsIn } from './mutations.ts'
import { putsAway, takesAway } from './putting-away.ts'
import { asksForReset, isPageOfReset, resetsPasswordOfOther } from './resets.ts'
import { SETS_RIGHTS, setsRights } from './rights.ts'
import { harmOf, harmOfAddress, harmOfNames, harmOfParameter, harmOfSending } from './safety.ts'
import { beginsRecord, ON_DEMAND } from './signed-in.ts'
import { namesOfJson, storedByQuery, storingOf, UPLOADS } from './storing.ts'

/** What sending a request once has shown. 'unclear': it was sent, and nothing shows which. Null: not sent yet. */
export type Seen = 'reads' | 'writes' | 'unclear' | null

export interface Asked extends Bearing {
  readonly url: string
  readonly fields: readonly Field[]
  /** Of the button or link behind it: its text, what it is called for those who do not see it. */
  readonly labels?: readonly string[]
  /** Its id, classes and name. */
  readonly names?: string
  /** Why it does harm, as the page says otherwise: it asks before, another link to the same address is called so. */
  readonly told?: string | null
  /** Of a form that looks as if it writes. */
  readonly writes?: Writes
  /** Read out of a script alone, by a run with credentials: no page has sent it by itself, and its values are made up. */
  readonly onDemand?: boolean
}

export interface Around {
  readonly environment: Environment
  readonly signedIn: boolean
  /** The account saw pages of an administration. */
  readonly staff: boolean
  /** What it signs in by, where that is known. */
  readonly account?: string | undefined
  /** Patterns of the operator. */
  readonly excludes: (url: string) => boolean
  /** How often a request that may write is sent on a test system, for each form; by default WRITES_PER_FORM. */
  readonly writes?: number | undefined
}

export type Decision =
  | { readonly send: 'send'; readonly reason: null }
  /** At most so many times, own values first. `learn`: sending it once may show that it reads. */
  | { readonly send: 'bounded'; readonly most: number; readonly learn: boolean; readonly reason: string }
  | { readonly send: 'never'; readonly reason: string }

/** Unless the run says otherwise. */
export const WRITES_PER_FORM = 40

/**
 * How often a request that the site refuses before it looks at what is sent, while its pages stay as they are, is sent again with the
 * tokens that its own pages name, anywhere: what is refused has done nothing, and the first that is taken is the one sending.
 */
export const TRIES_OF_REFUSED = 8

export const EXCLUDED = 'excluded by a pattern'
export const BY_METHOD = 'its method changes what is stored'
export const WRITES_UNKNOWN = 'what it does is not known yet'
export const WROTE = 'it was sent once and changed something'
export const UNPROVEN = 'it was sent once, and nothing shows that it only reads'
export const SIGNS_IN = 'a sign-in beside that of the run may end its session'
export const STAFF = 'it may write, signed in as staff'
export const ALTERS = 'it shows what is stored, to be altered'
export const SAYS_WRITES = 'its button says that it writes'
export const GUESSED = 'its page does not say how it is sent'
/** A probe that breaks the document would be taken by the method that carries it. */
export const METHOD_WITHIN = 'its body says that it reads, and a probe there could make it write'
/** Some applications make an empty record as soon as its form is opened; once is enough. */
export const BEGINS = 'it may begin a record of its own each time it is asked for'

/** What no environment allows. */
const NOWHERE: ReadonlySet<string> = new Set([EXCLUDED, ENDS_SESSION, DELETES_ACCOUNTS, CONFIGURES, STOPS, PAYS])

export const decide = (given: Asked, seen: Seen, around: Around): Decision => {
  const { environment, signedIn } = around
  const meant = readsBy(given) ?? writesBy(given)
  const asked = meant === null ? given : { ...given, method: meant }
  const deed = ofThing(deedOf(asked, around), asked)
  if (deed !== null && (environment === 'production' || isNowhere(deed, signedIn)))
    return { send: 'never', reason: deed }
  return environment === 'production' ? inProduction(asked, seen, around) : onTest(asked, seen, deed, around)
}

/**
 * Whether it may be sent once to learn what it does. What deletes or closes is known to write, and takes what all else is asked about with it: the
 * page of a record, and every form there.
 */
export const isToLearn = (decision: Decision): boolean => decision.send === 'bounded' && decision.learn

/**
 * The password and the name of the account that a run is signed in with are its way in, and the rights of accounts are those of the people who
 * keep the site: taken from the last of them, they are given back by nobody.
 */
const isNowhere = (reason: string, signedIn: boolean): boolean =>
  NOWHERE.has(reason) || (OF_ACCOUNTS.has(reason) && signedIn)
const OF_ACCOUNTS: ReadonlySet<string> = new Set([SETS_PASSWORD, SETS_NAME, SETS_RIGHTS, OTHER_LANGUAGE])

const SEND: Decision = { send: 'send', reason: null }

const inProduction = (asked: Asked, seen: Seen, around: Around): Decision => {
  const storing = isSafe(asked.method) ? storingByGet(asked, around) : storingByBody(asked, around)
  if (storing !== null) return { send: 'never', reason: storing }
  if (seen === 'writes') return { send: 'never', reason: WROTE }
  if (seen === 'reads' || reads(asked)) return SEND
  if (asked.writes === 'guessed') return { send: 'never', reason: GUESSED }
  if (asked.onDemand) return { send: 'never', reason: ON_DEMAND }
  if (seen === 'unclear') return { send: 'never', reason: UNPROVEN }
  return { send: 'bounded', most: 1, learn: true, reason: WRITES_UNKNOWN }
}

const onTest = (asked: Asked, shown: Seen, deed: string | null, { writes }: Around): Decision => {
  // What it alters is shown by other documents, which no page around it is.
  const seen = shown === 'reads' && mutationsIn(asked.body).length > 0 ? 'unclear' : shown
  if (deed === null && seen !== 'writes' && (seen === 'reads' || reads(asked))) return SEND
  const reason = deed ?? (seen === 'writes' ? WROTE : seen === null ? WRITES_UNKNOWN : UNPROVEN)
  const learn = seen === null && !takesAway(reason)
  return { send: 'bounded', most: writes ?? WRITES_PER_FORM, learn, reason }
}

const reads = (asked: Asked): boolean => !asked.writes && effectOf(asked) === 'reads'

const storingByGet = (asked: Asked, { signedIn }: Around): string | null => {
  const { url, writes } = asked
  const stored = storedByQuery(url)
  if (stored !== null || !signedIn) return stored
  if (asksPassword(asked)) return SIGNS_IN
  return beginsRecord(url) ? BEGINS : writingOf(writes)
}

const storingByBody = (asked: Asked, { signedIn, staff }: Around): string | null => {
  if (asked.method !== 'POST') return BY_METHOD
  const storing = storingOf(asked, signedIn)
  if (storing !== null || !signedIn || reads(asked)) return storing
  if (asksPassword(asked)) return SIGNS_IN
  if (staff) return STAFF
  return writingOf(asked.writes)
}

const writingOf = (writes: Asked['writes']): string | null =>
  writes ? { said: SAYS_WRITES, likely: ALTERS, guessed: GUESSED }[writes] : null

const asksPassword = ({ url, fields }: Asked): boolean =>
  fields.some(({ type }) => type === 'password') ||
  [...new URL(url).searchParams.keys()].some((name) => /^(?:pass(?:word|wd|phrase)?|pwd)$/i.test(name))

/** What puts a thing away is told before a lesser deed, and where nothing else is. */
const ofThing = (deed: string | null, asked: Asked): string | null => {
  if (deed !== null && deed !== CHANGES_STATE) return deed
  const typed = asked.fields.filter(({ type }) => TYPED.includes(type)).length + leavesOf(asked).length
  return putsAway(asked.method, asked.url, typed) ? PUTS_AWAY : deed
}

/** The gravest deed that a request names, whatever its method. */
const deedOf = (asked: Asked, { excludes, signedIn, account }: Around): string | null => {
  const { method, url, labels = [], names = '', told = null, fields } = asked
  if (excludes(url)) return EXCLUDED
  const mutated = mutationsIn(asked.body)
  const named = [...fields, ...mutated.filter(({ kind }) => kind === 'argument')].map(({ name }) => name)
  const given = [...named, ...leavesOf(asked).map(([name]) => name), ...queryOf(url)]
  const sent = isSafe(method) ? given : [...given, 'body']
  // A mutation says what is done as a path does.
  const fieldsOfMutations = mutated.flatMap(({ kind, name }) => (kind === 'field' ? [name] : []))
  const done = fieldsOfMutations.map((name) => new URL(`/${name}`, url).href)
  const sets =
    changesPassword(given, url) ||
    [url, ...done].some((at) => changesPasswordAt(at, sent)) ||
    replacesPassword(method, given) ||
    resetsPasswordOfOther(url, parametersOf(asked)) ||
    (!isSafe(method) && altersPassword(given, pairsOf(asked), fieldsOfMutations))
  if (signedIn && sets) return SETS_PASSWORD
  const renames =
    changesSignInName(method, url, sent) ||
    (account !== undefined && !isSafe(method) && replacesSignInName(url, pairsOf(asked), account))
  if (signedIn && renames) return SETS_NAME
  if (setsRights(method, url, givenOf(asked))) return SETS_RIGHTS
  const parameters = parametersOf(asked)
  if (configures({ method, url, names: given, parameters })) return CONFIGURES
  const harm = harmOfAddress(url) ?? (isSafe(method) ? null : harmOfSending(url))
  const said = [
    // Nobody who is not signed in has one that is kept.
    told === OTHER_LANGUAGE && !signedIn ? null : told,
    harm === CONFIGURES ? meantBy(asked, sent) : harm,
    harmOf(...labels),
    ...done.map((at) => nowhere(harmOfAddress(at) ?? harmOfSending(at))),
    !isSafe(method) && labels.some(answersQuestion) ? ASKS_FIRST : null,
    !isSafe(method) && CHECKS_OUT.test(new URL(url).pathname) && given.some((name) => MEANS.test(name)) ? PAYS : null,
    names === '' ? null : harmOfNames(names),
    ...parameters.map(([name, value]) => harmOfParameter(controlName(name), value)),
    ...fields.map(({ name, value }) => harmOfControl(name, value)),
    method === 'DELETE' ? deletedAt(url) : null,
    fields.some(({ type }) => type === 'file') ? UPLOADS : null,
  ].filter((reason) => reason !== null)
  // A button says what is done, and the page whose records those are.
  const reasons = said.map((reason) => (reason === DELETES && !isSafe(method) ? deletedOn(url) : reason))
  // What asks first and deletes is known to delete.
  return (
    reasons.find((reason) => NOWHERE.has(reason)) ?? reasons.find((reason) => reason === DELETES) ?? reasons[0] ?? null
  )
}

/** What leaves a checkout with a means of payment is bought by it: `POST /cart/3/checkout {"paymentId": 7}`. */
const CHECKS_OUT = /\/(?:checkout|check-out|kasse)\/?$/i
const MEANS =
  /(?:^|[^a-z])(?:payment|(?:credit[_-]?)?card)(?:[_-]?(?:id|method|mode|type|token|nonce|intent|number|option))?\]?$/i

/** By which control a person has used, and for what, as a script of the page writes it down. */
const harmOfControl = (name: string, value: string): string | null => {
  if (!isOfPostback(name)) return null
  return ENDS_BY_CONTROL.test(value) ? ENDS_SESSION : harmOfNames(value.split(/[$:]/).join(' '))
}
/** What the control of Web Forms for signing in and out draws for whoever is signed in. */
const ENDS_BY_CONTROL = /(?:^|\$)LoginStatus\w{0,20}\$ctl0[01]$/i

/** Of a mutation no lesser deed is told: all of them may change something. */
const nowhere = (reason: string | null): string | null => (reason !== null && NOWHERE.has(reason) ? reason : null)

/** What an address that configures by its words does, as far as the rest of the request tells. */
const meantBy = ({ method, url }: Asked, sent: readonly string[]): string | null => {
  if (asksForReset(url, sent)) return CHANGES_STATE
  return isSafe(method) && isPageOfReset(url) ? null : CONFIGURES
}

/** What people type names no deed; what they choose or do not see may. */
const TYPED = ['text', 'search', 'textarea', 'password', 'email', 'tel', 'url', 'number', 'date', 'file']

const givenOf = (asked: Asked): Parameters<typeof setsRights>[2] => [
  ...asked.fields.map(({ name, type }) => ({ name, typed: TYPED.includes(type) })),
  ...(asked.encoding === 'json' && !isGraphqlQuery(asked) ? namesOfJson(asked.body ?? '') : [])
    .filter((name) => !ENVELOPE.has(name))
    .map((name) => ({ name, typed: true })),
]
/** Members of a GraphQL request (GraphQL over HTTP, 5.1). */
const ENVELOPE: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions'])

const parametersOf = (asked: Asked): readonly (readonly [name: string, value: string])[] => [
  ...asked.fields.filter(({ type }) => !TYPED.includes(type)).map(({ name, value }) => [name, value] as const),
  ...leavesOf(asked),
]

const pairsOf = (asked: Asked): readonly (readonly [name: string, value: string])[] => [
  ...new URL(asked.url).searchParams,
  ...asked.fields.map(({ name, value }) => [name, value] as const),
  ...leavesOf(asked),
]

const queryOf = (address: string): readonly string[] => [...new URL(address).searchParams.keys()]

const leavesOf = ({ encoding, body }: Asked): readonly (readonly [name: string, value: string])[] =>
  encoding === 'json' ? leavesOfJson(body ?? '') : []

const leavesOfJson = (body: string): readonly (readonly [name: string, value: string])[] =>
  [...body.slice(0, 20_000).matchAll(/"([\w-]{1,60})"\s*:\s*(?:"([^"\\]{0,200})"|([\w.-]{1,40}))/g)]
    .filter(([, name]) => name !== 'query')
    .map(([, name = '', text, bare]) => [name, text ?? bare ?? ''] as const)
