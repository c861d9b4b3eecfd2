import type { CrawlFacts } from '../crawl/facts.ts'
import type { CollectContext } from '../module.ts'
import type { Probe } from '../probing/prober.ts'
import { probeAll, Silent } from '../probing/run.ts'
import type { FragmentHit, XssFacts, XssHit } from './facts.ts'
import { CALL, FRAGMENTS } from './payloads.ts'
import { askHeaders, askRedirects } from './probes/heads.ts'
import { askReflections, isPage, sendWord } from './probes/reflection.ts'
import { newNonce, openProver, type Prover } from './proving.ts'

const MOST_PAGES = 20
const PAGES_AT_ONCE = 4

export const collect = async (ctx: CollectContext, { crawl }: { readonly crawl: CrawlFacts }): Promise<XssFacts> => {
  const prover = await openProver(ctx)
  try {
    const probed = await probeAll<XssHit>(ctx, crawl, {
      what: 'Cross-site scripting',
      wants: () => true,
      probe: (probe, found) => probePoint(probe, found, prover),
    })
    const fragments = typeof prover === 'string' ? { pages: 0, hits: [] } : await askFragments(ctx, crawl, prover)
    return { ...probed, browser: typeof prover === 'string' ? prover : null, fragments }
  } finally {
    if (typeof prover !== 'string') await prover.close()
  }
}

const probePoint = async (probe: Probe, found: (hit: XssHit) => void, prover: Prover | string): Promise<void> => {
  const { word, reply } = await sendWord(probe)
  if (reply.status === 0) throw new Silent('the page did not answer')
  const redirect = await askRedirects(probe, word, reply)
  if (redirect) found(redirect)
  const header = await askHeaders(probe, word, reply)
  if (header) found(header)
  if (!isPage(reply) || !reply.text.includes(word)) return
  const reflected = await askReflections(probe, word, reply, prover)
  if (reflected) found(reflected)
}

/** Pages whose own scripts read what stands behind the #. The fragment is never sent: only a browser can tell. */
const askFragments = async (ctx: CollectContext, crawl: CrawlFacts, prover: Prover): Promise<XssFacts['fragments']> => {
  const pages = crawl.urls
    .filter(({ status, contentType }) => status === 200 && contentType === 'text/html')
    .slice(0, MOST_PAGES)
  const found: (FragmentHit | null)[] = pages.map(() => null)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < pages.length) {
      const index = next
      next += 1
      ctx.signal.throwIfAborted()
      found[index] = await askFragment(pages[index]?.url ?? '', prover)
    }
  }
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, worker))
  return { pages: pages.length, hits: found.filter((hit) => hit !== null) }
}

const askFragment = async (url: string, prover: Prover): Promise<FragmentHit | null> => {
  for (const way of FRAGMENTS) {
    const nonce = newNonce()
    const payload = way(`${CALL}(${nonce})`)
    const proof = await prover.prove({ method: 'GET', url: `${url.split('#')[0]}#${payload}`, body: null }, nonce)
    if (proof.ran === 'load') return { url, payload, screenshot: proof.screenshot }
  }
  return null
}
