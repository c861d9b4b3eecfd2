/**
 * Whether anything beside the sign-in tells which accounts exist: a question that is shown for a name, the recovery of a password, a
 * registration. The run's own account is named twice, beside names that are made up; a registration is told of by an account of its own.
 */
import { randomBytes } from 'node:crypto'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { headerOf } from '../../../../page/exchange.ts'
import { jsonOf } from '../../../../page/json.ts'
import { ownName, PASSWORD_NAME } from '../../../../page/names.ts'
import { textOf } from '../../../../page/text.ts'
import { isSafe } from '../../../../safety/effect.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { formWith, jsonWith } from '../../insertion-points/body.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import { requestOf } from '../../insertion-points/inventory.ts'
import { leavesOf as placesOf } from '../../insertion-points/points.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { addressOf, calledBy } from '../../insertion-points/routed.ts'
import { askThrough, expectTaken, Left, type Topic } from '../asking.ts'
import type { AccountHit, DataHit } from '../facts.ts'
import { leavesOf } from '../leaves.ts'
import { whereOf } from '../operations.ts'
import { secretOf, secretsOf } from '../sensitive.ts'
import { shownOf } from '../showing.ts'
import { type Answer, alike, isSame, NO_NAME, type OwnNames, plain, saidBy, UNSTEADY } from './accounts.ts'

/** What asks for an account by its name. */
const NAME =
  /^(?:(?:e_?-?)?mail(?:_?address)?|u(?:ser)?(?:_?name)?|usr|login(?:_?name)?|benutzer(?:name)?|account(?:_?name)?|handle|nick(?:_?name)?)$/i
const RECOVERS = /security|question|forgot|forget|reset|recover|lost|remind|exists|availab|check|taken|hint|known/i
/** Who names an account there and no password wants another one: `POST /users/password`, `/password/email`. */
const AT_PASSWORD = /\/passwords?(?:\/e?mail)?\/?$/i
const REGISTERS = /regist|sign-?_?up|join|(?:^|\/)(?:users|accounts|members|customers)\/?$|create-?_?account/i

interface Field {
  readonly name: string
  readonly place: 'query' | 'form' | 'json'
}

/** `recovery`: asked for a name, it does something for that account or says something of it. */
export type Asking = 'recovery' | 'registration'

/** Of a password by its name alone, whatever is sent there. */
const OF_PASSWORD =
  /forg[eo]t|(?:lost|recover(?:y)?|remind(?:er)?|reset)[-_/]?(?:pass|account)|(?:pass(?:word|wd)?|accounts?)[-_/]?(?:recover|remind|reset)|\/recover(?:y)?$/i
/** A script sends what its own code fills in. */
const isUnfilled = ({ method, url, fields, body }: RequestTemplate): boolean =>
  method === 'POST' && fields.length === 0 && body === null && new URL(url).search === ''
/** With the one member that an interface takes there nearly always. */
const filled = (request: RequestTemplate, name: 'email' | 'username'): RequestTemplate =>
  isUnfilled(request) ? { ...request, encoding: 'json', body: JSON.stringify({ [name]: '' }) } : request
export const UNKNOWN_FIELDS = 'whose fields no page and no script shows'

export const askingOf = (request: RequestTemplate): Asking | null => {
  const place = calledBy(request)
  if (isUnfilled(request)) return OF_PASSWORD.test(place) ? 'recovery' : null
  const fields = fieldsOf(request)
  const names = fields.filter(({ name }) => NAME.test(ownName(name)))
  if (names.length === 0 || names.length > 2) return null
  const secrets = fields.filter(({ name }) => PASSWORD_NAME.test(ownName(name))).length
  if (request.method === 'POST' && secrets > 0 && REGISTERS.test(place) && !RECOVERS.test(place)) return 'registration'
  const isAsked = isSafe(request.method) ? fields.length <= 3 : request.method === 'POST' && fields.length <= 5
  return isAsked && (RECOVERS.test(place) || (secrets === 0 && AT_PASSWORD.test(place))) ? 'recovery' : null
}

