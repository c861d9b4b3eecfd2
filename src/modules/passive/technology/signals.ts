/** What pages, answers and scripts show, in the terms of the rules. */
import { createHash } from 'node:crypto'
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import type { Signal, Source } from '../../../knowledge/fingerprints/product.ts'
import { readHtml } from '../../../page/html.ts'
import type { Page } from '../../../page/page.ts'
import type { DisclosureFacts } from '../disclosure/facts.ts'
import type { SiteFacts } from '../site/facts.ts'

/** Scripts of a page are joined up to this many characters. */
const MOST_CODE = 262_144

export const signalsOf = (
  site: SiteFacts,
  disclosure: Pick<DisclosureFacts, 'scripts' | 'malformed' | 'folders'>,
): readonly Signal[] => {
  const hops = [...site.http.hops, ...site.https.hops]
  const errors = [...site.missing, ...(disclosure.malformed ? [disclosure.malformed] : [])]
  const answers = [...hops, ...site.pages, ...errors, ...disclosure.scripts, ...disclosure.folders]
  return [
    ...answers.flatMap(({ url, headers }) => headerSignals(url, headers)),
    ...site.pages.flatMap(pageSignals),
    ...errors.map(({ url, body }): Signal => ({ source: 'error', name: '', text: body, url })),
    ...disclosure.scripts.map(({ url, body }): Signal => ({ source: 'code', name: '', text: body, url })),
    ...disclosure.scripts
      .filter(({ truncated }) => !truncated)
      .map(({ url, body }): Signal => ({ source: 'hash', name: '', text: sha1(body), url })),
  ]
}

/** By which catalogues name files; it protects nothing here. */
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

const headerSignals = (url: string, headers: HeaderPairs): readonly Signal[] =>
  headers.map(([name, value]) => {
    const lower = name.toLowerCase()
    return lower === 'set-cookie'
      ? { source: 'cookie', name: '', text: value, url }
      : { source: 'header', name: lower, text: value, url }
  })

const pageSignals = (page: Page): readonly Signal[] => {
  const html = readHtml(page.body, page.url)
  const { url } = page
  const of = (source: Source, text: string, name = ''): Signal => ({ source, name, text, url })
  const loaded = [
    ...html.scripts.flatMap(({ src }) => (src ? [src] : [])),
    ...html.stylesheets,
    ...html.resources,
    ...html.media,
    ...html.frames,
  ]
  const code = html.scripts.map((script) => script.code).join('\n')
  return [
    of('html', page.body),
    ...(html.title === '' ? [] : [of('title', html.title)]),
    ...html.metas.flatMap(({ name, property, content }) => {
      const key = name ?? property
      return key === null ? [] : [of('meta', content.trim(), key)]
    }),
    ...loaded.flatMap((reference) => (reference.url === null ? [] : [of('asset', reference.url)])),
    ...(code.trim() === '' ? [] : [of('code', code.slice(0, MOST_CODE))]),
  ]
}
