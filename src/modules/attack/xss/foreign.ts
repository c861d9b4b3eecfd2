import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { findingAt, judgeProbed, parameterOf } from '../insertion-points/verdict.ts'
import type { ForeignHit, XssFacts } from './facts.ts'
import { SCRIPTING } from './reflected.ts'

const styleDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/style-injection',
  title: 'CSS injection: a link or form can put style rules into the page',
  severity: 'medium',
  why: 'Rules of an attacker cover the page with their own text and buttons, and read what stands in attributes, tokens against forged requests among them, character by character through addresses of pictures.',
  remediation:
    'Take no text of visitors into style sheets and `style` attributes: choose from a fixed list of values or class names. ' +
    'Where a value has to be free, accept one pattern alone, such as `#[0-9a-f]{6}`.',
}
const resourceDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/resource-injection',
  title: 'Link manipulation: a link can name the host that base, forms or frames of the page lead to',
  severity: 'medium',
  why: 'The page is the site’s own, and what visitors type or see in it is an attacker’s: a form sends passwords elsewhere, a frame shows a false sign-in, scripts with relative addresses are loaded from another host.',
  remediation:
    'Build addresses of base, forms, frames and style sheets from constants. Where a value chooses one, look it up in a fixed ' +
    'list, or parse it and compare the host. `base-uri`, `form-action` and `frame-src` of a Content-Security-Policy limit what is missed.',
}

const WORDS: Readonly<Record<ForeignHit['what'], string>> = {
  style: 'Chromium applied a style that asked',
  base: 'In Chromium relative addresses of the page led to',
  form: 'In Chromium a form of the page led to',
  frame: 'Chromium loaded into a frame of the page',
}

/** What a page takes from elsewhere, or sends there, because a value says so. Only what a browser has done. */
export const foreignContent: Check<'xss', 'crawl'> = {
  findings: [styleDefinition, resourceDefinition],
  judge: (facts) => {
    const judgement = judgeProbed(facts, (point) =>
      point.hits.flatMap((hit) => (hit.kind === 'foreign' ? [findingOf(point, hit)] : [])),
    )
    if (facts.browser === null || 'state' in judgement) return judgement
    return { state: 'not_tested', reason: facts.browser, findings: judgement }
  },
}

const findingOf = (point: XssFacts['points'][number], hit: ForeignHit): Finding =>
  findingAt(point, hit.what === 'style' ? styleDefinition : resourceDefinition, {
    confidence: 'confirmed',
    detail: `${WORDS[hit.what]} ${hit.host}, the host that was sent in ${parameterOf(point.at)}.`,
    proof: { excerpt: hit.excerpt, mark: hit.mark, replay: hit.address ?? hit.replay, basis: hit.what },
    ...(hit.screenshot ? { evidence: [hit.screenshot] } : {}),
  })
