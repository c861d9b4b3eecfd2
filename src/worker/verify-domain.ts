/** Whether a domain is its registrant's: asks DNS, a file and the home page, and says what each showed. */
import type { DefaultTreeAdapterTypes } from 'parse5'
import type { VerificationAttempt, VerificationMethod } from '../contract/domain.ts'
import { splitDomain } from '../contract/domain-name.ts'
import {
  CHALLENGE_PATH,
  challengeName,
  challengeValue,
  META_NAME,
  VERIFICATION_DAYS,
} from '../contract/verification.ts'
import { type Egress, EgressError, type HttpExchange } from '../egress/door/egress.ts'
import { followRedirects } from '../egress/http/redirects.ts'
import { parseBounded } from '../page/html.ts'
import { proofFrom } from '../store/active-proof.ts'
import { askCheck } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { lapsingDomains, markRechecked, type StoredDomain, setVerified } from '../store/domains.ts'
import { isSameSite } from './same-site.ts'

export interface Claim {
  /** As registered: ASCII, with `:port` where one belongs to it. */
  readonly domain: string
  readonly token: string
}

/** One attempt for each method. Never rejects for what the target does; an abort ends what is still open as a failure. */
export const verifyDomain = (egress: Pick<Egress, 'dns' | 'http'>, claim: Claim): Promise<VerificationAttempt[]> =>
  Promise.all([
    attempt('dns_txt', () => byDns(egress, claim)),
    attempt('http_file', () => overHttp(egress, claim, CHALLENGE_PATH, judgeFile)),
    attempt('meta_tag', () => overHttp(egress, claim, '/', judgePage)),
  ])

/**
 * Checks again every domain whose proof is over a day old, and renews those whose proof still holds. One that fails keeps
 * what it has until it lapses. A check that breaks stops no other; all such errors are thrown together at the end.
 */
export const recheckDomains = async (
  db: Database,
  verify: (domain: StoredDomain) => Promise<readonly VerificationAttempt[]>,
  signal: AbortSignal,
): Promise<void> => {
  const errors: unknown[] = []
  for (const domain of await lapsingDomains(db, VERIFICATION_DAYS - 1, MAX_RECHECKS)) {
    if (signal.aborted) break
    try {
      await markRechecked(db, domain.id)
      // Only its agent reaches it; what that answers counts like the answer to a person.
      if (domain.agentId !== null) {
        await askCheck(db, domain.id)
        continue
      }
      const attempts = await verify(domain)
      if (attempts.some(({ ok }) => ok)) await setVerified(db, domain.id, { ...proofFrom(new Date()), through: null })
    } catch (cause) {
      errors.push(new Error(`${domain.domain} could not be checked`, { cause }))
    }
  }
  if (errors.length > 0 && !signal.aborted) throw new AggregateError(errors, 'Domains could not be checked again')
}

interface Seen {
  readonly ok: boolean
  readonly seen: string
}

/** In one round; the rest is checked the day after, the soonest to lapse first. */
const MAX_RECHECKS = 10_000
/** Bytes read of the file and of the page's beginning. */
const MAX_FILE = 4_096
const MAX_PAGE = 256 * 1024
const MAX_REDIRECTS = 5
/** Milliseconds of one request: an owner waits for the answer. */
const TIMEOUT = 5_000
/** A head has tens of elements; a hostile one could make the parser build millions. */
const MAX_ELEMENTS = 5_000

const attempt = async (method: VerificationMethod, look: () => Promise<Seen>): Promise<VerificationAttempt> => {
  try {
    return { method, ...(await look()) }
  } catch (error) {
    if (error instanceof EgressError) return { method, ok: false, seen: excerpt(error.message, 300) }
    if (error instanceof DOMException) return { method, ok: false, seen: 'There was no answer in time' }
    throw error
  }
}

