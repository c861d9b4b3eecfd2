/** Everything that the checks of this module read, under one shape. */

import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { Location } from '../../../contract/finding.ts'
import { findSecrets } from '../../../knowledge/secrets/find.ts'
import { findPasswords } from '../../../page/passwords.ts'
import { isPlainly } from '../../answers.ts'
import { shellQuoted } from '../../evidence/pages.ts'
import type { Finding, FindingDefinition, JudgeContext, Judgement } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { DisclosureFacts, SeenText } from './facts.ts'

export interface Text {
  readonly url: string
  readonly status: number
  readonly body: string
  readonly evidence: readonly EvidenceRef[]
  /** Of an answer to another module: the request as a command. */
  readonly replay?: string
  /** Where the same was told as well. */
  readonly also?: readonly string[]
  /** It was the plain answer to a visitor's request, and no error. */
  readonly plain?: boolean
}

/** Pages, answers to missing paths, the answer to the malformed one, and what all other modules of an active run were answered. */
export const pageTexts = (facts: DisclosureFacts, site: SiteFacts): readonly Text[] => [
  ...[...site.pages, ...site.missing].map(({ url, status, body, evidence }) => ({
    url,
    status,
    body,
    evidence: evidence === null ? [] : [evidence],
  })),
  ...(facts.malformed === null ? [] : [{ ...facts.malformed, evidence: [] }]),
  ...seenTexts(facts),
]

export const seenTexts = ({ seen }: DisclosureFacts): readonly Text[] =>
  (seen?.texts ?? []).map(({ url, status, body, replay, also, module }) => ({
    ...{ url, status, body, replay, also, evidence: [] },
    plain: status < 400 && isPlainly(module),
  }))

/** As a command, the request that a text answers. */
export const replayOf = ({ url, replay }: Text): string => replay ?? `curl -si ${shellQuoted(url)}`

/** All addresses of texts, the first of each kind first. */
export const urlsOf = (texts: readonly Text[]): readonly string[] => [
  ...new Set([...texts.map(({ url }) => url), ...texts.flatMap(({ also = [] }) => also)]),
]

/**
 * A judgement over all answers of the run: what was found, and where answers were not read that no finding was in those that were.
 */
export const overAll = (
  { seen }: DisclosureFacts,
  { target }: Pick<JudgeContext, 'target'>,
  findings: readonly Finding[],
): Judgement => {
  if (target.tier !== 'active') return findings
  if (seen === undefined || seen.answers === 0)
    return { state: 'inconclusive', reason: 'what the other modules were answered was not looked at', findings }
  const { answers, unread, resumed, cutOff } = seen
  const reason = resumed ? 'answers of an earlier attempt were not looked at' : 'answers beyond the bounds of reading'
  if (unread === 0 && !resumed)
    return cutOff === undefined ? findings : { state: 'inconclusive', reason: cutOff, findings }
  return {
    state: 'inconclusive',
    reason: unread === 0 ? reason : `of ${answers} answers: ${unread} ${reason}`,
    ...(unread === 0
      ? {}
      : { reached: { asked: answers - unread, known: answers, reasons: [{ reason, count: unread }] } }),
    findings,
  }
}

/**
 * One finding over all answers of a run that hold something of a kind. `read` says what one holds, null where it holds nothing;
 * `excerpt` is shown as it is.
 */
export const overTexts = (
  facts: DisclosureFacts,
  about: Pick<JudgeContext, 'target'>,
  definition: FindingDefinition,
  read: (text: SeenText) => { readonly detail: string; readonly excerpt: string } | null,
): Judgement => {
  const found = (facts.seen?.texts ?? []).flatMap((text) => {
    const held = read(text)
    return held === null ? [] : [{ text, held }]
  })
  const [first] = found
  if (first === undefined) return overAll(facts, about, [])
  const { text, held } = first
  const urls = [...new Set([...found.map((one) => one.text.url), ...found.flatMap((one) => one.text.also)])]
  return overAll(facts, about, [
    {
      definition,
      confidence: 'firm',
      at: { url: text.url },
      places: places(urls),
      detail: held.detail,
      proof: { excerpt: held.excerpt, mark: null, replay: text.replay },
    },
  ])
}

/** What a browser loads as code: scripts and, where they are published, the sources behind them. */
export const codeTexts = (facts: DisclosureFacts): readonly Text[] => [
  ...facts.scripts.map(({ url, status, body }) => ({ url, status, body, evidence: [] })),
  ...facts.maps.map(({ url, text }) => ({ url, status: 200, body: text, evidence: [] })),
]

/** The text around an offset, with the secrets and passwords near it concealed. */
export const excerptAround = (text: string, index: number, length: number, reach = 200): string => {
  const cut = conceal(text).slice(Math.max(0, index - reach), index + length + reach)
  return cut.replace(/[^\P{C}\n\t]/gu, ' ').trim()
}

export const places = (urls: readonly string[]): readonly Location[] => urls.slice(1, 50).map((url) => ({ url }))

/** The text with each secret and password overwritten at its own length, so that offsets stay. */
export const conceal = (text: string): string =>
  [...findSecrets(text).map(({ secret }) => secret), ...findPasswords(text)].reduce(
    (concealed, value) => concealed.replaceAll(value, '*'.repeat(value.length)),
    text,
  )
