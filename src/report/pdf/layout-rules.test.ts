/** Reports of very different runs, each page held against the rules of a typesetter. */
import { describe, expect, test } from 'vitest'
import type { FindingsFile } from '../../contract/findings-file.ts'
import { REPORT_SECTIONS } from '../../contract/report.ts'
import { faultsOf, pagesOf, type SeenPage } from '../testing/pages.ts'
import { samplePictures } from '../testing/picture.ts'
import { ownTexts, recounted, sampleFile } from '../testing/sample.ts'
import { compilePdf } from './compile.ts'
import { renderTex } from './layout.ts'

const COUNTS = [12, 0, 47, 1, 2, 4, 7, 13, 18, 25, 33, 60, 80, 120, 300] as const
const KINDS = ['as it is', 'failed half', 'privacy only', 'long texts'] as const
type Kind = (typeof KINDS)[number]

/** The sample run as another might be: less of it, more of it, or cut off. */
const changed = (file: FindingsFile, kind: Kind, turn: number): FindingsFile => {
  if (kind === 'privacy only') {
    const findings = file.findings.filter(({ module }) => module === 'privacy' || module === 'cookies')
    return { ...file, findings, coverage: file.coverage.filter(({ module }) => module === 'privacy') }
  }
  if (kind === 'failed half') {
    const coverage = file.coverage.map((line, index) =>
      index % 2 === turn % 2
        ? { ...line, state: 'not_tested' as const, reason: `the time for it was over after ${index} of its questions` }
        : line,
    )
    return { ...file, coverage }
  }
  const more =
    kind === 'long texts' ? 'Then ask a colleague to look at the answer once more, and write down what you saw. ' : ''
  return {
    ...file,
    findings: file.findings.map((one, index) => ({
      ...one,
      remediation:
        `${one.remediation} ${more.repeat((index * 7) % 11)}${'Look again. '.repeat((index * 5) % 13)}`.trim(),
    })),
  }
}

const RUNS = Array.from({ length: 30 }, (_, turn) => ({
  turn,
  count: COUNTS[turn % COUNTS.length] ?? 0,
  kind: KINDS[(turn + Math.floor(turn / 4)) % KINDS.length] ?? 'as it is',
  language: turn < 15 ? ('en' as const) : ('de' as const),
}))
const SOME = process.env.SONDE_LONG ? RUNS : [0, 1, 9, 17].flatMap((turn) => RUNS[turn] ?? [])

describe('pages of a report', { timeout: 120_000 }, () => {
  test.each(SOME)('run $turn: $count findings, $kind, $language', async ({ turn, count, kind, language }) => {
    const file = recounted(changed(sampleFile({ findings: count }), kind, turn))
    const pictures = turn % 2 === 1 ? samplePictures(file.findings, 40) : []
    const extras = {
      ...{ language, organisation: 'Tee & Söhne', pictures },
      ...(turn % 5 === 4 ? { sections: REPORT_SECTIONS } : {}),
      ...(turn % 6 === 2 ? { texts: ownTexts('What was agreed with the owners of the shop, in their words.') } : {}),
    }
    const { pdf } = await compilePdf(renderTex(file, extras), { pictures, seconds: 100 })
    const pages = await pagesOf(pdf)
    expect(pages.length).toBeGreaterThan(3)
    expect(faultsOf(pages)).toEqual([])
    // Without words of the owners before it, what a director reads is one page: the next section is below it or on the next page.
    if (!('texts' in extras)) expect(sectionsOn(pages[2]) + sectionsOn(pages[3])).toBeGreaterThan(1)
    if (!('texts' in extras) && sectionsOn(pages[2]) === 1) expect(pages[3]?.pieces[0]?.size).toBeGreaterThan(SECTION)
  })
})

/** Points; headings of sections are set in 19. */
const SECTION = 16
const sectionsOn = (page: SeenPage | undefined): number =>
  new Set(page?.pieces.filter(({ size }) => size > SECTION).map(({ top }) => Math.round(top / 8))).size

describe('the rules', () => {
  const piece = { top: 100, bottom: 112, left: 100, right: 700, size: 9, bold: false, text: 'a line' }
  const last = { ...piece, top: 1160, bottom: 1172 }
  const page = (...pieces: SeenPage['pieces']): SeenPage => ({ width: 892, height: 1262, pieces })
  const full = page(piece, last)

  test.each([
    ['nothing is wrong', full, []],
    ['text beyond the margin', page({ ...piece, right: 812 }, last), ['page 3: beyond the margin: a line']],
    ['a large heading last', page(piece, { ...last, size: 10.6 }), ['page 3: ends with a heading: a line']],
    ['a small bold one last', page(piece, { ...last, bold: true }), ['page 3: ends with a heading: a line']],
    ['a word in bold in the last line', page(piece, last, { ...last, bold: true }), []],
    ['a third of it is empty', page(piece, { ...last, top: 700, bottom: 712 }), ['page 3: 57 % of it is used']],
  ])('%s', (_, third, faults) => {
    expect(faultsOf([page(), full, third, page(piece)])).toEqual(faults)
  })
})
