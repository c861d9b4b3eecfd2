import type { Page } from '../../../../page/page.ts'
import { markupOf } from '../../../../page/pages.ts'
import { isSameSite } from '../../../../page/same-site.ts'
import type { Modifier } from './grade.ts'

/**
 * Subresource integrity of scripts. A script of the own registrable domain counts as one's own, but written without
 * a scheme (`//host/x.js`) it counts as external and insecure, as in the Observatory.
 */
export const scoreIntegrity = (page: Page): Modifier => {
  if (page.truncated && page.body === '') return { id: 'html-not-parseable', points: -20 }
  const scripts = markupOf(page).scripts.flatMap(({ src, integrity }) =>
    src === null ? [] : [{ raw: src.raw.trim(), url: src.url, integrity: (integrity ?? '').trim() !== '' }],
  )
  if (scripts.length === 0) return { id: 'sri-not-implemented-but-no-scripts-loaded', points: 0 }
  const judged = scripts.map(({ raw, url, integrity }) => {
    const schemeless = /^\/\/[^/]/.test(raw)
    const absolute = /^https?:\/\//i.test(raw)
    const external = schemeless || (absolute && url !== null && !isSameSite(url, page.url))
    const secure = absolute ? /^https:/i.test(raw) : !schemeless && page.url.startsWith('https:')
    return { external, secure, integrity }
  })
  const external = judged.filter((script) => script.external)
  if (external.some(({ integrity, secure }) => !integrity && !secure)) {
    return { id: 'sri-not-implemented-and-external-scripts-not-loaded-securely', points: -50 }
  }
  if (external.some(({ integrity, secure }) => integrity && !secure)) {
    return { id: 'sri-implemented-but-external-scripts-not-loaded-securely', points: -20 }
  }
  if (external.some(({ integrity }) => !integrity)) {
    return { id: 'sri-not-implemented-but-external-scripts-loaded-securely', points: -5 }
  }
  if (external.length > 0) return { id: 'sri-implemented-and-external-scripts-loaded-securely', points: 5 }
  return judged.some(({ integrity, secure }) => integrity && secure)
    ? { id: 'sri-implemented-and-all-scripts-loaded-securely', points: 5 }
    : { id: 'sri-not-implemented-but-all-scripts-loaded-from-secure-origin', points: 0 }
}
