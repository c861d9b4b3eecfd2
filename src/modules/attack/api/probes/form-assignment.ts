/**
 * Mass assignment by forms (CWE-915): a property that a page or an interface shows of the account, and that a form of it does not have, sent along
 * with what the form sends, and looked for where it was shown. On test systems alone; what was altered is set back.
 */

import { randomBytes } from 'node:crypto'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { withoutEntities } from '../../../../page/entities.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { jsonOf } from '../../../../page/json.ts'
import { isScriptFile } from '../../../../page/shape.ts'
import { textOf } from '../../../../page/text.ts'
import { visibleText } from '../../../../page/visible.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { formWith } from '../../insertion-points/body.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import { isSignIn } from '../../insertion-points/sign-in.ts'
import { ask, Left, replayOf } from '../asking.ts'
import type { AssignedHit } from '../facts.ts'
import { asked, type Target, whereOf, withoutQuery } from '../operations.ts'

/** What more rights, money or trust is called, and nothing that people set themselves. */
const PRIVILEGED =
  /^(?:is_?)?(?:admin(?:istrator)?|super_?user|staff|moderator|verified|approved|premium|internal|trusted|email_?verified)$|^(?:user_?)?(?:role|roles|permissions?|groups?|privileges?|access_?level|account_?type|user_?type|tier|level|rank)$|^(?:balance|credits?|points|wallet|discount|quota)$/i
/** A label in an element of its own with its value in the next one. */
const LABELLED =
  /<(dt|th|td|label|strong|b|span)\b[^<>]{0,200}>\s*([A-Za-z][A-Za-z _-]{1,24}?)\s*:?\s*<\/\1>\s*:?\s*(?:<(?:dd|td|span|div|p|strong|b|em|code)\b[^<>]{0,200}>\s*)?([^<>]{1,60})/gi
/** In a text of its own: "Rank: Member". */
const WRITTEN = />\s*([A-Za-z][A-Za-z _-]{1,24}?)\s*:\s*([^\s<>][^<>]{0,59})</g
/** In a sentence, what somebody has, in numbers: "your credit is € 20.00". */
const COUNTED_IN =
  /(?<![\w-])(balance|credits?|points|wallet|quota|discount)\b\s*(?:is|of|:)?\s*(?:[€$£]|EUR|USD|GBP|CHF)?\s*(\d{1,9}(?:\.\d{1,2})?)(?![.,]?\d)/gi
