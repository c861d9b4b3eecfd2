/** Leads of the scripts of pages, run: a payload in place of the word, in a browser as anybody has. */
import { randomBytes } from 'node:crypto'
import { type Approach, FOREIGN } from '../browser/approach.ts'
import type { Press } from '../browser/pressable.ts'
import type { DomHit } from '../facts.ts'
import { newNonce, type Prover } from '../proving.ts'
import { type Message, withPayload } from './messages.ts'
import { domPayloads } from './payloads.ts'
import type { Source } from './sources.ts'
import type { Reached, Watched } from './watching.ts'

/** Of one flaw. */
export const MOST_PLACES = 9
/** Payloads that are written into an address otherwise, too. */
const MOST_WRITTEN = 2

/** A source whose word has reached a sink. */
export interface Lead {
  readonly source: Source
  readonly reached: Reached
  readonly messages: readonly Message[]
}

export const leadsOf = (sources: readonly Source[], { reached, messages }: Watched): readonly Lead[] =>
  reached.flatMap((one) => {
    const source = sources.find(({ word }) => word === one.word)
    return source ? [{ source, reached: one, messages }] : []
  })

/** The first lead of a source that a browser runs; other pages where its word got as far are places of the same. */
export const prove = async (
  leads: readonly (Lead & { readonly page: string })[],
  prover: Prover,
): Promise<DomHit | null> => {
  const [first] = leads
  if (!first) return null
  if (first.source.kind === 'cookie' || first.source.kind === 'storage') {
    const apart = await prover.stranger({ authenticated: true })
    return proveFirst(leads, first, apart).finally(() => apart.close())
  }
  return proveFirst(leads, first, prover)
}

const proveFirst = async (
  leads: readonly (Lead & { readonly page: string })[],
  first: Lead & { readonly page: string },
  prover: Prover,
): Promise<DomHit | null> => {
  const others = pagesOf(leads).filter((page) => page !== first.page)
  for (const lead of mostTelling(leads.filter(({ page }) => page === first.page)).flatMap(shortened)) {
    const hit =
      (await proveScript(first.page, lead, prover)) ??
      (await proveRedirect(first.page, lead, prover)) ??
      (await proveFetched(first.page, lead, prover))
    if (hit) return { ...hit, alsoOn: others.slice(0, MOST_PLACES) }
  }
  return null
}

/** Most often the last press does it, with what it takes to be there, or alone; what else came before would only be in the way. */
const shortened = <One extends Lead>(lead: One): readonly One[] => {
  const { presses, way } = lead.reached
  const ways = [way, presses.slice(-1), presses].filter(
    (one, index, all) => one.length > 0 && all.findIndex((other) => isSame(one, other)) === index,
  )
  return presses.length < 2 && way.length < 2
    ? [lead]
    : ways.map((one) => ({ ...lead, reached: { ...lead.reached, presses: one } }))
}

const isSame = (a: readonly Press[], b: readonly Press[]): boolean =>
  a.length === b.length && a.every(({ key, field }, index) => key === b[index]?.key && field === b[index]?.field)

export const pagesOf = (leads: readonly { readonly page: string }[]): readonly string[] => [
  ...new Set(leads.map(({ page }) => page)),
]

/** What runs by itself before what has to be pressed, and what reaches more before what reaches less. */
const RANK: readonly string[] = ['html', 'code', 'script', 'location', 'address', 'window', 'selector', 'text', 'fetch']

const mostTelling = <One extends { readonly reached: Reached }>(list: readonly One[]): readonly One[] =>
  list
    .toSorted(
      (a, b) =>
        Math.min(a.reached.presses.length, 1) - Math.min(b.reached.presses.length, 1) ||
        RANK.indexOf(a.reached.sink) - RANK.indexOf(b.reached.sink),
    )
    .slice(0, 12)

const approachOf = (lead: Lead, payload: string, written = false): Approach => {
  const { presses } = lead.reached
  return { ...standing(lead, payload, written), isQuiet: true, ...(presses.length > 0 ? { presses } : {}) }
}

const standing = ({ source, reached, messages }: Lead, payload: string, written: boolean): Approach => {
  const message = reached.message === null ? undefined : messages[reached.message]
  if (source.kind !== 'message' || !message) return ((written && source.written) || source.with)(payload)
  const sent = withPayload(message, source.word, payload)
  const open = source.with('')
  return { ...open, opener: { name: '', query: '', ...open.opener, messages: [sent] } }
}

