import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary/temporary.ts'
import { sampleFile } from '../testing/sample.ts'
import { compilePdf } from './compile.ts'
import { FORMAT, forgetFormat, putFormat } from './format.ts'
import { renderTex } from './layout.ts'
import { PACKAGES } from './preamble.ts'

const PLACE = { path: undefined, tier: undefined }
const DATE = new Date('2026-11-21T09:06:12Z')
let folder = ''

beforeEach(async () => {
  folder = await temporaryFolder('report-test')
})
afterEach(async () => {
  await forgetFormat(PACKAGES, PLACE)
  await rm(folder, { recursive: true })
})

test('a report has its packages from the format, which is made once for all that come at the same time', async () => {
  await forgetFormat(PACKAGES, PLACE)
  const tex = renderTex(sampleFile({ findings: 3 }))
  const all = await Promise.all([1, 2, 3].map(() => compilePdf(tex, { date: DATE })))
  expect(all.map(({ fromFormat }) => fromFormat)).toEqual([true, true, true])
  expect(all[1]?.pdf.equals(all[0]?.pdf ?? Buffer.alloc(0))).toBe(true)
  expect(await keptFormats()).toHaveLength(1)
})

test('each has a copy of its own: what becomes of it is nothing to the next', async () => {
  const first = join(folder, 'first')
  await Promise.all([putFormatIn(first), putFormatIn(join(folder, 'second'))])
  await writeFile(join(first, `${FORMAT}.fmt`), 'nothing')
  const { fromFormat } = await compilePdf(renderTex(sampleFile({ findings: 1 })))
  expect(fromFormat).toBe(true)
})

test.each([
  ['gone, as temporary files go when a service closes', (file: string) => rm(file), true],
  ['of another TeX', (file: string) => writeFile(file, Buffer.alloc(4_096, 1)), false],
])('a format that is %s: the report is made all the same, and the next has one again', async (_, spoil, taken) => {
  await forgetFormat(PACKAGES, PLACE)
  const tex = renderTex(sampleFile({ findings: 1 }))
  await compilePdf(tex)
  const [kept = ''] = await keptFormats()
  await spoil(kept)
  expect((await compilePdf(tex)).fromFormat).toBe(taken)
  expect((await compilePdf(tex)).fromFormat).toBe(true)
  expect(await keptFormats()).toHaveLength(1)
})

test('packages that TeX cannot read make no format; a document of other packages needs none', async () => {
  const unknown = '\\documentclass{no-such-class-anywhere}'
  expect(await putFormat(folder, unknown, PLACE)).toBe(false)
  expect(await readdir(folder)).toEqual([])
  await forgetFormat(unknown, PLACE)
  const other = await compilePdf('\\documentclass{article}\\begin{document}Text\\end{document}')
  expect(other.fromFormat).toBe(false)
})

test('an error names its line as the document has it', async () => {
  const tex = `${PACKAGES}\n\\begin{document}\n\\nothingofthisname\n\\end{document}\n`
  const line = PACKAGES.split('\n').length + 2
  await expect(compilePdf(tex)).rejects.toThrow(`report.tex:${line}: Undefined control sequence`)
})

/** All that this process keeps. */
const keptFormats = async (): Promise<readonly string[]> => {
  const root = dirname(folder)
  const files = await readdir(root, { recursive: true })
  return files
    .filter((file) => file.startsWith('sonde-format-') && file.endsWith('.fmt'))
    .map((file) => join(root, file))
}

const putFormatIn = async (where: string): Promise<void> => {
  await mkdir(where)
  expect(await putFormat(where, PACKAGES, PLACE)).toBe(true)
}
