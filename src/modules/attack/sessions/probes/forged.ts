/**
 * Sends what another site's page could send with the visitor's session: no token, the Origin and Referer of elsewhere, a type that any
 * form has. A marker tells whether it was taken, and what stood there before is written back. On test systems alone.
 */

import { randomBytes, randomInt } from 'node:crypto'
import type { HeaderPairs, HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { ANOTHER_SITE } from '../../../../page/another-site.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { readHtml } from '../../../../page/html.ts'
import { PASSWORD_NAME } from '../../../../page/names.ts'
import { isScriptFile } from '../../../../page/shape.ts'
import { textOf } from '../../../../page/text.ts'
import { egressAs } from '../../../as-other.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts, Field, RequestTemplate } from '../../crawl/facts.ts'
import { formRenamed, formWith } from '../../insertion-points/body.ts'
import { sendBounded } from '../../insertion-points/bounded-sending.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import { BOUND } from '../../insertion-points/facts.ts'
import { isMinted, mintFor, withMinted } from '../../insertion-points/freshness.ts'
import { type ProbeRequest, requestOf } from '../../insertion-points/inventory.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { isSignIn } from '../../insertion-points/sign-in.ts'
import { isToken } from '../../insertion-points/tokens.ts'
import { ask, goThrough, Left, neverApplies, notAsked } from '../asking.ts'
import type { ForgedSeen, Topic } from '../facts.ts'
import { holds, pagesShowing } from './elsewhere.ts'
import { isCarried, type OwnSession, sameSiteOf, withoutOpener } from './own-session.ts'

const MOST = 30
const MOST_PAGES = 3

export const askForged = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  own: OwnSession | string,
  until: number,
): Promise<Topic<ForgedSeen>> => {
  if (!ctx.hasCredentials) return notAsked('not_tested', 'nobody is signed in, in whose name another site could ask')
  const beside = typeof own === 'string' ? null : own.beside
  const isOpened = isCarried(ctx, own) || beside !== null
  if (!isOpened) return withoutOpener(own)
  const sameSite = beside === null ? sameSiteOf(own) : beside.sameSite
  if (sameSite === 'strict')
    return neverApplies('the session’s cookie has SameSite=Strict, and comes with no request of other sites')
  // Where the session comes beside what requests carry, that of the run's own alone is known.
  const others = beside === null ? (crawl.others ?? []).flatMap(({ requests }) => requests) : []
  const all = targetsOf(ctx, [...crawl.requests, ...others])
  const targets = all.filter(({ template }) => sameSite !== 'lax' || template.method === 'GET')
  if (targets.length === 0 && all.length > 0) return notAsked('not_applicable', BY_LAX)
  if (targets.length === 0) return notAsked('not_applicable', 'no form was found whose effect would be seen')
  if (ctx.target.environment !== 'test')
    return notAsked('not_tested', `${targets.length} forms may write, and are sent on a test system alone`)
  const beyond = targets.length - MOST
  const left: Readonly<Record<string, number>> = beyond > 0 ? { [`beyond the first ${MOST}`]: beyond } : {}
  const unseen: Unseen[] = []
  // A page of another site brings cookies along, and no header.
  const send: Forging['send'] = (request) =>
    ask(
      ctx,
      beside === null ? request : { ...request, authenticated: false, headers: withCookie(request, beside.cookie) },
    )
  const topic = await goThrough(
    ctx,
    { name: 'forged requests', items: targets.slice(0, MOST), until, left },
    (target) => forge({ ctx, sameSite, send }, target, unseen),
  )
  return unseen.length === 0
    ? topic
    : withThoseElsewhere(crawl, { topic, unseen, until, forging: { ctx, sameSite, send } })
}

/** What was sent, in the name of another site and as its own page does, and stands on none of its pages. */
interface Unseen {
  readonly target: Target
  readonly strange: string
  readonly own: string
}

/** What its own pages do not show others may: a list of transfers. All are read once for all forms. */
const withThoseElsewhere = async (
  crawl: CrawlFacts,
  { topic, unseen, forging, until }: Elsewhere,
): Promise<Topic<ForgedSeen>> => {
  const { ctx } = forging
  const pages = await pagesShowing(
    ctx,
    crawl,
    unseen.flatMap(({ strange, own }) => [strange, own]),
    until,
  )
  const shown = unseen.filter(({ strange, own }) => pages.has(strange) || pages.has(own))
  const again = await goThrough(ctx, { name: 'forged requests elsewhere', items: shown, until }, (one) => {
    const page = pages.get(one.strange)
    const target = { ...one.target, pages: [...(page === undefined ? [] : [page]), ...one.target.pages] }
    // What the site takes of its own pages alone needs no more.
    return page === undefined ? Promise.resolve([]) : forge(forging, target, [])
  })
  const stays = unseen.length - shown.length
  const { [UNSEEN]: _unseen, ...others } = topic.left
  const left: Record<string, number> = { ...others, ...(stays > 0 ? { [UNSEEN]: stays } : {}) }
  for (const [reason, count] of Object.entries(again.left)) left[reason] = (left[reason] ?? 0) + count
  const fault = topic.fault ?? again.fault
  return {
    ...topic,
    ...{ asked: topic.asked + again.asked, left, seen: [...topic.seen, ...again.seen] },
    ...(fault === undefined ? {} : { fault }),
  }
}