const byDns = async (egress: Pick<Egress, 'dns'>, { domain, token }: Claim): Promise<Seen> => {
  const name = challengeName(splitDomain(domain).host)
  const { rcode, answers } = await egress.dns({ name, type: 'TXT' })
  const records = answers.filter(({ type }) => type === 'TXT').map(({ data }) => [data].flat().join(''))
  if (records.some((record) => record.trim() === challengeValue(token))) {
    return { ok: true, seen: `${name} has the expected TXT record` }
  }
  const shown = records.slice(0, 5).map((record) => excerpt(record))
  if (shown.length > 0) return { ok: false, seen: `${name} has other TXT records: ${shown.join(', ')}` }
  return { ok: false, seen: `${name} has no TXT record (${rcode})` }
}

/** https first, then http: one is enough. */
const overHttp = async (
  egress: Pick<Egress, 'http'>,
  { domain, token }: Claim,
  path: string,
  judge: (exchange: HttpExchange, token: string) => Seen,
): Promise<Seen> => {
  const said: string[] = []
  for (const scheme of ['https', 'http']) {
    const { ok, seen } = await overScheme(egress, `${scheme}://${domain}${path}`, domain, (exchange) =>
      judge(exchange, token),
    )
    if (ok) return { ok, seen }
    said.push(seen)
  }
  return { ok: false, seen: said.join('; ') }
}

const overScheme = async (
  egress: Pick<Egress, 'http'>,
  url: string,
  domain: string,
  judge: (exchange: HttpExchange) => Seen,
): Promise<Seen> => {
  const request = { url, maxBody: MAX_PAGE, timeout: TIMEOUT, authenticated: false }
  const { exchanges, error } = await followRedirects(egress, request, MAX_REDIRECTS, (next) => isSameSite(next, domain))
  const last = exchanges.at(-1)
  if (error !== null) return { ok: false, seen: `${url}: ${excerpt(error.message, 300)}` }
  if (last === undefined) return { ok: false, seen: `${url} did not answer` }
  if (last.status >= 300 && last.status < 400) {
    return { ok: false, seen: `${last.request.url} leads to another site (${last.status}), which proves nothing` }
  }
  if (last.status !== 200) return { ok: false, seen: `${last.request.url} answered ${last.status}` }
  return judge(last)
}

const judgeFile = (exchange: HttpExchange, token: string): Seen => {
  const text = exchange.body.subarray(0, MAX_FILE).toString().trim()
  const { url } = exchange.request
  if (text === challengeValue(token)) return { ok: true, seen: `${url} has the expected content` }
  return { ok: false, seen: `${url} has other content: ${excerpt(text)}` }
}

const judgePage = (exchange: HttpExchange, token: string): Seen => {
  const { url } = exchange.request
  const found = metaContents(exchange.body.toString())
  if (found === null) return { ok: false, seen: `${url} has a head that is too large to read` }
  if (found.includes(token)) return { ok: true, seen: `${url} has the expected meta element` }
  if (found.length === 0) return { ok: false, seen: `${url} has no meta element ${META_NAME} in its head` }
  return {
    ok: false,
    seen: `${url} has another ${META_NAME}: ${found
      .slice(0, 5)
      .map((text) => excerpt(text))
      .join(', ')}`,
  }
}

type Parent = DefaultTreeAdapterTypes.Element | DefaultTreeAdapterTypes.Document

/** Only what the parser puts into the head: what visitors can write stands in the body. Null when over the bound. */
const metaContents = (html: string): string[] | null => {
  // The body is not looked at, so it is not parsed either.
  const [beginning = ''] = html.split(/<body[\s>/]|<\/head[\s>/]/i, 1)
  const { document, truncated } = parseBounded(beginning, { elements: MAX_ELEMENTS })
  if (truncated) return null
  const child = (of: Parent | undefined, tag: string): DefaultTreeAdapterTypes.Element[] =>
    (of?.childNodes ?? []).filter((node): node is DefaultTreeAdapterTypes.Element => node.nodeName === tag)
  const head = child(child(document, 'html')[0], 'head')[0]
  return child(head, 'meta').flatMap(({ attrs }) => {
    const of = (name: string): string | undefined => attrs.find((attribute) => attribute.name === name)?.value
    return of('name')?.toLowerCase() === META_NAME ? [(of('content') ?? '').trim()] : []
  })
}

/** Quoted, one line, bounded: it comes from the target and goes to a person. */
const excerpt = (text: string, length = 80): string => {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  const cut = line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line
  return length > 80 ? cut : `"${cut}"`
}
