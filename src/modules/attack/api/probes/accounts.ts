/**
 * Whether a sign-in tells which accounts exist: the name of the run's own account twice, never more, beside names that are made
 * up, each with a wrong password. Nobody else is named, so nobody is locked out.
 */

import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { headerOf } from '../../../../page/exchange.ts'
import { accountFieldOf, ownName, PASSWORD_NAME } from '../../../../page/names.ts'
import { textOf } from '../../../../page/text.ts'
import { SETS_PASSWORD } from '../../../../safety/form-effect.ts'
import { EXCLUDED } from '../../../../safety/policy.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { jsonWith } from '../../insertion-points/body.ts'
import { fromPage } from '../../insertion-points/inventory.ts'
import { leavesOf } from '../../insertion-points/points.ts'
import { addressOf } from '../../insertion-points/routed.ts'
import { isSignIn } from '../../insertion-points/sign-in.ts'
import { askThrough, Left, type Topic } from '../asking.ts'
import type { AccountHit } from '../facts.ts'

/** Names of the account that the run is signed in with. */
export interface OwnNames {
  readonly mail: string | null
  readonly name: string | null
}

export const NO_NAME = 'as the run knows no account that exists'

export const UNSTEADY = 'that answered one name differently by itself'

export const isLogin = (request: RequestTemplate): boolean =>
  request.method === 'POST' &&
  ['json', 'urlencoded'].includes(request.encoding) &&
  request.harm !== EXCLUDED &&
  request.harm !== SETS_PASSWORD &&
  isSignIn(request) &&
  nameField(request) !== undefined

/** A mutation that takes a password and is called so. */
export const isGraphqlLogin = ({ body }: RequestTemplate): boolean =>
  /"query"\s*:\s*"\s*mutation[^{]*\{\s*(?:\w+\s*:\s*)?\w*(?:log_?in|sign_?in|authenticate|createToken|tokenAuth)/i.test(
    body ?? '',
  ) && PASSWORD_NAME.test(body ?? '')

const fieldsOf = ({ encoding, fields, body }: RequestTemplate): readonly string[] =>
  encoding === 'json' ? leavesOf(body ?? '').map(([pointer]) => pointer) : fields.map(({ name }) => name)

const nameField = (request: RequestTemplate): string | undefined => accountFieldOf(fieldsOf(request))

/** All alike, it may be that nobody has looked at the name: of another page, by another method, without a token. */
const REFUSES: ReadonlySet<number> = new Set([403, 404, 405, 415, 419])

/** Made-up names asked for their time; with the two of the own one that is enough to tell a hash from none. */
const MADE_UP = 6
/** Milliseconds, and times, that the own name has to take longer. */
const LONGER_BY = 40
const TIMES = 2.5

export interface Answer {
  readonly status: number
  /** Where it leads and what it shows, without the name that was sent and without what no two answers share. */
  readonly text: string
  readonly ms: number
}

export const accountsWork =
  (ctx: CollectContext, names: OwnNames): Topic<RequestTemplate, AccountHit>['work'] =>
  async (request, found) => {
    const field = nameField(request) ?? ''
    const wantsMail = /mail/i.test(ownName(field))
    const own = (wantsMail ? names.mail : (names.name ?? names.mail)) ?? names.mail
    if (own === null) throw new Left(NO_NAME)
    const trying = async (name: string): Promise<Answer> => {
      const { answer, page } = await askThrough(ctx, attempt(request, field, name), request)
      if (answer.status === 429 || answer.status >= 500)
        throw new Left(`that answered status ${answer.status} in between`)
      // The form itself has a field of that name, as often as not.
      if (answer.status < 300 && /"(?:access_?|id_?)?token"\s*:\s*"[^"]/i.test(textOf(answer)))
        throw new Left('that let a made-up password in')
      const said = saidBy(answer, page)
      return { status: answer.status, text: plain(said, [name, own]), ms: answer.timing.firstByte }
    }
    const madeUp = (): string => alike(own)
    const [a, known] = [await trying(madeUp()), await trying(own)]
    const [b, again] = [await trying(madeUp()), await trying(own)]
    const more: Answer[] = [a, b]
    while (more.length < MADE_UP) more.push(await trying(madeUp()))
    const isSteady = more.every((one) => isSame(one, a)) && isSame(known, again)
    if (isSteady && !isSame(known, a)) found(answerHit(request, a, known))
    else if (isSteady && REFUSES.has(a.status))
      throw new Left(`that refused what the crawl knows to send, with status ${a.status}`)
    const times = toldByTime([known.ms, again.ms], [...more.map(({ ms }) => ms)])
    if (times !== null) found({ ...timeHit(request, [known, again], more), kind: times })
    if (!isSteady) throw new Left(UNSTEADY)
  }