const fieldsOf = ({ url, method, encoding, fields, body }: RequestTemplate): readonly Field[] => [
  ...[...new URL(url).searchParams.keys()].map((name): Field => ({ name, place: 'query' })),
  ...(method === 'POST' && encoding === 'json'
    ? placesOf(body ?? '').map(([name]): Field => ({ name, place: 'json' }))
    : encoding === 'urlencoded'
      ? fields.filter(({ type }) => type !== 'hidden').map(({ name }): Field => ({ name, place: 'form' }))
      : []),
]

/** So often what is slowed down in between is asked again. */
const MOST_TURNS = 3

/** Each is answered once more than is needed to tell a page that changes by itself. */
const MADE_UP = 4

/** `shown`: takes what an answer hands to whoever names the account, as a token by which its password is set. */
export const recoveryWork =
  (
    ctx: CollectContext,
    names: OwnNames,
    shown: (hit: DataHit) => void = () => undefined,
  ): Topic<RequestTemplate, AccountHit>['work'] =>
  async (known, found) => {
    const isGuess = isUnfilled(known)
    const request = filled(known, names.mail === null ? 'username' : 'email')
    if (askingOf(request) === 'registration') return register(ctx, request, found)
    const own = wantsMail(request) ? names.mail : (names.name ?? names.mail)
    if (own === null) throw new Left(NO_NAME)
    const trying = (name: string): ReturnType<typeof answerTo> => answerTo(ctx, request, name, [name, own])
    const [a, first] = [await trying(alike(own)), await trying(own)]
    for (const hit of handedOut(request, first.document, a.document)) shown(hit)
    const [b, again] = [await trying(alike(own)), await trying(own)]
    const more = [a, b]
    while (more.length < MADE_UP) more.push(await trying(alike(own)))
    const isSteady = more.every((one) => isSame(one, a)) && isSame(first, again)
    if (isSteady && !isSame(first, a))
      found(
        hitOf(
          request,
          a,
          first,
          `${MADE_UP} made-up accounts were answered alike, and the run's own, twice, otherwise`,
        ),
      )
    else if (isGuess) throw new Left(UNKNOWN_FIELDS)
    else if (!isSteady) throw new Left(UNSTEADY)
  }

/** One that nobody has is made, and asked for once more: as nobody else's, it is taken from nobody. */
const register = async (
  ctx: CollectContext,
  request: RequestTemplate,
  found: (hit: AccountHit) => void,
): Promise<void> => {
  const made = (): string => `sonde${randomBytes(6).toString('hex')}${wantsMail(request) ? '@sonde.invalid' : ''}`
  const [name, other, third] = [made(), made(), made()]
  const trying = (one: string): Promise<Answer> => answerTo(ctx, request, one, [one])
  const first = await trying(name)
  if (first.status >= 400) throw new Left(`that refused what the crawl knows to send, with status ${first.status}`)
  const [taken, fresh, again] = [await trying(name), await trying(other), await trying(third)]
  // What is the same for two that are new, and another for the one that is there.
  if (isSame(fresh, again) && !isSame(taken, fresh) && !isSame(taken, first))
    found(
      hitOf(
        request,
        fresh,
        taken,
        'Two names that were new were answered alike, and one that had just been registered otherwise',
      ),
    )
}

const wantsMail = (request: RequestTemplate): boolean => /mail/i.test(ownName(nameField(request)?.name ?? ''))
const nameField = (request: RequestTemplate): Field | undefined => {
  const named = fieldsOf(request).filter(({ name }) => NAME.test(ownName(name)))
  return named.find(({ name }) => /mail/i.test(ownName(name))) ?? named[0]
}

