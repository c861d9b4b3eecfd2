import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { REPORT_SECTIONS } from '../../contract/report.ts'
import { sampleFile } from '../testing/sample.ts'
import { compilePdf } from './compile.ts'
import { renderTex } from './layout.ts'
import { PACKAGES } from './preamble.ts'
import { inRounds } from './rounds.ts'

const DATE = new Date('2026-11-21T09:06:12Z')
const DOCUMENT = '\n\\begin{document}\n'

test('what a report says, shows and links to is what two passes make', { timeout: 240_000 }, async () => {
  const tex = renderTex(sampleFile({ findings: 12 }), {
    sections: [...REPORT_SECTIONS],
    organisation: 'Harbour Books',
    watermark: 'FREE PLAN',
    language: 'de',
  })
  const inPasses = tex.replace(DOCUMENT, '\n\\begin{document}%\n')
  expect(inRounds(tex)).not.toBeNull()
  expect(inRounds(inPasses)).toBeNull()
  const [rounds, passes] = await Promise.all([tex, inPasses].map((one) => compilePdf(one, { date: DATE })))
  expect(rounds?.passes).toBe(1)
  expect(passes?.passes).toBeGreaterThan(1)
  expect(rounds?.pages).toBe(passes?.pages)
  // Pages, links, bookmarks, catalogue: all but the identifier of the file.
  expect(streamsOf(rounds?.pdf)).toEqual(streamsOf(passes?.pdf))
  expect(streamsOf(rounds?.pdf).length).toBeGreaterThan(10)
})

test('a label that falls on another page than in the draft is looked for once more', async () => {
  const { pages, passes, pdf } = await compilePdf(
    [
      PACKAGES,
      '\\definecolor{navy}{HTML}{14253D}\\definecolor{accent}{HTML}{1B7A78}\\newcommand{\\wide}{\\vbox to 500pt{}}',
      '\\begin{document}',
      '\\ifcsname r@lastpage\\endcsname\\wide\\wide\\newpage\\fi',
      '\\edef\\last{\\getpagerefnumber{lastpage}}\\href{https://page.test/\\last}{Text}\\label{lastpage}',
      '\\end{document}',
      '',
    ].join('\n'),
    { date: DATE },
  )
  expect({ pages, passes }).toEqual({ pages: 3, passes: 2 })
  expect(streamsOf(pdf).join('\n')).toContain('https://page.test/3')
})

test('where TeX does not take a draft, passes are made as ever', async () => {
  const { pages, passes } = await compilePdf(
    [
      PACKAGES,
      '\\definecolor{navy}{HTML}{14253D}\\definecolor{accent}{HTML}{1B7A78}',
      '\\begin{document}',
      '\\ifcsname sonde@draft\\endcsname\\nothingThatThereIs\\fi Text\\label{lastpage}',
      '\\end{document}',
      '',
    ].join('\n'),
    { date: DATE },
  )
  expect(pages).toBe(1)
  expect(passes).toBeGreaterThan(1)
})

test('what stands above the pages keeps its lines, and they keep theirs', () => {
  const { report, draft } = inRounds('a\nb\n\\begin{document}\nfirst\nsecond\n\\end{document}\n') ?? {
    report: '',
    draft: '',
  }
  expect(report).toBe('a\nb\n\\input{rounds}\\begin{document}\nfirst\nsecond\n\\end{document}\n')
  expect(draft).toBe('%\n%\n%\nfirst\nsecond\n')
})

/** Unpacked. Fonts and pictures are as they are embedded. */
const streamsOf = (pdf: Buffer = Buffer.alloc(0)): string[] =>
  [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)endstream/g)].map(([, body = '']) => {
    const packed = Buffer.from(body, 'latin1')
    try {
      return inflateSync(packed).toString('latin1')
    } catch {
      return packed.toString('latin1')
    }
  })
