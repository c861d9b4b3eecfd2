/**
 * Mass assignment: properties that the server alone should set, sent along with what a request takes, and looked for in a later
 * read. On test systems alone, since what is proven stays; what was altered is set back.
 */

import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { headerOf } from '../../../../page/exchange.ts'
import { jsonOf } from '../../../../page/json.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { ask, Left, replayOf, type Topic } from '../asking.ts'
import type { AssignedHit } from '../facts.ts'

import { asked, type Target, whereOf, withoutQuery } from '../operations.ts'

type Json = Readonly<Record<string, unknown>>

/** What more rights, money or trust is called. */
const PRIVILEGED =
  /^(?:is_?)?(?:admin(?:istrator)?|super_?user|staff|owner|moderator|verified|approved|confirmed|active|activated|enabled|premium|paid|internal|trusted|email_?verified|featured|sponsored)$|^(?:user_?)?(?:role|roles|permissions?|scopes?|groups?|privileges?|access_?level|account_?type|user_?type|tier|plan|level|rank)$|^(?:balance|credits?|points|wallet|score|discount|quota|limit|price|amount|status|state|likes|up_?votes|down_?votes|votes|rating|reputation|karma)$/i
/** What tells one record from another is left alone: another one's could be written over. */
const OF_THE_RECORD =
  /^_|id$|uuid|guid|created|updated|modified|deleted|timestamp|_at$|At$|href|links?$|ur[li]$|slug|version|etag|hash|token|count$/i

/** Requests that it applies to. */
export const isAssignable = ({ method, encoding, body }: RequestTemplate): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method) &&
  encoding === 'json' &&
  objectOf(body ?? '') !== null &&
  !/"query"\s*:/.test(body ?? '')

/** `lists`: addresses that are read with GET, where what was made may stand whose answer does not say where it is. */
export const assignmentWork =
  (ctx: CollectContext, lists: readonly string[] = []): Topic<Target, AssignedHit>['work'] =>
  async (target, found) => {
    const { request, operation } = target
    const creates = request.method === 'POST'
    const before = await baselineOf(ctx, request, creates, lists)
    const body = objectOf(request.body ?? '') ?? {}
    const readOnly = (operation?.readOnly ?? [])
      .map((pointer) => pointer.slice(1))
      .filter((name) => !name.includes('/'))
    const names = [...new Set([...readOnly, ...Object.keys(before.shown).filter((name) => PRIVILEGED.test(name))])]
      .filter((name) => !OF_THE_RECORD.test(name) && (!(name in body) || readOnly.includes(name)))
      .slice(0, MOST_NAMES)
    for (const name of names) {
      for (const value of valuesFor(name, before.shown[name])) {
        const sent = sending(request, { [name]: value }, creates)
        const answer = await ask(ctx, sent, request)
        if (answer.status >= 400) continue
        const told = recordOf(answer)
        const later = await readLater(ctx, request, creates ? answer : null, { sent, lists: before.at })
        const stays = later !== null && same(later.record[name], value)
        const kept = stays || (later === null && told !== null && same(told[name], value))
        // Where it cannot be read any more, too: what says whose it is may be what was changed.
        if (!creates && (kept || later === null))
          await ask(ctx, sending(request, { [name]: before.shown[name] ?? null }, creates), request)
        if (!kept || same(before.shown[name], value)) continue
        found(hitOf(request, sent, { name, value, by: readOnly.includes(name) ? 'read-only' : 'answer', stays, later }))
        break
      }
    }
    const right = rightIn(body)
    if (right !== undefined) throw new Left(`whose own body says "${right}", which is not changed`)
  }

const MOST_NAMES = 6

/** Sent by the application itself: whether whoever sends it may say so depends on who that is. */
const RIGHT =
  /^(?:is_?)?(?:admin(?:istrator)?|super_?user|staff|owner)$|^(?:user_?)?(?:roles?|permissions?|scopes?|groups?|privileges?|access_?level)$/i
const rightIn = (body: Json): string | undefined =>
  Object.entries(body).find(([name, value]) => RIGHT.test(name) && ['string', 'boolean'].includes(typeof value))?.[0]

interface Later {
  readonly record: Json
  readonly url: string
}

/** As it is without anything of ours. @throws Left where it is not taken at all */
const baselineOf = async (
  ctx: CollectContext,
  request: RequestTemplate,
  creates: boolean,
  lists: readonly string[],
): Promise<{ readonly shown: Json; readonly at: readonly string[] }> => {
  if (!creates) {
    const later = await readLater(ctx, request, null)
    if (later === null) throw new Left('whose record could not be read before and after')
    const own = await ask(ctx, sending(request, {}, creates), request)
    if (own.status >= 400) throw new Left(`that refused what the crawl knows to send, with status ${own.status}`)
    return { shown: later.record, at: [] }
  }
  const sent = sending(request, {}, creates)
  const answer = await ask(ctx, sent, request)
  if (answer.status >= 400) throw new Left(`that refused what the crawl knows to send, with status ${answer.status}`)
  const later = await readLater(ctx, request, answer, { sent, lists: lists.slice(0, MOST_LISTS) })
  const isListed = later !== null && lists.includes(later.url)
  return { shown: isListed ? later.record : { ...recordOf(answer), ...later?.record }, at: isListed ? [later.url] : [] }
}

