/** Modules that a page loads without a `<script src>` of their own: those of its import map, and those that it loads ahead. */
import type { HtmlPage } from './html.ts'

export interface PageModule {
  readonly url: string
  /** By which others import it; null where the page gives none. */
  readonly name: string | null
}

const MOST_MODULES = 300
const LONGEST_MAP = 200_000

/** Absolute addresses, in the order of the page: `imports` of import maps (HTML, 8.1.6.5), and links `modulepreload`. */
export const modulesOf = (page: Pick<HtmlPage, 'scripts' | 'resources' | 'base'>): readonly PageModule[] => {
  const mapped = page.scripts
    .filter(({ type }) => type === 'importmap')
    .flatMap(({ code }) => mappedIn(code, page.base))
  const names = new Set(mapped.map(({ url }) => url))
  const ahead = page.resources
    .filter(({ attributes: { rel = '' } }) => /(?:^|\s)modulepreload(?:\s|$)/i.test(rel))
    .flatMap(({ url }) => (url === null || names.has(url) ? [] : [{ url, name: null }]))
  return [...mapped, ...ahead].slice(0, MOST_MODULES)
}

const mappedIn = (code: string, base: string): readonly PageModule[] =>
  Object.entries(importsOf(code.slice(0, LONGEST_MAP)))
    .slice(0, MOST_MODULES)
    .flatMap(([name, address]) => {
      // What ends in a slash stands for all that begins so: no file.
      if (typeof address !== 'string' || name.endsWith('/') || !/^(?:\.{0,2}\/|https?:)/.test(address)) return []
      const url = URL.parse(address, base)
      return url === null ? [] : [{ url: url.href, name }]
    })

const importsOf = (code: string): object => {
  try {
    const map: unknown = JSON.parse(code)
    const imports = typeof map === 'object' && map !== null && 'imports' in map ? map.imports : null
    return typeof imports === 'object' && imports !== null ? imports : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {} // Browsers take no such map either.
    throw error
  }
}
