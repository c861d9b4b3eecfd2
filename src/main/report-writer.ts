/** The report's functions as the worker asks for them. */
import type { FindingsFile } from '../contract/findings-file.ts'
import { MODULES } from '../modules/index.ts'
import { renderFindingsJson } from '../report/json.ts'
import type { LogoFile } from '../report/logo.ts'
import { compilePdf } from '../report/pdf/compile.ts'
import { renderTex } from '../report/pdf/layout.ts'
import type { ReportWriter } from '../worker/report-writer.ts'

export const WATERMARK = 'FREE PLAN'
const MODULE_TITLES = Object.fromEntries(MODULES.map((module) => [module.id, module.title]))

export const reportWriter: ReportWriter = {
  findingsJson: renderFindingsJson,
  write: async (file: FindingsFile, extras, signal) => {
    const logo = extras.logo === null ? null : logoFile(extras.logo)
    const tex = renderTex(file, {
      organisation: extras.organisation,
      watermark: extras.watermark ? WATERMARK : null,
      moduleTitles: MODULE_TITLES,
      logo,
    })
    const { pdf, pages } = await compilePdf(tex, { logo, signal, date: new Date(file.run.finished_at) })
    return { tex, pdf, pages }
  },
}

/** Checked and converted when it was set; the first bytes tell which of the two it is. */
export const logoFile = (body: Buffer): LogoFile =>
  body.subarray(0, 5).toString('latin1') === '%PDF-'
    ? { extension: 'pdf', contentType: 'application/pdf', body }
    : { extension: 'png', contentType: 'image/png', body }
