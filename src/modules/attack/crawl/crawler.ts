/** The static crawl: asks for what the frontier holds, and reads what answers, until nothing is left or the time is over. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { type Choices, createChoices } from './choices.ts'
import type { RequestTemplate } from './facts.ts'
import type { Candidate } from './frontier.ts'
import type { ReachNotes } from './reach.ts'
import { Reading, type ReadingParts } from './reading.ts'
import type { Draft, Requests } from './requests.ts'
import { createSeenValues, hasGap } from './seen-values.ts'
import type { Session } from './session.ts'

const AT_ONCE = 6
/** So many pages in a row that bring nothing new, and what forms do is learned before the next ones. */
const DULL = 40
/** Pages after which the scripts that they have brought are read: of an application with thousands of pages the time may end before the pages do. */
const SCRIPTS_AFTER = 60

export interface CrawlParts extends Omit<ReadingParts, 'chooses'> {
  readonly notes: ReachNotes
  readonly session: Session
  /** Sends what nobody knows the effect of once, with its own values. `each` is told of every answer. True where it sent any. */
  readonly learn: (
    until: number,
    each: (request: RequestTemplate, answer: HttpExchange) => void,
    which?: (request: RequestTemplate) => boolean,
  ) => Promise<boolean>
  readonly signal: AbortSignal
  readonly progress: (detail: string) => void
}

export interface Crawler {
  /** Follows the frontier until it is empty. Returns why it stopped earlier, or null. `until` is by performance.now(). */
  readonly run: (until: number) => Promise<string | null>
  /** Asks again for what was answered under a session that another has replaced since. */
  readonly askAgain: () => Promise<void>
  /** What answers to requests whose effect is learned lead to and show. */
  readonly learned: (request: RequestTemplate, answer: HttpExchange) => void
  /** What an operation that the interface describes was answered. */
  readonly heard: (url: string, answer: HttpExchange) => void
  readonly reading: Reading
}

export const createCrawler = (parts: CrawlParts): Crawler => {
  const { frontier, requests, fetcher, scope } = parts
  const reading = new Reading({ ...parts, chooses: (form) => met(form, choices, requests) })
  let until = 0
  const choices = createChoices({
    routeOf: parts.routes.of,
    follow: (address, on) => frontier.add(address, 1, 'form', on),
    send: fetcher.send,
    maySend: ({ id }) => requests.find(id)?.harm === null,
    read: (request, answer) => reading.readAnswer(request, answer),
    isOver: () => performance.now() > until || parts.signal.aborted,
  })

  const seen = createSeenValues({ frontier, requests })
  const visited = new Map<string, Candidate>()
  const visit = async (candidate: Candidate): Promise<void> => {
    const exchange = await fetcher.get(candidate.url)
    const row = { kind: 'address', method: 'GET', url: candidate.url, holds: true } as const
    if (exchange === null && fetcher.isNowhere(candidate.url))
      return parts.notes.note({ ...row, holds: false, fate: 'left_out', reason: 'no host has its name' })
    if (exchange === null) return parts.notes.note({ ...row, fate: 'cut_off', reason: 'it did not answer' })
    parts.notes.note({ ...row, fate: 'asked', reason: null })
    parts.session.fetched(candidate.url)
    visited.set(candidate.url, candidate)
    reading.read(candidate, exchange)
    seen.answered(candidate, exchange)
  }

  const askAgain = async (): Promise<void> => {
    const again = parts.session.again().flatMap((url) => visited.get(url) ?? [])
    for (const candidate of new Set(again)) {
      const exchange = await fetcher.get(candidate.url)
      if (exchange !== null) reading.readAgain(candidate, exchange)
    }
  }

  const learned = (request: RequestTemplate, answer: HttpExchange): void => {
    choices.answered(request, answer)
    reading.readAnswer(request, answer)
    seen.heard(request.url, answer)
  }

  const scriptsDone = new Set<string>()
  /** `whole`: no page is left that may bring more. */
  const readScripts = async (whole = true): Promise<boolean> => {
    const fresh = [...reading.scripts].filter(([url]) => !scriptsDone.has(url))
    for (const [url, page] of fresh) {
      scriptsDone.add(url)
      const exchange = await fetcher.get(url, '*/*')
      if (exchange?.status !== 200) continue
      const code = exchange.body.toString('utf8')
      reading.script(code, url, page)
      await readSourceMap(code, url, page)
    }
    if (fresh.length === 0 && whole) reading.scriptsRead()
    return fresh.length > 0
  }

  const readSourceMap = async (code: string, url: string, page: string): Promise<void> => {
    const named = /\/\/[#@]\s*sourceMappingURL=([^\s'"]{1,500})\s*$/.exec(code.slice(-1_000))?.[1]
    const address = named && !named.startsWith('data:') ? URL.parse(named, url) : null
    if (!address || !scope.holds(address)) return
    const exchange = await fetcher.get(address.href, '*/*')
    if (exchange?.status !== 200) return
    for (const { name, code: source } of sourcesOf(exchange.body.toString('utf8')))
      reading.script(source, url, page, { name, built: code })
  }

  const run = async (end: number): Promise<string | null> => {
    until = end
    let sinceScripts = 0
    for (;;) {
      parts.signal.throwIfAborted()
      if (!(await parts.session.alive())) return 'the session was lost'
      await askAgain()
      if (performance.now() > until) return 'its share of the time was used up'
      const batch = Array.from({ length: AT_ONCE }, () => frontier.next()).filter((one) => one !== null)
      await Promise.all(batch.map(visit))
      if (batch.length > 0) parts.progress(`${reading.urls.length} addresses`)
      sinceScripts += batch.length
      if (batch.length > 0 && reading.dull < DULL) {
        if (sinceScripts < SCRIPTS_AFTER) continue
        sinceScripts = 0
        await readScripts(false)
        continue
      }
      reading.dull = 0
      if ((await readScripts()) || seen.fill()) continue
      // What is about nothing waits for what the others show: an address of something that one of them has made.
      const whole = await parts.learn(until, learned, (one) => !hasGap(one))
      const learnt = whole || (await parts.learn(until, learned))
      const walked = await choices.walk()
      const next = frontier.next()
      if (next !== null) await visit(next)
      else if (batch.length === 0 && !learnt && !walked && !reading.followBare()) return null
    }
  }
  return { run, askAgain, reading, learned, heard: seen.heard }
}

const met = (form: Draft, choices: Choices, requests: Requests): void => {
  choices.note(form)
  // What stores no file may be sent as often as it takes.
  if (form.unfilled) requests.add({ ...form, fields: form.unfilled })
}

/** The texts that a file was built from, as the fields `sources` and `sourcesContent` of its map have them (ECMA-426). */
const sourcesOf = (text: string): readonly { readonly name: string; readonly code: string }[] => {
  try {
    const map: unknown = JSON.parse(text)
    if (typeof map !== 'object' || map === null) return []
    const { sources, sourcesContent } = map as { sources?: unknown; sourcesContent?: unknown }
    const names: readonly unknown[] = Array.isArray(sources) ? sources : []
    return (Array.isArray(sourcesContent) ? sourcesContent : [])
      .flatMap((code: unknown, index) => (typeof code === 'string' ? [{ name: String(names[index] ?? ''), code }] : []))
      .slice(0, 300)
  } catch (error) {
    if (error instanceof SyntaxError) return [] // No map: nothing in it.
    throw error
  }
}
