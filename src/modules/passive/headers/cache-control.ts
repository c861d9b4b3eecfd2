import { isSessionCookieLine } from '../../../page/cookies/session.ts'
import type { Page } from '../../../page/page.ts'
import { combined, valuesOf } from '../../../page/pages.ts'
import { documentsSeen, openUnless } from '../../documents.ts'
import { type Hit, posture, type Shown } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { forbidsStoring, isPublic, isShareable } from './cache-rules.ts'
import type { HeadersFacts } from './facts.ts'

const REFERENCES = [
  'https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Cache-Control',
  'https://cwe.mitre.org/data/definitions/525.html',
] as const
const common = { cwe: 525, group: 'browser-policy', references: REFERENCES } as const
const FIX =
  'Send `Cache-Control: no-store` with every page of the signed-in area and with what its interfaces answer, from the application. In nginx, for a location ' +
  'that is private as a whole: `add_header Cache-Control "no-store" always;`. Apache: `Header always set Cache-Control "no-store"`.'

const shared: FindingDefinition = {
  ...common,
  id: 'headers/cache-control-private-page-public',
  title: 'Cacheable private answer: shared caches may keep what is meant for one person',
  severity: 'medium',
  why: 'A content delivery network or company proxy may store what one person is answered and give it to the next.',
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
  title: 'Cache-Control missing on an answer of the signed-in area',
  severity: 'low',
  why: 'The browser keeps a copy on disk, which the next person at the same computer can open, after signing out too.',
  remediation: FIX,
}

/** May what is meant for one person be stored and shown to another. */
export const cacheControl: Check<'headers', 'site'> = {
  findings: [shared, cookie, silent],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none && (facts.personal ?? []).length === 0) return none
    const options = { headers: ['cache-control', 'expires', 'pragma', 'age', 'vary', 'set-cookie'] }
    const documents = documentsSeen(site, facts)
    const cookies = posture(
      cookie,
      documents.filter((page) => setsSession(page) && isPublic(page.headers)).map(publicHit),
      options,
    )
    // What nobody is shown may stand at the address of what somebody is.
    const ofNobody = new Set(site.asNobody)
    const { personal: answers = [], personalClosed = 0, personalUnasked = 0, sessionHeaders: by = [] } = facts
    const pages = documents.filter((page) => !ofNobody.has(page) && isPersonal(page, facts))
    const personal: readonly Shown[] = [...pages, ...answers]
    if (personal.length + personalClosed + personalUnasked === 0) {
      return {
        state: 'not_applicable',
        reason: 'No page of a signed-in area was among those fetched.',
        only: [shared.id, silent.id],
        findings: cookies,
      }
    }
    const open = personal.filter(({ headers }) => isShareable(headers, by))
    const unset = personal.filter((page) => !open.includes(page) && !forbidsStoring(page.headers))
    const found = [
      ...posture(shared, open.map(publicHit), options),
      ...cookies,
      ...posture(silent, unset.map(unsetHit), options),
    ]
    const reason = `What ${personalUnasked} further addresses answer somebody who is signed in was not looked at.`
    return personalUnasked === 0 ? found : openUnless({ findings: [shared, silent] }, found, reason)
  },
}

const isPersonal = (page: Page, { anonymous }: HeadersFacts): boolean =>
  page.kind === 'authenticated' || anonymous.some(({ url, differs }) => differs && url === page.url)

const setsSession = (page: Page): boolean => valuesOf(page.headers, 'set-cookie').some(isSessionCookieLine)

const publicHit = (page: Shown): Hit => {
  const value = combined(page.headers, 'cache-control') ?? ''
  return { page, detail: `${page.url} sends Cache-Control: ${value}.`, mark: value }
}

const unsetHit = (page: Shown): Hit => {
  const value = combined(page.headers, 'cache-control')
  return {
    page,
    detail: `${page.url} sends ${value === null ? 'no Cache-Control' : `Cache-Control: ${value}`}.`,
    mark: value ?? '',
  }
}
