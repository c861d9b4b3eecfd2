/** Findings about elements of pages: the element is the proof. */

import type { HtmlElement } from '../../../page/html.ts'
import type { Page } from '../../../page/page.ts'
import { clip, shellQuoted, weightiest } from '../../evidence/pages.ts'
import type { Finding, FindingDefinition } from '../../module.ts'

export interface ElementHit {
  readonly page: Page
  readonly element: HtmlElement
  /** Completes "<page> …" to a sentence. */
  readonly says: string
  /** The decisive text inside the element. */
  readonly mark?: string
}

const MAX_SHOWN = 6

/** One finding for the site; the pages are its places and the first elements its proof. */
export const elementFindings = (
  definition: FindingDefinition,
  hits: readonly ElementHit[],
  confidence: Finding['confidence'] = 'confirmed',
): readonly Finding[] => {
  const [first] = hits
  if (first === undefined) return []
  const pages = [...new Map(hits.map(({ page }) => [page.url, page])).values()]
  const lines = [...new Set(hits.map(({ element }) => tagOf(element)))]
  const more =
    lines.length > 1
      ? ` ${lines.length} such elements were seen on ${pages.length} page${pages.length === 1 ? '' : 's'}.`
      : ''
  const excerpt = lines.slice(0, MAX_SHOWN).join('\n')
  return [
    {
      definition,
      confidence,
      at: { url: first.page.url },
      places: pages.slice(1).map(({ url }) => ({ url })),
      detail: `${first.page.url} ${first.says}.${more}`,
      proof: {
        excerpt,
        mark: first.mark && excerpt.includes(first.mark) ? clipMark(first.mark) : null,
        replay: `curl -sS ${shellQuoted(first.page.url)} | grep -n -i ${shellQuoted(`<${first.element.tag}`)}`,
      },
      evidence: pages.slice(0, 5).flatMap(({ evidence }) => evidence ?? []),
      page: weightiest(pages.map(({ kind }) => kind)),
    },
  ]
}

/** The start tag as text, each value cut; what a person typed or a token in `value` is left out. */
export const tagOf = ({ tag, attributes }: HtmlElement): string => {
  const parts = Object.entries(attributes).map(([name, value]) => {
    const shown = name === 'value' || name === 'nonce' ? '…' : clip(value, 300)
    return value === '' ? name : `${name}="${shown.replaceAll('"', '&quot;')}"`
  })
  return clip(`<${[tag, ...parts].join(' ')}>`, 1_000)
}

const clipMark = (text: string): string => text.slice(0, 1_000)
