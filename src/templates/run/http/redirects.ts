/** Following redirects within the target's host: each hop is a request like any other. */
import { headerOf } from '../../../page/exchange.ts'
import type { HttpStep } from '../../language/template.ts'
import type { HttpClient, Reply } from './client.ts'
import type { CookieJar } from './cookies.ts'
import { encodeTarget, type HttpSpec } from './request.ts'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Every hop in order; the first is the request itself. A hop that fails ends the chain there. @throws EgressError */
export const sendFollowing = async (
  spec: HttpSpec,
  step: Pick<HttpStep, 'redirects' | 'maxRedirects'>,
  client: HttpClient,
  jar: CookieJar | null,
  fresh: boolean,
): Promise<readonly Reply[]> => {
  const hops: Reply[] = []
  let next: HttpSpec = spec
  for (;;) {
    const path = next.target.split('?')[0] ?? '/'
    const reply = await client.send(withCookies(next, jar, path), fresh).catch((error: unknown) => {
      if (hops.length === 0) throw error
      return null
    })
    if (reply === null) return hops
    jar?.store(reply.headers, path)
    hops.push(reply)
    const location = step.redirects === 'none' || hops.length > step.maxRedirects ? null : locationOf(reply)
    if (location === null) return hops
    next = redirected(next, reply.status, location)
  }
}

const withCookies = (spec: HttpSpec, jar: CookieJar | null, path: string): HttpSpec => {
  const cookies = jar?.header(path, spec.origin.startsWith('https:')) ?? ''
  if (cookies === '') return spec
  const own = spec.headers.find(([name]) => name.toLowerCase() === 'cookie')
  const others = spec.headers.filter((header) => header !== own)
  return { ...spec, headers: [...others, ['Cookie', own ? `${own[1]}; ${cookies}` : cookies]] }
}

/** Null where it does not lead on within the same host. Other ports and schemes of the host are its own. */
const locationOf = (reply: Reply): URL | null => {
  if (!REDIRECTS.has(reply.status) || reply.spec.verbatim !== null) return null
  const value = headerOf(reply, 'location')
  if (value === null) return null
  const base = new URL(reply.spec.origin)
  const location = URL.parse(Buffer.from(value, 'latin1').toString(), `${reply.spec.origin}${reply.spec.target}`)
  if (!location || !/^https?:$/.test(location.protocol) || location.hostname !== base.hostname) return null
  return location
}

/** Method and headers as the fetch standard has it: POST becomes GET, content headers go with the body. */
const redirected = (spec: HttpSpec, status: number, location: URL): HttpSpec => {
  const toGet = (status === 303 && spec.method !== 'HEAD') || (status < 303 && spec.method === 'POST')
  return {
    ...spec,
    method: toGet ? 'GET' : spec.method,
    origin: location.origin,
    target: encodeTarget(location.pathname + location.search),
    headers: spec.headers.filter(([name]) => !/^(?:host|cookie)$/i.test(name) && !(toGet && /^content-/i.test(name))),
    body: toGet ? null : spec.body,
  }
}