interface Elsewhere {
  readonly topic: Topic<ForgedSeen>
  readonly unseen: readonly Unseen[]
  readonly forging: Forging
  readonly until: number
}

interface Forging {
  readonly ctx: CollectContext
  readonly sameSite: string | null
  /** As a browser of somebody who has the session sends what another site asks it to. */
  readonly send: (request: HttpRequest) => Promise<HttpExchange>
}

/** In words that follow a number. */
const UNSEEN = 'whose effect is not seen on its pages'

const BY_LAX =
  'the session’s cookie has SameSite=Lax, and comes with no form of other sites; no link was found whose effect would be seen'

interface Target {
  readonly template: RequestTemplate
  readonly made: ProbeRequest
  readonly field: Field
  readonly pages: readonly string[]
}

const targetsOf = (ctx: CollectContext, requests: readonly RequestTemplate[]): readonly Target[] => {
  const found = new Map<string, Target>()
  for (const template of requests) {
    const { method, harm, encoding, url } = template
    const isForm = method === 'POST' && encoding === 'urlencoded'
    const isLink = method === 'GET' && (template.bound !== undefined || template.effect === 'writes')
    if (harm !== null || isSignIn(template) || !(isForm || isLink)) continue
    const field = fieldsOf(template).find((one) => mayCarry(one, ctx.session?.account))
    const own = isLink ? [url.split('?')[0] ?? url] : []
    const pages = [...new Set([...(template.shownOn ?? []), ...template.seenOn, ...own])]
      .filter((page) => !isScriptFile(page))
      .slice(0, MOST_PAGES)
    const key = `${method} ${new URL(url).pathname}`
    if (field !== undefined && !found.has(key)) found.set(key, { template, made: requestOf(template), field, pages })
  }
  // What a script sends is of no page that is known; what it does may show anywhere.
  return [...found.values()].toSorted((a, b) => Number(b.pages.length > 0) - Number(a.pages.length > 0))
}

const fieldsOf = ({ method, url, fields }: RequestTemplate): readonly Field[] =>
  method === 'GET' ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value, type: 'text' })) : fields

const TYPED = /^(?:text|textarea|search|email|tel|url)$/
/** What tells which record it is, who signs in, or what somebody may do. */
const NEVER =
  /^(?:id|.*_id|.*[a-z]Id)$|role|status|state|kind|type|token|login|user|account|date|captcha|answer|^(?:action|do|step|page|q|query|search)$/i

/** By what an account signs in stays as it is. */
const mayCarry = ({ name, value, type }: Field, account: string | undefined): boolean => {
  if (!TYPED.test(type) || NEVER.test(name) || PASSWORD_NAME.test(name) || isToken(name, value)) return false
  const isMail = type === 'email' || /mail/i.test(name)
  return !(isMail && (account === undefined || account.includes('@'))) && (value === '' || value !== account)
}

/** Such as stands there: who checks the form of a number takes no word. */
const markerFor = ({ name, value, type }: Field): string => {
  const code = randomBytes(4).toString('hex')
  if (type === 'email' || /mail/i.test(name)) return `sonde${code}@sonde.invalid`
  if (/^\+?[\d ()/.-]{4,}$/.test(value)) return `555${randomInt(1_000_000, 9_999_999)}`
  return `sonde${code}`
}

/** What another identity alone is led to is forged in that one's name. */
const inNameOf = (given: Forging, { as }: RequestTemplate): Forging => {
  if (as === undefined) return given
  const ctx = { ...given.ctx, egress: egressAs(given.ctx.egress, as) }
  return { ...given, ctx, send: (request) => ask(ctx, request) }
}

const forge = async (given: Forging, target: Target, unseen: Unseen[]): Promise<readonly ForgedSeen[]> => {
  const { template, field } = target
  const { ctx, sameSite, send } = inNameOf(given, template)
  const before = await standing(ctx, target)
  const strange = markerFor(field)
  const sent = forgedRequest(target, strange)
  await writeOnce(ctx, target, sent, () => send(sent))
  const page = await seenAt(ctx, target, strange)
  if (page === null) {
    const own = markerFor(field)
    await sendOwn(ctx, target, own)
    if ((await seenAt(ctx, target, own)) === null) {
      unseen.push({ target, strange, own })
      throw new Left(UNSEEN)
    }
    await restore(ctx, target, before)
    return []
  }
  const nobody = markerFor(field)
  const asNobody: HttpRequest = { ...forgedRequest(target, nobody), authenticated: false, stranger: true }
  await writeOnce(ctx, target, asNobody, () => ask(ctx, asNobody))
  const isOpen = (await seenAt(ctx, target, nobody)) !== null
  await restore(ctx, target, before)
  // Whoever may do it anyway needs nobody's session.
  if (isOpen) return []
  const tokens = target.made.tokens !== undefined || target.made.antiForgery !== undefined
  const guard = template.method === 'GET' ? 'link' : tokens ? 'optional' : 'none'
  const mark = `“${strange}” then stands at ${new URL(page).pathname}`
  return [
    {
      ...{ method: template.method, url: template.url, parameter: field.name, guard, sameSite, page },
      excerpt: [
        `${template.method} ${new URL(template.url).pathname}, Origin ${ANOTHER_SITE}, ${tokens ? 'its token left out' : 'no token'}: ${field.name}=${strange}`,
        mark,
        'the same without the session is not taken; what stood there before was written back',
      ].join('\n'),
      mark,
      replay: `${curlOf(sent)} -b '<the cookies of ${template.as ?? 'a session'}>'`,
    },
  ]
}

