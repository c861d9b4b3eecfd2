import type { FindingsFile } from '../../contract/findings-file.ts'
import type { LogoFile } from '../logo.ts'
import { NO_EXTRAS, type ReportExtras, reportModel } from '../model.ts'
import { annexes } from './annexes.ts'
import { cover } from './cover.ts'
import { findings } from './findings.ts'
import { preamble } from './preamble.ts'
import { contents, glossaryAtEnd, method, summary } from './sections.ts'

/**
 * The whole report as one XeLaTeX document. It reads no other file than `logo.png` or `logo.pdf` and the pictures of `extras`,
 * by their names, and needs two passes.
 * @throws as `canonical` does.
 */
export const renderTex = (
  file: FindingsFile,
  { logo = null, ...extras }: Partial<ReportExtras> & { readonly logo?: LogoFile | null } = {},
): string => {
  const model = reportModel(file, { ...NO_EXTRAS, ...extras })
  const body = [
    cover(model, logo),
    contents(model),
    summary(model),
    ...(model.sections.method === null ? [] : [method(model)]),
    ...(model.sections.findings === null ? [] : [findings(model)]),
    ...annexes(model),
    ...glossaryAtEnd(model),
    '\\lastmark',
  ].join('\n\n')
  return `${preamble(model, body)}\n\\begin{document}\n${body}\n\\end{document}\n`
}
