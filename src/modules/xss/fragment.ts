import type { Check, FindingDefinition } from '../module.ts'
import { SCRIPTING } from './reflected.ts'

const definition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/fragment',
  title: 'A script of the page runs what stands behind the # of its address',
  severity: 'high',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:L/A:N',
  why: 'An attacker sends a link; the script in it runs with the session of whoever follows it. The part behind the # never reaches the server, so neither its filters nor its logs see it.',
  remediation:
    'Put values from the address into the page as text: `element.textContent = value` in place of `innerHTML` and ' +
    '`document.write`, and check that an address begins with https:// before it goes into `location` or `href`.',
}

/** Always confirmed: it is only found by running. */
export const fragment: Check<'xss', 'crawl'> = {
  findings: [definition],
  judge: ({ browser, fragments }) => {
    if (browser !== null) return { state: 'not_tested', reason: browser }
    if (fragments.pages === 0) return { state: 'not_applicable', reason: 'the crawl found no page' }
    return fragments.hits.map(({ url, payload, screenshot }) => ({
      definition,
      confidence: 'confirmed',
      at: { url, method: 'GET', parameter: 'fragment' },
      detail: `Chromium ran the script behind the # of ${url}.`,
      proof: { excerpt: `${url}#${payload}`, mark: payload, replay: null },
      ...(screenshot ? { evidence: [screenshot] } : {}),
    }))
  },
}
