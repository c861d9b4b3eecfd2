/** What is stored as code, by where it comes out. */
import { contextsOf } from '../contexts.ts'
import type { Context } from '../facts.ts'
import { type Candidate, candidatesFor, isLinked } from '../payloads/candidates.ts'
import { UNFILTERED } from '../payloads/filter-profile.ts'
import type { Shown } from './stored-pages.ts'

/** In each context, links of a text notation aside. */
export const MOST_PAYLOADS = 2

/** Where a script of the page writes it as markup. */
export const DRAWN: Context = { kind: 'text', tag: '', attribute: null, quote: '' }
/** As text, which a script may take for more. */
const REWRITTEN: Context = { ...DRAWN }
export const DRAWS: ReadonlySet<Context> = new Set([DRAWN, REWRITTEN])
/** Neither scripts nor the loading of svg run in markup that a script puts in. */
const RUN_WHEN_DRAWN: readonly (string | null)[] = ['img', 'details']

/**
 * Few may be stored: where code or an address is filled, what needs no element comes first, since encoded markup stops it not; links
 * of a text notation come last.
 */
export const payloadsFor = (context: Context, nonce: number, isDrawn: boolean): readonly Candidate[] => {
  const all = [...candidatesFor({ context, ways: UNFILTERED, nonce, dress: 'plain', lost: new Set() })]
  if (isDrawn) return all.filter(({ tag }) => RUN_WHEN_DRAWN.includes(tag)).slice(0, MOST_PAYLOADS)
  const links = all.filter(isLinked)
  const inPlace = all.filter((one) => one.tag === null && !isLinked(one)).slice(0, 1)
  const elements = all.filter((one) => !inPlace.includes(one) && !isLinked(one))
  return [...[...inPlace, ...elements].slice(0, MOST_PAYLOADS), ...links]
}

/**
 * What the page holds, well encoded, its scripts may draw as markup: from an attribute for a tooltip, from data in the page, from
 * text in which they look for markup of another kind.
 */
export const contextsAt = ({ text, drawnOn }: Shown, word: string): readonly Context[] => {
  if (drawnOn !== null) return [DRAWN]
  const contexts = contextsOf(text, word)
  if (contexts.some(({ kind }) => HOLDING.has(kind))) return [...contexts, DRAWN]
  return /<script\b/i.test(text) ? [...contexts, REWRITTEN] : contexts
}

const HOLDING: ReadonlySet<Context['kind']> = new Set(['attribute', 'script', 'raw-text'])
