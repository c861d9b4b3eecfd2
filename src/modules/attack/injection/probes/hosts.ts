/** Whether a page builds its addresses from the host that a header of the request names. */
import { randomBytes } from 'node:crypto'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, Bounded, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import { FORWARDED_HOST, HOST, type HostHit } from '../facts.ts'

const AT_ONCE = 6
/** Forms that are sent once more, those that write addresses into mail first. */
const MAX_FORMS = 24
/** Pages that are asked with another `Host`, too. */
const MAX_PAGES = 40
const TOO_MANY = `not among the ${MAX_FORMS} forms that are asked for it`
/** Pages that write addresses into mail, or lead on to others, first. */
const LEADS_ON = /pass|reset|forgot|lost|recover|login|sign|regist|invit|confirm|verif|oauth|saml|redirect|share/i
/** In front of a host where an address is followed: an attribute, a header of its own, a text of JSON. */
const ADDRESS = String.raw`(?:\b(?:href|src|srcset|action|formaction|poster|content|data-[\w-]{1,40})\s*=\s*["']?(?:\d+\s*;\s*url=["']?)?|["'(])(?:https?:)?(?:\\?/){2}`
/** In front of one in the text of a mail, which an interface shows: the header names no scheme. */
const IN_TEXT = String.raw`\bhttps?:(?:\\?/){2}`

const OUT_OF_TIME = 'whose page was not asked, as the time for it was over'

/** Once a site: the first page that follows the header stands for all, as one piece of code names the site's own address. `isOver`: the rest is left. */
export const askHosts = async (
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean = () => false,
): Promise<readonly { readonly point: ProbePoint; readonly hit: HostHit }[]> => {
  const pages = pagesOf(points)
  for (let next = 0; next < pages.length; next += AT_ONCE) {
    const asked = pages.slice(next, next + AT_ONCE)
    if (isOver()) {
      for (const point of pages.slice(next)) at(point).leave('host', OUT_OF_TIME)
      return []
    }
    const headers = next < MAX_PAGES ? [FORWARDED_HOST, HOST] : [FORWARDED_HOST]
    const hits = await Promise.all(asked.map(async (point) => ({ point, hit: await askPage(at(point), headers) })))
    const found = hits.flatMap(({ point, hit }) => (hit ? [{ point, hit }] : []))
    if (found.length > 0) return found.slice(0, 1)
  }
  return []
}

/**
 * Before all places, as a form may be sent few times: where a mail with a link is asked for, its answer mostly leads to the same
 * host. Once a site, as above. `careful`: nothing is mailed to people, as on production systems.
 */
export const askFormHosts = async (
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean = () => false,
  careful = false,
): Promise<readonly { readonly point: ProbePoint; readonly hit: HostHit }[]> => {
  const forms = formsOf(points, careful)
  for (const point of forms.slice(MAX_FORMS)) at(point).leave('host', TOO_MANY)
  for (const point of forms.slice(0, MAX_FORMS)) {
    if (isOver()) {
      at(point).leave('host', OUT_OF_TIME)
      continue
    }
    const hit = await askPage(at(point), rankOf(point) === 0 ? [FORWARDED_HOST, HOST] : [FORWARDED_HOST])
    if (hit) return [{ point, hit }]
  }
  return []
}

const pagesOf = (points: readonly ProbePoint[]): readonly ProbePoint[] =>
  byWorth(
    points.filter(
      ({ place, name, request }) =>
        place === 'header' && name.toLowerCase() === FORWARDED_HOST.toLowerCase() && request.effect === 'reads',
    ),
  )

/** One place of each form that is sent with a body and is no mere question: that a link is mailed shows in no page. */
const formsOf = (points: readonly ProbePoint[], careful: boolean): readonly ProbePoint[] => {
  const forms = points.filter(
    (point) =>
      (point.place === 'form' || point.place === 'multipart' || point.place === 'json') &&
      (point.request.effect !== 'reads' || (!careful && rankOf(point) === 0)) &&
      !point.request.deletes,
  )
  return byWorth([...new Map(forms.toReversed().map((point) => [point.request.id, point])).values()])
}

const byWorth = (points: readonly ProbePoint[]): readonly ProbePoint[] =>
  points.toSorted((a, b) => rankOf(a) - rankOf(b))

const rankOf = ({ request }: ProbePoint): number => (LEADS_ON.test(new URL(request.url).pathname) ? 0 : 1)

const askPage = async (probe: Probe, headers: readonly string[]): Promise<HostHit | null> => {
  for (const header of headers) {
    const hit = await askBy(probe, header)
    if (hit !== null) return hit
  }
  return null
}

const askBy = async (probe: Probe, header: string): Promise<HostHit | null> => {
  const links: HostHit['links'][number][] = []
  for (let round = 0; round < 2; round += 1) {
    const { host, reply } = await sent(probe, header)
    const excerpt = reply && followed(reply, host)
    if (!reply || !excerpt) return null
    links.push({ payload: host, excerpt, replay: reply.replay })
  }
  // Pages that repeat every header they get build no address from this one.
  const aside = await sent(probe, 'X-Qv-Host')
  const controlShows = aside.reply?.text.includes(aside.host) ?? false
  return { kind: 'host', proof: 'host', ...(header === FORWARDED_HOST ? {} : { header }), links, controlShows }
}

/** To a host of no use to anybody (RFC 2606), under a parameter of our own: no cache keeps the answer for others. */
const sent = async (probe: Probe, header: string): Promise<{ readonly host: string; readonly reply: Reply | null }> => {
  const host = `qv${randomBytes(5).toString('hex')}.example.org`
  const own = `qz${randomBytes(4).toString('hex')}`
  const stands = new Set([FORWARDED_HOST, header].map((name) => name.toLowerCase()))
  try {
    const reply = await probe.send(probe.point.value, {
      change: (request) => {
        const url = withQuery(request.url, own, '1')
        const headers = (request.headers ?? []).filter(([name]) => !stands.has(name.toLowerCase()))
        const changed = { ...request, url, headers: [...headers, [header, host] as const] }
        return header === HOST ? atItself(changed) : changed
      },
    })
    return { host, reply }
  } catch (error) {
    if (error instanceof Bounded) probe.leave('host', error.message)
    if (error instanceof Blocked || error instanceof Unsendable) return { host, reply: null }
    throw error
  }
}

/** The target names the site, and nothing of the session goes along: a server that goes by the header after all may be somebody else's. */
const atItself = (request: HttpRequest): HttpRequest => {
  const { href, hash } = new URL(request.url)
  return { ...request, target: href.slice(0, href.length - hash.length), authenticated: false }
}

/** The place where the answer leads to the host; null where it only names it. */
const followed = ({ location, text, contentType }: Reply, host: string): string | null => {
  if (URL.canParse(location) && new URL(location).hostname === host) return `Location: ${location}`
  const before = /\bjson\b/.test(contentType) ? `${ADDRESS}|${IN_TEXT}` : ADDRESS
  const mark = new RegExp(`(?:${before})${host.replaceAll('.', '\\.')}`, 'i').exec(text)?.[0]
  return mark === undefined ? null : around(text, mark, 120)
}
