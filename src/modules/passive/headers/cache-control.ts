import type { HeaderPairs } from '../../../egress/door/egress.ts'
import { isSessionCookieLine } from '../../../page/cookies/session.ts'
import { parseDirective, splitField } from '../../../page/headers/fields.ts'
import type { Page } from '../../../page/page.ts'
import { combined, valuesOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import type { HeadersFacts } from './facts.ts'

const REFERENCES = [
  'https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Cache-Control',
  'https://cwe.mitre.org/data/definitions/525.html',
] as const
const common = { cwe: 525, group: 'browser-policy', references: REFERENCES } as const
const FIX =
  'Send `Cache-Control: no-store` with every page of the signed-in area, from the application. In nginx, for a location ' +
  'that is private as a whole: `add_header Cache-Control "no-store" always;`. Apache: `Header always set Cache-Control "no-store"`.'

const shared: FindingDefinition = {
  ...common,
  id: 'headers/cache-control-private-page-public',
  title: 'Cacheable private page: shared caches may keep a page of the signed-in area',
  severity: 'medium',
  why: 'A content delivery network or company proxy may store the page of one person and give it to the next.',
  remediation: FIX,
}

const cookie: FindingDefinition = {
  ...common,
  id: 'headers/cache-control-session-cookie-public',
  title: 'Cacheable session cookie: shared caches may keep an answer that sets one',
  severity: 'medium',
  why: 'A shared cache that stores the answer with its Set-Cookie gives one visitor’s session to the next.',
  remediation: `Send \`Cache-Control: private, no-cache\` or \`no-store\` wherever a session cookie is set. ${FIX}`,
}

const silent: FindingDefinition = {
  ...common,
  id: 'headers/cache-control-private-page-unset',
  title: 'Cache-Control missing on a page of the signed-in area',
  severity: 'low',
  why: 'The browser keeps a copy on disk, which the next person at the same computer can open, after signing out too.',
  remediation: FIX,
}

/** May what is meant for one person be stored and shown to another. */
export const cacheControl: Check<'headers', 'site'> = {
  findings: [shared, cookie, silent],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const options = { headers: ['cache-control', 'expires', 'pragma', 'age', 'vary', 'set-cookie'] }
    const documents = documentsSeen(site, facts)
    const cookies = posture(
      cookie,
      documents.filter((page) => setsSession(page) && isPublic(page.headers)).map(publicHit),
      options,
    )
    // What nobody is shown may stand at the address of what somebody is.
    const ofNobody = new Set(site.asNobody)
    const personal = documents.filter((page) => !ofNobody.has(page) && isPersonal(page, facts))
    if (personal.length === 0) {
      return {
        state: 'not_applicable',
        reason: 'No page of a signed-in area was among those fetched.',
        only: [shared.id, silent.id],
        findings: cookies,
      }
    }
    const open = personal.filter(({ headers }) => isShareable(headers))
    const unset = personal.filter((page) => !open.includes(page) && !forbidsStoring(page.headers))
    return [
      ...posture(shared, open.map(publicHit), options),
      ...cookies,
      ...posture(silent, unset.map(unsetHit), options),
    ]
  },
}

export interface CacheRules {
  readonly names: ReadonlySet<string>
  /** Seconds, or null. */
  readonly maxAge: number | null
  readonly sharedMaxAge: number | null
}

/** RFC 9111, 5.2: directives in any case, arguments quoted or not; the first of a repeated one counts. */
export const cacheRulesOf = (headers: HeaderPairs): CacheRules => {
  const directives = splitField(combined(headers, 'cache-control') ?? '', ',')
    .filter((part) => part !== '')
    .map(parseDirective)
  const seconds = (name: string): number | null => {
    const value = directives.find((one) => one.name === name)?.value ?? ''
    return /^\d+$/.test(value) ? Number(value) : null
  }
  const names = new Set(directives.map(({ name }) => name))
  return { names, maxAge: seconds('max-age'), sharedMaxAge: seconds('s-maxage') }
}

/**
 * RFC 9111, 3: a lifetime without `private` lets a shared cache store the answer, cookies or not. What a cache may do by
 * its own heuristics is not held against the site.
 */
const isShareable = (headers: HeaderPairs): boolean => {
  const { names, maxAge, sharedMaxAge } = cacheRulesOf(headers)
  if (names.has('no-store') || names.has('private') || names.has('no-cache')) return false
  if (/(^|,)\s*\*\s*(,|$)/.test(combined(headers, 'vary') ?? '')) return false
  const lifetime = sharedMaxAge ?? maxAge
  return lifetime === null ? names.has('public') : lifetime > 0
}

/** Said expressly: many caches pass on an answer with Set-Cookie unless they are told that it is for all. */
const isPublic = (headers: HeaderPairs): boolean => {
  const { names, sharedMaxAge } = cacheRulesOf(headers)
  return isShareable(headers) && (names.has('public') || sharedMaxAge !== null)
}

const forbidsStoring = (headers: HeaderPairs): boolean => {
  const { names } = cacheRulesOf(headers)
  return ['no-store', 'no-cache', 'private'].some((name) => names.has(name))
}

const isPersonal = (page: Page, { anonymous }: HeadersFacts): boolean =>
  page.kind === 'authenticated' || anonymous.some(({ url, differs }) => differs && url === page.url)

const setsSession = (page: Page): boolean => valuesOf(page.headers, 'set-cookie').some(isSessionCookieLine)

const publicHit = (page: Page): Hit => {
  const value = combined(page.headers, 'cache-control') ?? ''
  return { page, detail: `${page.url} sends Cache-Control: ${value}.`, mark: value }
}

const unsetHit = (page: Page): Hit => {
  const value = combined(page.headers, 'cache-control')
  return {
    page,
    detail: `${page.url} sends ${value === null ? 'no Cache-Control' : `Cache-Control: ${value}`}.`,
    mark: value ?? '',
  }
}
