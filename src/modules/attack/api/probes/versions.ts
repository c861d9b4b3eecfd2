/**
 * Versions of an interface before the one in use: each address that refuses nobody is asked as nobody again, under the numbers before its
 * own. What answers there with the account's own data has no check of who asks (OWASP API9:2023, inventory).
 */

import { randomBytes } from 'node:crypto'
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { jsonOf } from '../../../../page/json.ts'
import { isVariable } from '../../../../page/shape.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, type Topic } from '../asking.ts'
import type { VersionHit } from '../facts.ts'
import { dataOf, isDenial, type Leaf } from '../leaves.ts'
import { asked, isReading, type Target, whereOf, withoutQuery } from '../operations.ts'
import { shownOf } from '../showing.ts'

/** Numbers before the own that are asked, the nearest first; what was there before there were versions is asked besides. */
const MOST_OLDER = 3

/** What is read by GET at an address with a version that has others before it. */
export const isVersioned = ({ request }: Target): boolean =>
  request.method === 'GET' && isReading(request) && olderOf(request.url).length > 0

/**
 * The same address under the versions before its own, and under none: of `/api/v2/orders` those with v1 and v0, and `/api/orders`. Of one folder alone
 * nothing is left without it.
 */
export const olderOf = (url: string): readonly string[] => {
  const { origin, pathname, search } = new URL(url)
  const segments = pathname.split('/')
  const at = segments.findIndex((segment) => VERSION.test(segment))
  const [, letter = '', number = ''] = VERSION.exec(segments[at] ?? '') ?? []
  if (number === '') return []
  const own = Number(number)
  const older = Array.from({ length: Math.min(MOST_OLDER, own) }, (_, back) =>
    segments.with(at, `${letter}${own - 1 - back}`),
  )
  const none = segments.toSpliced(at, 1)
  return [...older, ...(none.length > 1 ? [none] : [])].map((path) => `${origin}${path.join('/')}${search}`)
}
const VERSION = /^(v)([1-9]|1\d)$/i

export const versionsWork =
  (ctx: CollectContext): Topic<Target, VersionHit>['work'] =>
  async ({ request }, found) => {
    const own = dataIn(await ask(ctx, asked(request), request))
    if (own.length === 0) return
    // What everybody is answered is nobody's.
    const open = dataIn(await ask(ctx, asked(request, { authenticated: false }), request))
    if (open.some((leaf) => own.some((one) => isSame(one, leaf)))) return
    const same = [request.url, collectionOf(request.url), flatOf(request.url)]
    for (const url of new Set(same.flatMap(olderOf))) {
      const older = { ...asked(request, { authenticated: false }), url }
      const answer = await ask(ctx, older)
      const told = tellingOf(own, dataIn(answer))
      if (told.length === 0) continue
      // A page that answers whatever one asks it for says nothing of an address.
      const nowhere = dataIn(await ask(ctx, { ...older, url: besides(url) }))
      const again = tellingOf(own, dataIn(await ask(ctx, older)))
      if (again.length === 0 || tellingOf(own, nowhere).length > 0) continue
      const names = [...new Set(again.map(({ pointer }) => pointer))].slice(0, 20)
      const mark = `HTTP status ${answer.status}`
      found({
        ...{ kind: 'older', ...whereOf(request), url: withoutQuery(url), names, present: withoutQuery(request.url) },
        ...{ excerpt: shownOf(older, mark, jsonOf(textOf(answer))), mark, replay: curlOf(older) },
      })
      return
    }
  }

/** What one record, or whoever asks, is one of: `/api/v1/users` of `/api/v1/users/me`. Itself where it is no such thing. */
const collectionOf = (url: string): string => {
  const at = new URL(url)
  const parts = at.pathname.split('/')
  const last = parts.at(-1) ?? ''
  if (parts.length < 4 || !(isVariable(last) || /^(?:me|self|current|whoami)$/i.test(last))) return url
  at.pathname = parts.slice(0, -1).join('/')
  at.search = ''
  return at.href
}

/** What is kept below something now may have stood by itself: `/v2/orders` of `/v2/shops/3/orders`. Itself where it is not. */
const flatOf = (url: string): string => {
  const at = new URL(url)
  const parts = at.pathname.split('/')
  const version = parts.findIndex((part) => VERSION.test(part))
  const last = parts.findLast((part) => part !== '' && !isVariable(part))
  if (version < 0 || last === undefined || parts.indexOf(last) <= version + 1) return url
  at.pathname = [...parts.slice(0, version + 1), last].join('/')
  at.search = ''
  return at.href
}

/** Empty where it is refused, or no JSON. */
const dataIn = (answer: HttpExchange): readonly Leaf[] => {
  const text = textOf(answer)
  if (answer.status < 200 || answer.status >= 300 || isDenial(answer.status, text)) return []
  return dataOf(jsonOf(text))
}

const isSame = (a: Leaf, b: Leaf): boolean => a.name === b.name && a.value === b.value && isTelling(a)

/** No flag and no small number: records of other people have those, too. */
const isTelling = ({ value }: Leaf): boolean => typeof value === 'string' && value.length >= 6

/** What both show under one name. */
const tellingOf = (own: readonly Leaf[], other: readonly Leaf[]): readonly Leaf[] =>
  other.filter((leaf) => own.some((one) => isSame(one, leaf)))

/** Beside it, where nothing is. */
const besides = (url: string): string => {
  const at = new URL(url)
  at.pathname = `${at.pathname.slice(0, at.pathname.lastIndexOf('/'))}/${randomBytes(6).toString('hex')}`
  return at.href
}
