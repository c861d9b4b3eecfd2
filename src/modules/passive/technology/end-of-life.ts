import { DEBIAN, REDHAT } from '../../../knowledge/cve/names.ts'
import { placeOf } from '../../evidence/address.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'

const ended: FindingDefinition = {
  id: 'technology/end-of-life',
  title: 'End-of-life software: its maker has ended its care',
  severity: 'medium',
  cwe: 1104,
  why: 'Flaws that are found in it from now on stay open: nobody publishes a fix for this release line any more.',
  remediation:
    'Move to a release line that its maker still cares for, or to a distribution that takes over the care and says until when.',
  references: ['https://cwe.mitre.org/data/definitions/1104.html', 'https://endoflife.date/'],
}

/** Ended is a fact of the calendar, not a flaw: what is known to be open is the business of the module cve. */
export const endOfLife: Check<'technology'> = {
  findings: [ended],
  judge: ({ technologies, endOfLife: lines }, _known, { now }) =>
    lines
      .filter(({ end }) => Date.parse(end) < now)
      .map(({ product, version, cycle, end, distribution }): Finding => {
        const evidence = technologies.find(({ name }) => name === product)?.evidence ?? []
        const said = evidence.find((one) => one.version === version) ?? evidence[0]
        const place = placeOf(said?.url ?? '')
        const doubt = doubtOf(product, distribution, now - Date.parse(end))
        return {
          definition: ended,
          confidence: doubt === '' ? 'firm' : 'tentative',
          at: place.at,
          detail: `${product} ${version} was seen; the care for ${product} ${cycle} ended on ${end}.${doubt}`,
          ...(said === undefined ? {} : { proof: { excerpt: said.text, mark: null, replay: place.replay } }),
          subject: product,
        }
      }),
}

/** Milliseconds: distributions sell care for up to fifteen years; what its maker ended before that nobody cares for. */
const LONGEST_CARE = 15 * 365 * 86_400_000

/** A package of a distribution keeps its number while flaws are fixed in it; banners need not name the distribution. */
const doubtOf = (product: string, distribution: string | null, since: number): string => {
  if (distribution !== null) return ` The banner names ${distribution}, which may care for it longer.`
  const isPackaged = Object.hasOwn(DEBIAN, product) || Object.hasOwn(REDHAT, product)
  return isPackaged && since < LONGEST_CARE
    ? ' A distribution may care for it longer; no banner says which one it is.'
    : ''
}