/**
 * Whether the account takes longer than all that were made up, as where a password is hashed for it alone: `unsure` where it does by too little of
 * them, or where their own times differ by as much as a hash takes. Milliseconds.
 */
export const toldByTime = (known: readonly number[], madeUp: readonly number[]): 'time' | 'unsure' | null => {
  const [least, most, fewest] = [Math.min(...known), Math.max(...madeUp), Math.min(...madeUp)]
  const isLonger = least > most + LONGER_BY
  if (isLonger && least > TIMES * most) return 'time'
  return isLonger || most > fewest + LONGER_BY ? 'unsure' : null
}

/** Where it leads, and what it and the page behind it say. */
export const saidBy = (answer: HttpExchange, page: HttpExchange | null): string =>
  [headerOf(answer, 'location') ?? '', textOf(answer), page === null ? '' : textOf(page)].join('\n').trimEnd()

export const isSame = (a: Answer, b: Answer): boolean => a.status === b.status && a.text === b.text

/** As long, and with the same parts. */
export const alike = (name: string): string => {
  const code = randomBytes(16).toString('hex')
  const [local = '', domain] = name.split('@')
  const made = `x${code}`.slice(0, Math.max(6, local.length))
  return domain === undefined ? made : `${made}@${domain}`
}

/** The own name goes out of every answer: where it is part of another word, as admin is of administrator, it stands in all of them. */
export const plain = (text: string, names: readonly string[]): string =>
  names
    .flatMap((name) => [name, name.split('@')[0] ?? name])
    .flatMap((name) => [name, encodeURIComponent(name)])
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, 'NAME'), text)
    .replace(
      /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[\da-f]{16,}\b|[\w-]{4,}(?:\.[\w-]{16,}){1,3}|(?=[\w+/-]*\d)[\w+/-]{20,}={0,2}|\d+/gi,
      '0',
    )

const attempt = (request: RequestTemplate, field: string, name: string): HttpRequest => {
  const password = `Wrong-${randomBytes(6).toString('hex')}`
  if (request.encoding === 'json') {
    const secret = fieldsOf(request).find((one) => PASSWORD_NAME.test(ownName(one))) ?? ''
    const named = jsonWith(request.body ?? '{}', field, name) ?? '{}'
    return {
      ...{ url: request.url, method: 'POST', authenticated: false, stranger: true },
      body: jsonWith(named, secret, password) ?? named,
      headers: [['Content-Type', 'application/json'], ...fromPage(request.url, request.seenOn[0])],
    }
  }
  const pairs = request.fields.map(({ name: one, value }): [string, string] => [
    one,
    one === field ? name : PASSWORD_NAME.test(one) ? password : value,
  ])
  return {
    ...{ url: request.url, method: 'POST', authenticated: false, stranger: true },
    body: new URLSearchParams(pairs).toString(),
    headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...fromPage(request.url, request.seenOn[0])],
  }
}

const replayOf = (request: RequestTemplate): string => {
  const field = nameField(request) ?? ''
  const secret = fieldsOf(request).find((one) => PASSWORD_NAME.test(ownName(one))) ?? ''
  const json = request.encoding === 'json'
  const body = json
    ? (jsonWith(jsonWith(request.body ?? '{}', field, '$NAME') ?? '{}', secret, 'Wrong-1') ?? '{}').replaceAll(
        '"',
        '\\"',
      )
    : `${field}=$NAME&${secret}=Wrong-1`
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded'
  return `for NAME in '<an account that exists>' '<one that does not>'; do curl -isk -w '%{time_starttransfer}\\n' -H 'Content-Type: ${type}' --data "${body}" '${request.url}'; done`
}

const answerHit = (request: RequestTemplate, unknown: Answer, known: Answer): AccountHit => {
  const line = ({ status, text }: Answer): string => `status ${status}: ${text.slice(0, 300)}`
  const mark = `an account that exists: ${line(known)}`
  return {
    ...{ kind: 'answer', method: 'POST', url: addressOf(request), replay: replayOf(request), mark },
    excerpt: `made-up accounts: ${line(unknown)}\n${mark}`,
    detail: `${MADE_UP} made-up accounts were answered alike, and the run's own, twice, otherwise: ${known.status === unknown.status ? 'by the text' : `status ${known.status} in place of ${unknown.status}`}.`,
  }
}

const timeHit = (request: RequestTemplate, known: readonly Answer[], madeUp: readonly Answer[]): AccountHit => {
  const times = (answers: readonly Answer[]): string => answers.map(({ ms }) => `${Math.round(ms)} ms`).join(', ')
  const mark = `an account that exists: ${times(known)}`
  return {
    ...{ kind: 'time', method: 'POST', url: addressOf(request), replay: replayOf(request), mark },
    excerpt: `made-up accounts: ${times(madeUp)}\n${mark}`,
    detail: `The run's own account was answered after ${times(known)}, made-up ones after ${times(madeUp)}.`,
  }
}
