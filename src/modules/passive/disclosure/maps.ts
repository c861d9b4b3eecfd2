/** Source maps of scripts (ECMA-426), as far as this module needs them. */
import type { Fetched, SourceMapFacts } from './facts.ts'

const TAIL = 4096
const MOST_SOURCES = 50
const KEPT_TEXT = 256 * 1024

/** From the SourceMap header or the last `//# sourceMappingURL=` line; 'inline' for a data URL. */
export const mapAddress = ({ url, headers, body }: Fetched): string | null => {
  const header = headers.find(([name]) => /^(?:x-)?sourcemap$/i.test(name))?.[1]
  const named = header ?? /[\s\S]*\/[/*][#@]\s*sourceMappingURL=(\S{1,2000})/.exec(body.slice(-TAIL))?.[1]
  if (named === undefined) return inlineMap(body) === null ? null : 'inline'
  return named.startsWith('data:') ? 'inline' : (URL.parse(named, url)?.href ?? null)
}

/** Text of a map inside its script, null when there is none. */
export const inlineMap = (script: string): string | null => {
  const start = script.lastIndexOf('sourceMappingURL=data:application/json')
  if (start < 0) return null
  const comma = script.indexOf(';base64,', start)
  if (comma < 0 || comma - start > 200) return null
  const encoded = /^[A-Za-z0-9+/=]*/.exec(script.slice(comma + 8))?.[0] ?? ''
  return Buffer.from(encoded, 'base64').toString('utf8')
}

/** Null for what is no source map of version 3: a page that answers everything, for example. */
export const parseMap = (text: string, scriptUrl: string, url: string): SourceMapFacts | null => {
  const map = parseObject(text.replace(/^\)\]\}'[^\n]*\n/, ''))
  if (map === null || map.version !== 3 || !Array.isArray(map.sources)) return null
  const contents: readonly unknown[] = Array.isArray(map.sourcesContent) ? map.sourcesContent : []
  const sources = map.sources
    .map((name, index) => ({ name: typeof name === 'string' ? name : '', content: contents[index] }))
    // Before what everybody can read elsewhere: only so much is kept.
    .toSorted((a, b) => Number(OF_OTHERS.test(a.name)) - Number(OF_OTHERS.test(b.name)))
  const texts = sources.flatMap(({ content }) => (typeof content === 'string' && content !== '' ? [content] : []))
  return {
    scriptUrl,
    url,
    sources: sources.flatMap(({ name }) => (name === '' ? [] : [name])).slice(0, MOST_SOURCES),
    withContent: texts.length,
    text: texts.join('\n').slice(0, KEPT_TEXT),
  }
}

const OF_OTHERS = /(?:^|\/)(?:node_modules|bower_components|vendor)\/|^webpack\/|\/webpack\/(?:bootstrap|runtime)/

const parseObject = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