/** @throws Left where nothing answers, or it asks who is there, or for patience */
const answerTo = async (
  ctx: CollectContext,
  request: RequestTemplate,
  name: string,
  names: readonly string[],
): Promise<Answer & { readonly document: unknown }> => {
  const sent = requestFor(request, name)
  let { answer, page } = await askThrough(ctx, sent, request)
  // Asked once more it waits as it was told to, though for a part of a minute alone, and refusals may count as well.
  for (let turn = 0; turn < MOST_TURNS && answer.status === 429 && headerOf(answer, 'retry-after'); turn += 1)
    ({ answer, page } = await askThrough(ctx, sent, request))
  expectTaken(answer.status === 401 && request.method === 'POST' ? { ...answer, status: 200 } : answer)
  if (answer.status === 429 || answer.status >= 500) throw new Left(`that answered status ${answer.status} in between`)
  const text = plain(saidBy(answer, page), names)
  return { status: answer.status, text, ms: answer.timing.firstByte, document: jsonOf(textOf(answer)) }
}

/** Secrets that the answer for an account holds, and the one for nobody's does not. */
const handedOut = (request: RequestTemplate, known: unknown, unknown: unknown): readonly DataHit[] => {
  const others = new Set(secretsOf(leavesOf(unknown)).map(({ pointer }) => pointer))
  const secrets = secretsOf(leavesOf(known)).filter(({ pointer }) => !others.has(pointer))
  if (secrets.length === 0) return []
  const pointers = secrets.map(({ pointer }) => pointer)
  const sent = requestFor(request, 'NAME')
  const mark = `holds: ${pointers.slice(0, 10).join(', ')}`
  const what = [...new Set(secrets.map((leaf) => secretOf(leaf)?.what ?? ''))]
  return [
    {
      ...{ kind: 'secret', names: pointers, what, open: true, ...whereOf(request), mark },
      ...{ excerpt: shownOf(sent, mark, known), replay: curlOf(sent).replaceAll('NAME', '<an account that exists>') },
    },
  ]
}

const requestFor = (request: RequestTemplate, name: string): HttpRequest => {
  const { url, method, headers, body } = requestOf(request)
  let at = url
  let filled = body
  for (const one of fieldsOf(request)) {
    const value = valueFor(ownName(one.name), name)
    if (value === null) continue
    if (one.place === 'query') at = withQuery(at, one.name, value)
    else
      filled =
        one.place === 'form'
          ? formWith(filled ?? '', one.name, value)
          : (jsonWith(filled ?? '{}', one.name, value) ?? filled)
  }
  return {
    ...{ url: at, method, headers, authenticated: false, stranger: true },
    ...(filled === null ? {} : { body: filled }),
  }
}

/** Null where the crawl's own stands; no answer that is given is right. */
const valueFor = (field: string, name: string): string | null => {
  if (NAME.test(field)) return /mail/i.test(field) || !name.includes('@') ? name : (name.split('@')[0] ?? name)
  if (PASSWORD_NAME.test(field) || /^(?:new|repeat|confirm)/i.test(field)) return 'Wrong-1-sonde'
  return /answer|antwort|code|otp|token/i.test(field) ? `wrong ${randomBytes(4).toString('hex')}` : null
}

const hitOf = (request: RequestTemplate, unknown: Answer, known: Answer, said: string): AccountHit => {
  const line = ({ status, text }: Answer): string => `status ${status}: ${text.trim().slice(0, 300)}`
  const mark = `an account that exists: ${line(known)}`
  const how = known.status === unknown.status ? 'by the text' : `status ${known.status} in place of ${unknown.status}`
  return {
    ...{ kind: askingOf(request) ?? 'recovery', method: request.method, url: addressOf(request), mark },
    excerpt: `made-up accounts: ${line(unknown)}\n${mark}`,
    detail: `${said}: ${how}.`,
    replay: `for NAME in '<an account that exists>' '<one that does not>'; do ${curlOf(requestFor(request, 'NAME')).replaceAll('NAME', '\'"$NAME"\'')}; done`,
  }
}
