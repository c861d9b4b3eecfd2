/** From a step to its requests, in the order in which they go out. */
import type { Value } from '../../language/expression/value.ts'
import type { HttpStep } from '../../language/template.ts'
import { type StepRun, StepSkipped } from '../executor.ts'
import { type Annotations, parseRaw, splitAnnotations } from './raw.ts'
import { encodeTarget, type HttpSpec, withLineEnds, withoutDefaults, withoutRoute } from './request.ts'

/** A request whose markers are still to be filled. */
export interface Draft {
  readonly path: string | null
  readonly raw: string | null
  readonly annotations: Annotations
  /** From 1; what `body_2` counts by. */
  readonly number: number
}

const NONE: Annotations = { timeout: null, host: null, serverName: null, once: false }

export const draftsOf = (step: HttpStep): readonly Draft[] => [
  ...step.paths.map((path, index) => ({ path, raw: null, annotations: NONE, number: index + 1 })),
  ...step.raw.map((text, index) => {
    const { annotations, rest } = splitAnnotations(text)
    return { path: null, raw: rest, annotations, number: step.paths.length + index + 1 }
  }),
]

type Extra = ReadonlyMap<string, Value>

/** What building needs of a run. */
export type Filling = Pick<StepRun, 'target' | 'fill'>

/** @throws StepSkipped where a marker stands for nothing known, or the request leaves the target's host */
export const buildRequest = (draft: Draft, step: HttpStep, run: Filling, extra: Extra): HttpSpec => {
  const fill = (text: string): string => run.fill(text, (name) => extra.get(name))
  return draft.path === null ? fromRaw(draft, step, run, fill) : fromPath(draft.path, step, run, fill)
}

const fromPath = (path: string, step: HttpStep, run: Filling, fill: (text: string) => string): HttpSpec => {
  const { origin, rest } = split(fill(joined(path, run)), run)
  const headers = step.headers.map(([name, value]) => [fill(name), fill(value)] as const)
  const body = step.body === null ? null : withLineEnds(fill(step.body.replace(/\n+$/, '')))
  return {
    method: fill(step.method),
    origin,
    target: encodeTarget(withoutRoute(rest)),
    headers: withoutDefaults(withoutOwnHost(headers, origin)),
    body,
    verbatim: null,
    timeout: null,
    serverName: null,
  }
}

/** The target's own query goes behind the template's path: `{{BaseURL}}/x` on `/app?a=1` asks `/app/x?a=1`. */
const joined = (path: string, run: Filling): string => {
  const base = run.target.variables.get('BaseURL') ?? run.target.base
  const query = base.indexOf('?')
  if (query < 0 || !/^\s*\{\{\s*BaseURL\s*\}\}/.test(path)) return path
  const rest = path.replace(/^\s*\{\{\s*BaseURL\s*\}\}/, '')
  return `${base.slice(0, query)}${withQuery(rest, base.slice(query + 1))}`
}

const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`

const fromRaw = (draft: Draft, step: HttpStep, run: Filling, fill: (text: string) => string): HttpSpec => {
  const text = fill(draft.raw ?? '')
  const place = placeOf(draft.annotations, run, fill)
  const common = {
    timeout: draft.annotations.timeout,
    serverName: draft.annotations.serverName === null ? null : fill(draft.annotations.serverName),
  }
  if (step.unsafe) {
    const verbatim = withLineEnds(text.replace(/\n+$/, '\n\n').replace(/^([^\n]*[^\n\r])$/, '$1\n\n'))
    const line = /^(\S+)[ \t]+([^\r\n]*?)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*\r?\n/.exec(verbatim)
    return {
      method: line?.[1] ?? 'GET',
      origin: place,
      target: line?.[2] ?? '/',
      headers: [],
      body: null,
      verbatim: withHead(verbatim),
      ...common,
    }
  }
  const raw = parseRaw(text)
  const absolute = /^https?:\/\//i.test(raw.target) ? split(raw.target, run) : null
  const path = absolute?.rest ?? raw.target
  const target = step.autoMerge && absolute === null ? merged(path, run) : path
  const body = raw.body === '' && !/^(?:POST|PUT|PATCH)$/i.test(raw.method) ? null : withLineEnds(raw.body)
  const headers = [...raw.headers, ...step.headers.map(([name, value]) => [fill(name), fill(value)] as const)]
  return {
    method: raw.method,
    origin: absolute?.origin ?? place,
    target: encodeTarget(withoutRoute(target)),
    headers: withoutDefaults(withoutOwnHost(headers, absolute?.origin ?? place)),
    body,
    verbatim: null,
    ...common,
  }
}

/** What is sent as written still has to end its header block. */
const withHead = (text: string): string =>
  text.includes('\r\n\r\n') ? text : `${text.replace(/(?:\r\n)*$/, '')}\r\n\r\n`

/** A raw path stands behind the target's own. */
const merged = (path: string, run: Filling): string => {
  const base = run.target.variables.get('BaseURL') ?? run.target.base
  const root = run.target.variables.get('RootURL') ?? ''
  const [own = '', query = ''] = base.slice(root.length).split('?')
  return withQuery(`${own}${path.startsWith('/') || own === '' ? path : `/${path}`}`, query)
}

/** `Host` of the place itself is what egress sends anyway; another one is the template's point. */
const withoutOwnHost = (headers: HttpSpec['headers'], origin: string): HttpSpec['headers'] => {
  const { host } = new URL(origin)
  return headers.filter(([name, value]) => name.toLowerCase() !== 'host' || value.toLowerCase() !== host)
}

/** @throws StepSkipped for an address of another host: what is not the target is not asked */
const split = (address: string, run: Filling): { readonly origin: string; readonly rest: string } => {
  const match = /^\s*(https?):\/\/([^/?#]*)(.*?)\s*$/is.exec(address)
  if (!match) {
    // A path alone belongs to the target.
    if (address.startsWith('/')) return { origin: run.target.variables.get('RootURL') ?? '', rest: address }
    throw new StepSkipped(`"${address.slice(0, 80)}" is no http address`, 'defect')
  }
  const [, scheme = 'http', authority = '', rest = ''] = match
  const url = URL.parse(`${scheme}://${authority}`)
  if (!url || url.hostname !== run.target.host || url.username !== '') {
    throw new StepSkipped(`it asks ${authority.slice(0, 100)}, which is not the target`, 'elsewhere')
  }
  return { origin: url.origin, rest }
}

const placeOf = (annotations: Annotations, run: Filling, fill: (text: string) => string): string => {
  const own = run.target.variables.get('RootURL') ?? ''
  if (annotations.host === null) return own
  const host = fill(annotations.host)
  return split(/^https?:\/\//i.test(host) ? host : `${run.target.scheme}://${host}`, run).origin
}