const bodyWith = (body: string | null, { name }: Field, value: string): string => formWith(body ?? '', name, value)

const withValue = ({ template, made, field }: Target, value: string): HttpRequest =>
  template.method === 'GET'
    ? { method: 'GET', url: withQuery(made.url, field.name, value), headers: made.headers }
    : { method: made.method, url: made.url, headers: made.headers, body: bodyWith(made.body, field, value) }

/** As a form of another site sends it: what only pages of this one know is left out. */
const forgedRequest = (target: Target, value: string): HttpRequest => {
  const { made } = target
  const request = withValue(target, value)
  const names = [...new Set((made.tokens ?? []).map(({ name }) => name))]
  const url = new URL(request.url)
  for (const name of names) url.searchParams.delete(name)
  const body = names.reduce<string | null>(
    (rest, name) => (rest === null ? null : (formRenamed(rest, name, null) ?? rest)),
    typeof request.body === 'string' ? request.body : null,
  )
  const { body: _body, ...rest } = request
  return {
    ...{ ...rest, url: url.href, ...(body === null ? {} : { body }) },
    headers: [
      ...safelisted(request.headers),
      ...(request.method === 'GET' ? [] : [['Origin', ANOTHER_SITE] as const]),
      ['Referer', `${ANOTHER_SITE}/`],
      ['Sec-Fetch-Site', 'cross-site'],
    ],
  }
}

/** What pages of other sites may set without being asked about first: CORS-safelisted request headers (Fetch, 2.2.2). */
const safelisted = (headers: HttpRequest['headers'] = []): HeaderPairs =>
  headers.filter(([name]) => /^(?:accept|accept-language|content-language|content-type)$/i.test(name))

const withCookie = ({ headers = [] }: HttpRequest, cookie: string): HeaderPairs => [...headers, ['Cookie', cookie]]

const fromNowhere = (headers: HttpRequest['headers'] = []): HeaderPairs =>
  headers.filter(([name]) => name.toLowerCase() !== 'referer')

/** As its page sends it. @throws Left where that names no token */
const sendOwn = async (ctx: CollectContext, target: Target, value: string): Promise<void> => {
  const { made, template } = target
  const request = withValue(target, value)
  const own: HttpRequest = {
    ...request,
    headers: [
      ...fromNowhere(request.headers),
      ['Origin', new URL(template.url).origin],
      ['Referer', template.seenOn[0] ?? template.url],
    ],
  }
  const minted = isMinted(made) ? await mintFor(ctx.egress, made, true) : null
  if (minted === null && isMinted(made)) throw new Left('whose token against forged requests its pages do not name')
  const whole = minted === null ? own : withMinted(own, made, minted)
  await writeOnce(ctx, target, own, () => ask(ctx, whole))
}

/** Of what its form may be sent. @throws Left where that is used up */
const writeOnce = async (
  ctx: CollectContext,
  { template }: Target,
  request: HttpRequest,
  send: () => Promise<HttpExchange>,
): Promise<void> => {
  const sent =
    template.bound === undefined
      ? await send()
      : await sendBounded(ctx, { template, request, send, statusOf: ({ status }) => status })
  if (sent === null) throw new Left(BOUND)
}

/** Twice: a notice of what was done is shown once. */
const seenAt = async (ctx: CollectContext, { pages }: Target, marker: string): Promise<string | null> => {
  const shows = async (page: string): Promise<boolean> => holds(textOf(await ask(ctx, pageRequest(page))), marker)
  for (const page of pages) if ((await shows(page)) && (await shows(page))) return page
  return null
}

/** What the form is filled in with; null where it shows nothing to be altered. */
const standing = async (ctx: CollectContext, { pages, field }: Target): Promise<string | null> => {
  for (const page of pages) {
    const html = readHtml(textOf(await ask(ctx, pageRequest(page))), page)
    const input = html.forms.flatMap(({ inputs }) => inputs).find(({ name }) => name === field.name)
    if (input !== undefined) return input.value
  }
  return null
}

/** What is made anew each time stays, on a test system. */
const restore = async (ctx: CollectContext, target: Target, before: string | null): Promise<void> => {
  if (before !== null && before !== '') await sendOwn(ctx, target, before)
}
