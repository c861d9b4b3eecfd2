/** Hides what signed-in pages name as keys of feeds, calendars and downloads, before anything of the run is told. */
import { hasCredentials } from '../egress/door/credentials.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import { keysInLinks } from '../egress/redaction/keys-in-links.ts'
import type { RunSpec } from './protocol.ts'

/** They see the pages before any value of a probe stands in them. */
const READERS: readonly string[] = ['site', 'crawl']
const MOST_KEYS = 100
const READ = /\b(?:html|json|xml|javascript|plain)\b/i

/** Nothing where nobody is signed in: what everybody is shown is no secret of the run. `hide` is told of each once. */
export const createKeyHiding = (
  { credentials }: Pick<RunSpec, 'credentials'>,
  hide: (key: string) => void,
): ((exchange: HttpExchange, module: string) => void) => {
  if (!hasCredentials(credentials)) return () => undefined
  const known = new Set<string>()
  return (exchange, module) => {
    if (known.size >= MOST_KEYS || !READERS.includes(module)) return
    const type = exchange.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    if (!READ.test(type)) return
    const { url, body } = exchange.request
    for (const key of keysInLinks(exchange.body.toString('latin1'), url)) {
      // What was sent is the run's own, whoever shows it again.
      if (known.size >= MOST_KEYS || known.has(key) || url.includes(key) || body?.includes(key)) continue
      known.add(key)
      hide(key)
    }
  }
}
