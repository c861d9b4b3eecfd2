/** The files of a rendering of the report, but for the PDF. */
import type { FindingsFile } from '../contract/findings-file.ts'
import { getLogo } from '../store/organisations.ts'
import { presentSigner, SigningKeyError } from '../store/signing-keys.ts'
import type { FileToStore } from './files.ts'
import type { WorkerOptions } from './options.ts'
import type { ReportExtras, ReportWriter } from './report-writer.ts'

/** What a report of the organisation carries, as it is now. */
export const extrasOf = async (
  { db, keys }: Pick<WorkerOptions, 'db' | 'keys'>,
  of: { readonly organisationId: string; readonly organisationName: string },
  more: Pick<ReportExtras, 'watermark' | 'texts' | 'colours' | 'sections' | 'language' | 'pictures'>,
): Promise<ReportExtras> => ({
  organisation: of.organisationName,
  logo: await getLogo(db, of.organisationId),
  signer: await signerOf(db, keys),
  ...more,
})

/** A report names no key that will not sign it. */
const signerOf = async (db: WorkerOptions['db'], keys: WorkerOptions['keys']): Promise<string | null> => {
  try {
    return (await presentSigner(db, keys)).fingerprint
  } catch (error) {
    // Said in the log where the version is signed.
    if (error instanceof SigningKeyError) return null
    throw error
  }
}

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

export const markdownFile = (
  writer: ReportWriter,
  file: FindingsFile,
  extras: ReportExtras,
  version: number,
): FileToStore => ({
  kind: 'report_md',
  filename: 'report.md',
  contentType: 'text/markdown; charset=utf-8',
  body: Buffer.from(writer.markdown(file, extras)),
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
