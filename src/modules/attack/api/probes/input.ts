/** Operations asked with what their description does not allow: an error of the server says that nothing looks at it before. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { jsonWith } from '../../insertion-points/body.ts'
import { leavesOf } from '../../insertion-points/points.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, expectTaken, Left, type Topic } from '../asking.ts'
import type { FailedHit } from '../facts.ts'
import { handlerOf } from '../handler.ts'
import { asked, type Target, whereOf } from '../operations.ts'

const MOST_LEAVES = 4
const MOST_PARAMETERS = 3

interface Wrong {
  readonly input: string
  readonly parameter: string
  readonly request: HttpRequest
}

export const inputWork =
  (ctx: CollectContext): Topic<Target, FailedHit>['work'] =>
  async ({ request }, found) => {
    const usual = await ask(ctx, asked(request), request)
    expectTaken(usual)
    if (usual.status >= 500) throw new Left(`that failed as it is, with status ${usual.status}`)
    for (const wrong of wrongOf(request)) {
      const first = await ask(ctx, wrong.request, request)
      if (!isFailure(first.status)) continue
      const [again, own] = [await ask(ctx, wrong.request, request), await ask(ctx, asked(request), request)]
      if (!isFailure(again.status) || own.status >= 500) continue
      const mark = `HTTP status ${again.status}`
      const lines = [
        `as it is described: HTTP status ${own.status}`,
        `with ${wrong.input} in ${wrong.parameter}: ${mark}`,
        textOf(again).slice(0, 300),
      ]
      found({
        ...{ kind: 'unhandled', status: again.status, input: wrong.input, parameter: wrong.parameter },
        ...{ ...whereOf(request), excerpt: lines.join('\n'), mark },
        handler: handlerOf(again),
        replay: curlOf(wrong.request),
      })
      return
    }
  }

/** 501, 502, 503 and 504 are those of what stands before or beside it. */
const isFailure = (status: number): boolean => status === 500 || (status > 504 && status < 600)

/** Exported for its test. */
export const wrongOf = (request: RequestTemplate): readonly Wrong[] => {
  const own = asked(request)
  const url = new URL(request.url)
  const queries = [...url.searchParams].slice(0, MOST_PARAMETERS).flatMap(([name, value]): Wrong[] => {
    const [other, typed] = [new URL(url), typeOf(value)]
    other.searchParams.delete(name)
    other.searchParams.append(`${name}[sonde]`, '1')
    const asObject = {
      input: 'an object where a text is expected',
      parameter: name,
      request: { ...own, url: other.href },
    }
    if (typed === null) return [asObject]
    const text = new URL(url)
    text.searchParams.set(name, 'sonde')
    return [
      asObject,
      { input: `a text where ${typed} is expected`, parameter: name, request: { ...own, url: text.href } },
    ]
  })
  const paths = (request.variables ?? []).slice(0, MOST_PARAMETERS).map((at): Wrong => {
    const segments = url.pathname.split('/')
    segments[at + 1] = '99999999999999999999'
    const other = new URL(url)
    other.pathname = segments.join('/')
    return {
      input: 'a number beyond all bounds',
      parameter: `path segment ${at + 1}`,
      request: { ...own, url: other.href },
    }
  })
  return [...bodiesOf(request, own), ...queries, ...paths]
}

const typeOf = (value: string): string | null => {
  if (/^\d{4}-\d\d-\d\d(?:T|$)/.test(value)) return 'a date'
  return /^-?\d+(?:\.\d+)?$/.test(value) ? 'a number' : null
}

const bodiesOf = ({ encoding, body }: RequestTemplate, own: HttpRequest): readonly Wrong[] => {
  if (encoding === 'xml' && body !== null)
    return [{ input: 'half a document', parameter: 'the body', request: { ...own, body: body.trimEnd().slice(0, -1) } }]
  if (encoding !== 'json' || body === null || /"query"\s*:/.test(body)) return []
  const leaves = leavesOf(body)
    .slice(0, MOST_LEAVES)
    .flatMap(([pointer, value]): Wrong[] => {
      const isNumber = typeof value === 'number' || /^-?\d+$/.test(String(value))
      const changed = jsonWith(body, pointer, isNumber ? 'sonde' : { sonde: 1 })
      const input = isNumber ? 'a text where a number is expected' : 'an object where a text is expected'
      return changed === null ? [] : [{ input, parameter: pointer, request: { ...own, body: changed } }]
    })
  return [
    ...leaves,
    { input: 'an empty object', parameter: 'the body', request: { ...own, body: '{}' } },
    { input: 'half a document', parameter: 'the body', request: { ...own, body: body.slice(0, -1) } },
  ]
}