/** At the same address, or by the id or the address that its answer gave. */
const readLater = async (
  ctx: CollectContext,
  request: RequestTemplate,
  made: HttpExchange | null,
  { sent, lists }: { readonly sent?: HttpRequest; readonly lists: readonly string[] } = { lists: [] },
): Promise<Later | null> => {
  const { origin, pathname } = new URL(request.url)
  const own = `${origin}${pathname}`
  const location = made === null ? null : headerOf(made, 'location')
  const id = made === null ? null : idOf(recordOf(made))
  const addresses =
    made === null
      ? [own]
      : [
          ...(location === null ? [] : [URL.parse(location, own)?.href ?? own]),
          ...(id === null ? [] : [`${own.replace(/\/$/, '')}/${encodeURIComponent(id)}`]),
        ].filter((url) => new URL(url).origin === origin)
  for (const url of addresses) {
    const answer = await ask(ctx, { url, headers: [['Accept', 'application/json']] })
    const record = answer.status < 300 ? recordOf(answer) : null
    if (record !== null) return { record, url }
  }
  if (made === null) return null
  if (id === null) return findListed(ctx, sent, lists)
  const list = jsonOf(textOf(await ask(ctx, { url: own, headers: [['Accept', 'application/json']] })))
  const record = Array.isArray(list) ? list.find((one) => idOf(one as Json) === id) : undefined
  return record === undefined ? null : { record: record as Json, url: own }
}

/**
 * A registration often says no more than that it went well: what it made stands in lists, known by a value that was made up for it. One for everybody shows a
 * name, and another all there is to it.
 */
const findListed = async (
  ctx: CollectContext,
  sent: HttpRequest | undefined,
  lists: readonly string[],
): Promise<Later | null> => {
  const made = Object.entries(objectOf(String(sent?.body ?? '')) ?? {}).filter(
    ([, value]) => typeof value === 'string' && MADE.test(value),
  )
  let fullest: Later | null = null
  for (const url of made.length === 0 ? [] : lists) {
    const answer = await ask(ctx, { url, headers: [['Accept', 'application/json']] })
    const record = recordsIn(jsonOf(textOf(answer))).find((one) => made.some(([name, value]) => one[name] === value))
    if (record !== undefined && Object.keys(record).length > Object.keys(fullest?.record ?? {}).length)
      fullest = { record, url }
  }
  return fullest
}
const MOST_LISTS = 8
const MADE = /sonde[0-9a-f]{8}/

/** Of a list, or of the lists that an envelope holds. */
const recordsIn = (value: unknown): readonly Json[] => {
  const holders = Array.isArray(value) ? [value] : typeof value === 'object' ? Object.values(value ?? {}) : []
  return holders
    .filter((one) => Array.isArray(one))
    .flat()
    .filter((one): one is Json => typeof one === 'object' && one !== null && !Array.isArray(one))
}

const idOf = (record: Json | null): string | null => {
  const id = [record?.id, record?._id, record?.uuid, record?.key, record?.name].find(
    (one) => typeof one === 'string' || typeof one === 'number',
  )
  return id === undefined ? null : String(id)
}

/** The record itself, or the one that an envelope holds. */
const recordOf = (answer: HttpExchange): Json | null => {
  const whole = objectOf(textOf(answer))
  if (whole === null) return null
  const [first, ...more] = Object.values(whole).filter(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
  )
  const isEnvelope =
    first !== undefined &&
    more.length === 0 &&
    ['data', 'result', 'user', 'item', 'record', 'payload'].some((name) => whole[name] === first)
  return isEnvelope ? (first as Json) : whole
}

const objectOf = (text: string): Json | null => {
  const value = jsonOf(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

/** What one makes, others have made already. */
const UNIQUE = /mail|user|login|name|title|slug|phone/i

const sending = (request: RequestTemplate, more: Json, creates: boolean): HttpRequest => {
  const code = `sonde${randomBytes(4).toString('hex')}`
  const own = Object.entries(objectOf(request.body ?? '') ?? {}).map(([name, value]): [string, unknown] => {
    if (!creates || typeof value !== 'string' || !UNIQUE.test(name)) return [name, value]
    return [name, value.includes('@') ? value.replace('@', `.${code}@`) : `${value}${code}`]
  })
  return { ...asked(request), body: JSON.stringify({ ...Object.fromEntries(own), ...more }) }
}

/** Others than the one that is there, of the same type; a mark of ours before what would give rights. */
const valuesFor = (name: string, value: unknown): readonly unknown[] => {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 7]
  const mark = `sonde${randomBytes(3).toString('hex')}`
  if (Array.isArray(value)) return [[mark]]
  if (value === undefined && /^is|verified|active|enabled|admin$/i.test(name)) return [true]
  return /role|type|level|tier|plan/i.test(name) ? [mark, 'admin'] : [mark]
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const hitOf = (
  request: RequestTemplate,
  sent: HttpRequest,
  {
    name,
    value,
    by,
    stays,
    later,
  }: { name: string; value: unknown; by: AssignedHit['by']; stays: boolean; later: Later | null },
): AssignedHit => {
  const mark = `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  const lines = [
    `${request.method} ${withoutQuery(request.url)} was sent with ${mark}`,
    later === null ? `its answer has ${mark}` : `GET ${later.url} has ${mark} afterwards`,
  ]
  return {
    ...{ kind: 'assigned', name, by, stays, ...whereOf(request) },
    ...{
      excerpt: lines.join('\n'),
      mark,
      replay: [replayOf(sent), ...(later === null ? [] : [replayOf({ url: later.url })])].join('; '),
    },
  }
}