type Proven = Omit<DomHit, 'alsoOn'>

/**
 * What stands in the query the server may write into a script of the page, its brackets encoded for HTML: there an escape is what
 * a bracket is.
 */
const payloadsFor = ({ source, reached: { sink, value, word } }: Lead, nonce: number): readonly string[] => {
  const plain = domPayloads(sink, value, word, nonce)
  const [first] = source.kind === 'query' && sink === 'html' ? plain : []
  return first?.includes('<') ? [...plain, inLiteral(first)] : plain
}

const inLiteral = (text: string): string =>
  text.replace(/[<>"'&]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const proveScript = async (page: string, lead: Lead, prover: Prover): Promise<Proven | null> => {
  const ways = payloadsFor(lead, 0).length
  const turns = Array.from({ length: ways }, (_, way) => way)
  const written = lead.source.written ? turns.slice(0, MOST_WRITTEN) : []
  for (const [turn, way] of [...turns, ...written].entries()) {
    const nonce = newNonce()
    const payload = payloadsFor(lead, nonce)[way] ?? ''
    const approach = approachOf(lead, payload, turn >= ways)
    const proof = await prover.prove(approach, nonce)
    if (proof.ran === null) continue
    return { ...hitOf(page, lead, payload, approach), kind: 'script', ran: proof.ran, screenshot: proof.screenshot }
  }
  return null
}

/** Twice, to hosts that nobody can have meant. */
const proveRedirect = async (page: string, lead: Lead, prover: Prover): Promise<Proven | null> => {
  if (lead.reached.sink !== 'location' || lead.source.kind === 'storage' || lead.source.kind === 'cookie') return null
  if (!lead.reached.value.trim().startsWith(lead.reached.word)) return null
  let hit: Proven | null = null
  for (let round = 0; round < 2; round += 1) {
    const host = `qx${randomBytes(4).toString('hex')}.example`
    const payload = `https://${host}/`
    const approach = approachOf(lead, payload)
    if (!(await prover.leadsTo(approach, host))) return null
    const ran = lead.reached.presses.length > 0 ? 'click' : 'load'
    hit = { ...hitOf(page, lead, payload, approach), kind: 'redirect', ran, screenshot: null }
  }
  return hit
}

/** How a value names another host, by what stands before it in the address; none where that fixes the host. */
const othersBehind = (before: string, origin: string): readonly ((host: string) => string)[] => {
  if (before === '' || before === `${origin}/`) return [(host) => `//${host}/x`, (host) => `https://${host}/x`]
  // The slash may be written in front of a value alone that has none.
  if (before === '/') return [(host) => `/${host}/x`, (host) => `//${host}/x`]
  // A host without a slash behind it goes on.
  return /^(?:https?:)?\/\/[^/?#\s]+$/i.test(before) ? [(host) => `.${host}/x`] : []
}

/** Markup that a host answers which the value names, put into the page. Nothing is asked of that host. */
const proveFetched = async (page: string, lead: Lead, prover: Prover): Promise<Proven | null> => {
  const { sink, value, word, presses } = lead.reached
  if (sink !== 'fetch' || presses.length > 0) return null
  const before = value.slice(0, value.indexOf(word))
  for (const way of othersBehind(before, new URL(page).origin)) {
    const named = `qx${randomBytes(4).toString('hex')}${FOREIGN}`
    const payload = way(named)
    const approach = approachOf(lead, payload)
    const host = payload.startsWith('.') ? `${new URL(before, page).hostname}.${named}` : named
    const { ran, screenshot } = await prover.takes(approach, host, newNonce())
    if (ran) return { ...hitOf(page, lead, payload, approach), kind: 'script', ran: 'load', screenshot }
  }
  return null
}

const hitOf = (
  page: string,
  { source, reached }: Lead,
  payload: string,
  approach: Approach,
): Omit<DomHit, 'kind' | 'ran' | 'screenshot' | 'alsoOn'> => ({
  page,
  source: source.kind,
  name: source.name,
  sink: reached.sink,
  ...(reached.by === '' ? {} : { by: reached.by }),
  address: approach.moved ?? approach.url,
  ...(approach.moved ? { opened: approach.url } : {}),
  ...(approach.opener?.origin === undefined ? {} : { from: approach.opener.origin }),
  ...(reached.presses.length > 0 ? { deeds: reached.presses.map(({ words }) => words) } : {}),
  message: approach.opener?.messages[0] === undefined ? null : JSON.stringify(approach.opener.messages[0]),
  payload,
})
