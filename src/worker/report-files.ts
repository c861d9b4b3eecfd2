/** The files of a rendering of the report, but for the PDF. */
import type { FindingsFile } from '../contract/findings-file.ts'
import type { Queryable } from '../store/database.ts'
import { getLogo } from '../store/organisations.ts'
import type { FileToStore } from './files.ts'
import type { ReportExtras, ReportWriter } from './report-writer.ts'

/** What a report of the organisation carries, as it is now. */
export const extrasOf = async (
  db: Queryable,
  of: { readonly organisationId: string; readonly organisationName: string },
  more: Pick<ReportExtras, 'watermark' | 'introduction' | 'sections'>,
): Promise<ReportExtras> => ({
  organisation: of.organisationName,
  logo: await getLogo(db, of.organisationId),
  ...more,
})

export const findingsFile = (writer: ReportWriter, file: FindingsFile, version: number): FileToStore => ({
  kind: 'findings_json',
  filename: 'findings.json',
  contentType: 'application/json',
  body: Buffer.from(writer.findingsJson(file)),
  version,
})

export const pageFile = (
  writer: ReportWriter,
  file: FindingsFile,
  extras: ReportExtras,
  version: number,
): FileToStore => ({
  kind: 'report_html',
  filename: 'report.html',
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(writer.html(file, extras)),
  version,
})

export const logoFile = (logo: Buffer, version: number): FileToStore => {
  const isPdf = logo.subarray(0, 5).toString('latin1') === '%PDF-'
  return {
    kind: 'branding_logo',
    filename: isPdf ? 'logo.pdf' : 'logo.png',
    contentType: isPdf ? 'application/pdf' : 'image/png',
    body: logo,
    version,
  }
}
