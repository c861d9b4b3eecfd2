/** Pages as the crawl was answered them, while a run lasts: who asks how pages are built need not ask for them again. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { textOf } from '../../../page/text.ts'
import type { ScopeKey } from '../../run-scope.ts'
import type { Reply } from './prober.ts'

export type CrawledPage = Pick<Reply, 'status' | 'text' | 'contentType'>

export interface CrawledPages {
  readonly note: (url: string, exchange: HttpExchange) => void
  /** Null where it was not asked for, or is kept no more. */
  readonly at: (url: string) => CrawledPage | null
}

/** Characters of all pages; what comes later is not kept. */
const MOST_KEPT = 24_000_000

export const createCrawled = (most = MOST_KEPT): CrawledPages => {
  const pages = new Map<string, CrawledPage>()
  let kept = 0
  return {
    note: (url, exchange) => {
      if (exchange.status !== 200 || pages.has(url)) return
      const text = textOf(exchange)
      if (kept + text.length > most) return
      kept += text.length
      const [contentType = ''] = (headerOf(exchange, 'content-type') ?? '').split(';')
      pages.set(url, { status: exchange.status, text, contentType: contentType.trim().toLowerCase() })
    },
    at: (url) => pages.get(url) ?? null,
  }
}

export const CRAWLED: ScopeKey<CrawledPages> = { make: createCrawled }
