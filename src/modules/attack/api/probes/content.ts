/** What is taken though nobody meant it to be: another method by a header, JSON under a type that any page may send. */

import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { ANOTHER_SITE } from '../../../../page/another-site.ts'
import { likeness } from '../../../../page/similarity.ts'
import { textOf } from '../../../../page/text.ts'
import { broughtAlong } from '../../../brought-along.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { isMinted } from '../../insertion-points/freshness.ts'
import { requestOf } from '../../insertion-points/inventory.ts'
import { ask, replayOf, type Topic } from '../asking.ts'
import type { ContentHit } from '../facts.ts'
import { isDenial } from '../leaves.ts'
import { asked, type Target, whereOf, withoutQuery } from '../operations.ts'

const OVERRIDES: readonly string[] = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']

/** A GET that one header makes a HEAD: harmless, and its answer has no body only where the header is obeyed. */
export const overrideWork =
  (ctx: CollectContext): Topic<Target, ContentHit>['work'] =>
  async ({ request }, found) => {
    const sizeWith = async (method: string, names: readonly string[]): Promise<number | null> => {
      const answer = await ask(ctx, asked(request, { headers: names.map((name) => [name, method] as const) }))
      return answer.status === 200 ? answer.body.length : null
    }
    const obeys = async (names: readonly string[]): Promise<boolean> =>
      (await sizeWith('HEAD', names)) === 0 && ((await sizeWith('GET', names)) ?? 0) > 0
    if (!((await sizeWith('GET', [])) ?? 0) || !(await obeys(OVERRIDES))) return
    for (const name of OVERRIDES) {
      if (!(await obeys([name])) || !(await obeys([name]))) continue
      const sent = asked(request, { headers: [[name, 'HEAD']] })
      const mark = `${name}: HEAD: no body`
      const excerpt = [`GET ${withoutQuery(request.url)}`, `${name}: GET: a body`, mark].join('\n')
      found({
        ...{ kind: 'override', method: 'GET', url: withoutQuery(request.url), excerpt, mark, replay: replayOf(sent) },
        detail: `A GET with ${name}: HEAD is answered as a HEAD, twice, and with ${name}: GET as a GET.`,
      })
      return
    }
  }

/**
 * Requests of JSON that a page of another site could send with a visitor's cookies, if their type did not keep it from it. What was seen to read
 * alone does nothing in anybody's name, and its answer is not for that page.
 */
export const isJsonRequest = ({ method, encoding, body, effect, headers = [] }: RequestTemplate): boolean =>
  method === 'POST' &&
  effect !== 'reads' &&
  encoding === 'json' &&
  /^\s*[[{]/.test(body ?? '') &&
  headers.length === 0 &&
  !/"query"\s*:\s*"\s*(?:query|mutation|\{)/.test(body ?? '')

const LIKE = 0.9

export const plainJsonWork =
  (ctx: CollectContext): Topic<Target, ContentHit>['work'] =>
  async ({ request }, found) => {
    // A token that another site does not know keeps its forms from it.
    if (isMinted(requestOf(request))) return
    const own = asked(request)
    // As a page of another site sends it, which knows no token that pages of this one say beside the session.
    const brought = await broughtAlong(ctx.egress, own.url)
    const plain: HttpRequest = {
      ...own,
      headers: [['Content-Type', 'text/plain'], ['Origin', ANOTHER_SITE], ...(brought ?? [])],
      ...(brought === null ? {} : { authenticated: false }),
    }
    const usual = await ask(ctx, own)
    if (usual.status < 200 || usual.status >= 300) return
    // Where nobody is asked who it is, nothing is done in another's name.
    const stranger = await ask(ctx, { ...own, authenticated: false })
    if (stranger.status >= 200 && stranger.status < 300 && !isDenial(stranger.status, textOf(stranger))) return
    // Where the body is not looked at, its type says nothing.
    const empty = await ask(ctx, { ...plain, body: '{}' })
    const isAsUsual = async (sent: HttpRequest): Promise<boolean> => {
      const answer = await ask(ctx, sent)
      return answer.status === usual.status && likeness(textOf(answer), textOf(usual)) >= LIKE
    }
    if (empty.status === usual.status && likeness(textOf(empty), textOf(usual)) >= LIKE) return
    if (!(await isAsUsual(plain)) || !(await isAsUsual(plain))) return
    const mark = `Content-Type: text/plain: status ${usual.status}, answered as under application/json`
    const excerpt = [`POST ${withoutQuery(request.url)}`, mark, `an empty object: status ${empty.status}`].join('\n')
    found({
      ...{ kind: 'plain-json', ...whereOf(request), excerpt, mark, replay: replayOf(plain) },
      detail: 'The JSON of this request is read under the type text/plain, too, which a form of any site can send.',
    })
  }