/** In a sentence, what somebody is in the rights of an application, and what that is called. */
const SAID =
  /(?:\byou(?: are|['’]re| have signed in as| are signed in as) (?:an? |the )?|\b(?:role|rank)(?: is|:)? )([a-z][a-z-]{2,20})\b/gi
const RANKS =
  /^(?:members?|users?|customers?|clients?|tenants?|guests?|readers?|authors?|editors?|moderators?|staff|clerks?|employees?|managers?|teachers?|students?|admins?|administrators?|basic|standard|free)$/i
const CALLED = ['role', 'rank', 'user_type', 'group']
/** Told by a number where its word is not. */
const COUNTED = /^(?:rank|level|access_level|tier)$/
const DISABLED = /<input\b(?=[^<>]{0,400}\sdisabled\b)[^<>]{0,400}>/gi
const MOST_PAGES = 5
const MOST_ADDRESSES = 2
const MOST_NAMES = 4
/** Where an interface shows who asks. */
const OF_THE_ACCOUNT = /(?:^|\/)(?:me|self|whoami|account|profile|user|session|current[_-]?user)(?:\.json)?\/?$/i

/** Where a property of the account shows. */
interface Shown {
  readonly url: string
  readonly name: string
  readonly value: string
  /** Of JSON whose type it has. */
  readonly type: 'text' | 'boolean' | 'number'
  /** It stands in a sentence, which does not tell what it is called. */
  readonly said?: true
}

/** Forms that keep something, and are not the way in. */
export const isAssignableForm = (template: RequestTemplate): boolean => {
  const { method, encoding, source, effect, bound, seenOn } = template
  if (source !== 'form' || seenOn.length === 0 || isSignIn(template)) return false
  return method === 'POST'
    ? (encoding === 'urlencoded' || encoding === 'multipart') && effect !== 'reads'
    : bound !== undefined || effect === 'writes'
}

/** Addresses at which interfaces tell who asks, of all that the crawl knows: those for programs first, which name what a page shows in words. */
export const accountAddresses = (requests: readonly RequestTemplate[]): readonly string[] => {
  const all = requests.flatMap(({ method, url, harm }) =>
    method === 'GET' && harm === null && OF_THE_ACCOUNT.test(new URL(url).pathname) ? [withoutQuery(url)] : [],
  )
  return [...new Set(all)].toSorted((a, b) => Number(FOR_PROGRAMS.test(b)) - Number(FOR_PROGRAMS.test(a)))
}
const FOR_PROGRAMS = /\/(?:api|rest|ajax|json|v\d{1,2})\/|\.json$|[/_-](?:me|whoami|self)$/i

/** `addresses`: see above. */
export const formAssignmentWork =
  (ctx: CollectContext, addresses: readonly string[]) =>
  async ({ request }: Target, found: (hit: AssignedHit) => void): Promise<void> => {
    const own = new Set([
      ...request.fields.flatMap(({ name }) => [name, NESTED.exec(name)?.[2] ?? name]),
      ...new URL(request.url).searchParams.keys(),
    ])
    const pages = [...(request.shownOn ?? []), ...request.seenOn, ...(ctx.session ? [ctx.session.proofAt] : [])]
    const urls = [...new Set([...addresses.slice(0, MOST_ADDRESSES), ...pages])]
      .filter((url) => !isScriptFile(url))
      .slice(0, MOST_PAGES)
    const shown: Shown[] = []
    for (const url of urls) shown.push(...(await shownAt(ctx, url)))
    const names = new Map<string, Shown>()
    // What all pages say of who is signed in belongs to the form of the page that it is said beside.
    const besides = new Set([...(request.shownOn ?? []), ...request.seenOn])
    for (const one of shown)
      if (!own.has(one.name) && !names.has(one.name) && (!one.said || besides.has(one.url))) names.set(one.name, one)
    for (const one of [...names.values()].slice(0, MOST_NAMES)) {
      const value = otherThan(one)
      const sent = withProperty(request, one.name, value)
      const answer = await ask(ctx, sent, request)
      if (answer.status >= 400)
        throw new Left(`that refused what the crawl knows to send, with status ${answer.status}`)
      const stays = await holds(ctx, one, value)
      if (!stays) {
        const hit = COUNTED.test(one.name) && one.type === 'text' ? await askNumbers(ctx, request, one) : null
        if (hit) return found(hit)
        continue
      }
      await ask(ctx, withProperty(request, one.name, one.value), request)
      found(hitOf(request, sent, one, value))
      // Told by a sentence it is one property, whatever names are left.
      if (one.said) return
    }
  }

/** Numbers behind a word: high, where another word stands then, and as low as brings the first one back. */
const [HIGH, LOW] = [9, [1, 0]]

/**
 * What a page shows for a number is a word of its own. The lowest number that brings it back is left there; twice each, as a notice of what was
 * done is shown once.
 */
const askNumbers = async (ctx: CollectContext, request: RequestTemplate, one: Shown): Promise<AssignedHit | null> => {
  const now = async (): Promise<string | undefined> =>
    (await shownAt(ctx, one.url)).find(({ name }) => name === one.name)?.value
  const put = async (value: number): Promise<HttpRequest> => {
    const sent = withProperty(request, one.name, String(value))
    await ask(ctx, sent, request)
    return sent
  }
  const seen: (string | undefined)[] = []
  let sent: HttpRequest | null = null
  for (let time = 0; time < 2; time += 1) {
    sent = await put(HIGH)
    seen.push(await now(), await now())
    const [other] = seen
    for (const value of LOW) {
      await put(value)
      if ((await now()) === one.value) break
    }
    if (other === undefined || other === one.value || (await now()) !== one.value) return null
  }
  const [other = ''] = seen
  return sent !== null && seen.every((value) => value === other) ? hitOf(request, sent, one, String(HIGH), other) : null
}

/** A notice of what was done is shown once: it has to stand there twice. */
const holds = async (ctx: CollectContext, { url, name, said }: Shown, value: string): Promise<boolean> => {
  for (let time = 0; time < 2; time += 1) {
    if (said) {
      const answer = await ask(ctx, pageRequest(url))
      if (answer.status >= 300 || !textOf(answer).includes(value)) return false
      continue
    }
    const now = await shownAt(ctx, url)
    if (!now.some((one) => one.name === name && one.value === value)) return false
  }
  return true
}

const shownAt = async (ctx: CollectContext, url: string): Promise<readonly Shown[]> => {
  const answer = await ask(ctx, pageRequest(url))
  if (answer.status >= 300) return []
  const text = textOf(answer)
  return shownIn(text, url).filter(({ name, value }) => PRIVILEGED.test(name) && value !== '')
}

/** Exported for its test: properties with their values, of JSON or beside their labels in a page. */
export const shownIn = (text: string, url: string): readonly Shown[] => {
  const json = jsonOf(text)
  if (json !== null && typeof json === 'object')
    return Object.values({ whole: json, ...json })
      .filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null && !Array.isArray(one))
      .flatMap((record) => Object.entries(record))
      .flatMap(([name, value]): readonly Shown[] =>
        typeof value === 'string'
          ? [{ url, name, value, type: 'text' }]
          : typeof value === 'boolean' || typeof value === 'number'
            ? [{ url, name, value: String(value), type: typeof value as 'boolean' | 'number' }]
            : [],
      )
  const labelled = [...text.matchAll(LABELLED)].map(([, , label = '', value = '']) => [
    label.toLowerCase().replace(/[ -]+/g, '_'),
    value,
  ])
  const written = [...text.matchAll(WRITTEN)].map(([, label = '', value = '']) => [
    label.toLowerCase().replace(/[ -]+/g, '_'),
    value,
  ])
  const said = [...text.matchAll(SAID)].flatMap(([, value = '']): readonly Shown[] =>
    RANKS.test(value) ? CALLED.map((name) => ({ url, name, value, type: 'text', said: true })) : [],
  )
  const disabled = [...text.matchAll(DISABLED)].map(([tag]) => [attributeOf(tag, 'name'), attributeOf(tag, 'value')])
  const named = [...labelled, ...disabled, ...written].map(
    ([name = '', value = '']): Shown => ({
      ...{ url, name, type: 'text' },
      value: withoutEntities(value).trim(),
    }),
  )
  const counted = [...visibleText(text).matchAll(COUNTED_IN)].map(
    ([, name = '', value = '']): Shown => ({ ...{ url, type: 'text', value }, name: name.toLowerCase() }),
  )
  return [...named, ...said, ...counted]
}

const attributeOf = (tag: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
    .exec(tag)
    ?.slice(1)
    .find((one) => one !== undefined) ?? ''

/** Another one of its kind; a mark of ours before what would give rights. */
const otherThan = ({ type, value }: Shown): string => {
  if (type === 'boolean') return String(value !== 'true')
  const sum = /^\d{1,9}(?:\.(\d{1,2}))?$/.exec(value)
  if (type === 'number' || sum)
    return type === 'number' ? String(Number(value) + 7) : (Number(value) + 7).toFixed(sum?.[1]?.length ?? 0)
  return `sonde${randomBytes(3).toString('hex')}`
}

/** `member[name]`, as Rails, PHP and Symfony nest what belongs to one record. */
const NESTED = /^([a-z_]\w*)(?:\[\w*\])*\[([a-z_]\w*)\]$/i

/** Within the record that all fields of the form belong to which people fill in, if there is one. */
const calledIn = ({ fields }: RequestTemplate, name: string): string => {
  const filled = fields.filter(({ type }) => type !== 'hidden' && type !== 'submit')
  const records = new Set(filled.map((field) => NESTED.exec(field.name)?.[1]))
  const [record] = records
  return records.size === 1 && record !== undefined ? `${record}[${name}]` : name
}

const withProperty = (request: RequestTemplate, property: string, value: string): HttpRequest => {
  const name = calledIn(request, property)
  // A part of its own, behind those that the form has.
  if (request.encoding === 'multipart')
    return asked({ ...request, fields: [...request.fields, { name, value, type: 'text' }] })
  const made = asked(request)
  if (request.method === 'GET') return { ...made, url: withQuery(made.url, name, value) }
  return { ...made, body: formWith(typeof made.body === 'string' ? made.body : '', name, value) }
}

const hitOf = (
  request: RequestTemplate,
  sent: HttpRequest,
  { name, url, value: stood }: Shown,
  value: string,
  shows = value,
): AssignedHit => {
  const mark = `${calledIn(request, name)}=${value}`
  const lines = [
    `${request.method} ${withoutQuery(request.url)} was sent with ${mark}, which its form does not have`,
    `GET ${url} shows ${shows} for ${name} afterwards, where ${stood} stood`,
  ]
  return {
    ...{ kind: 'assigned', name, by: 'answer', stays: true, ...whereOf(request) },
    ...{ excerpt: lines.join('\n'), mark, replay: `${replayOf(sent)}; ${replayOf({ url })}` },
  }
}
