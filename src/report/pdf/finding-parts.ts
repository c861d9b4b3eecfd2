/** Pieces that long and short findings share. */
import type { FindingView } from '../model.ts'
import { texAddress, texMarked, texText } from './escape.ts'
import { texListing } from './listing.ts'

const MAX_REFERENCES = 8
/** Longer ones take two lines of the column. */
const LONG_PLACE = 36
const DOT = '\\enspace\\textbullet\\enspace '

/** At most `most` places, fewer where they are long. */
export const places = ({ places: all, morePlaces }: FindingView, most = all.length): string => {
  const shown = all.slice(0, all.some((place) => place.length > LONG_PLACE) ? Math.min(most, 2) : most)
  const more = morePlaces + all.length - shown.length
  return [
    ...shown.map((place) => `\\place{${texText(place, { face: 'mono', max: 600 })}}`),
    ...(more > 0 ? [`\\more{and ${more} more in findings.json}`] : []),
  ].join('\n')
}

/** Paragraphs at empty lines, fenced blocks as listings, `code` between backticks; the lead runs into the first. */
export const prose = (text: string, lead: string): string => {
  if (text.trim() === '') return ''
  const parts = text
    .slice(0, 12_000)
    .toWellFormed()
    .split(/```[a-z]*\n([\s\S]*?)```/)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [texListing({ excerpt: part, mark: null }, { lines: 30 })]
        : part
            .split(/\n\s*\n/)
            .filter((paragraph) => paragraph.trim() !== '')
            .map((paragraph) => `${texMarked(paragraph.trim())}\\par}`),
    )
    .filter((part) => part !== '')
  const opened = parts.map((part) => (part.startsWith('\\begin{listing}') ? part : `{\\RaggedRight ${part}`))
  const [first = '', ...others] = opened
  const head = `\\lead{${lead}}`
  return first.startsWith('\\begin')
    ? [`{${head}\\par}`, ...opened].join('\n')
    : [first.replace('{\\RaggedRight ', () => `{\\RaggedRight ${head}`), ...others].join('\n')
}

/** How the problem is classed and where to read more, in one small paragraph that no page divides. */
export const fineprint = ({ classes, evidence, finding }: FindingView): string => {
  const weakness =
    finding.cwe === null
      ? []
      : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const parts = [
    ...weakness,
    ...classes.map((text) => texText(text, { max: 300 })),
    `check ${texText(finding.check_id, { max: 200 })}`,
    ...(evidence.length > 0 ? [`evidence ${texText(evidence.join(', '), { max: 600 })}`] : []),
    ...references
      .slice(0, MAX_REFERENCES)
      .map((address) => link(address, address.replace(/^https:\/\/(?:www\.)?/, '').replace(/\/$/, ''))),
    ...(references.length > MAX_REFERENCES ? [`${references.length - MAX_REFERENCES} more in findings.json`] : []),
  ]
  return `\\fineprint{${parts.join(DOT)}}`
}

const link = (address: string, name: string): string => {
  const target = texAddress(address)
  const text = texText(name, { max: 300 })
  return target === null ? text : `\\href{${target}}{${text}}`
}
