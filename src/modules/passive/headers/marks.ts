/** What of a page the header checks judge, as one text: pages of one configuration are alike. */
import { isSessionCookieLine } from '../../../page/cookies/session.ts'
import type { Page } from '../../../page/page.ts'

/** Their values decide. Others that begin with x- count requests and times: those would make each page new. */
const JUDGED =
  /^(?:content-security-policy|strict-transport-security|x-(?:frame-options|content-type-options|xss-protection|permitted-cross-domain-policies|content-security-policy|webkit-csp)|referrer-policy|permissions-policy|feature-policy|cross-origin-|cache-control|pragma|public-key-pins|expect-ct|access-control-|vary)/
/** What is made anew for each answer is no configuration; a number is: lifetimes, and filters switched on or off. */
const FRESH = /'nonce-[^']*'|\b(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/gi
const META = /<meta\b[^>]{0,40}http-equiv[^>]{0,2000}>/gi

export const headerMarks = ({ headers, body }: Page): readonly string[] => {
  const lines = headers.flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'set-cookie') return isSessionCookieLine(value) ? ['a session'] : []
    return JUDGED.test(lower) ? [`${lower}: ${value.replace(FRESH, '#')}`] : []
  })
  const metas = [...body.slice(0, 20_000).matchAll(META)].map(([meta]) => meta.replace(FRESH, '#'))
  const form = /<form\b/i.test(body) ? ['a form'] : []
  return [[...new Set([...lines, ...metas, ...form])].toSorted().join('\n')]
}
