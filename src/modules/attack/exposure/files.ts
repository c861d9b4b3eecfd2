/**
 * Files and pages that should not be reachable, from `catalogue/exposure`: a template a kind, a request a file, each with the
 * grammar that proves it is what its name says. A status alone proves nothing: applications answer every path.
 */
import { bytesOfText } from '../../../templates/language/bytes.ts'
import { filledWith, proofIn, shippedTemplates } from '../../../templates/language/shipped.ts'
import type { HttpStep } from '../../../templates/language/template.ts'
import type { FileAnswer } from './answer.ts'
import { DEFINITIONS, type ExposureKind } from './definitions.ts'

export interface ExposedFile {
  readonly kind: ExposureKind
  /** What it is, for a sentence. */
  readonly name: string
  readonly step: HttpStep
}

let read: readonly ExposedFile[] | null = null

/** Read once a process. @throws Error where a template is not whole or is of no kind that has a definition */
export const exposedFiles = (): readonly ExposedFile[] => {
  read ??= shippedTemplates('exposure').flatMap(({ id, steps }) => {
    if (!isKind(id)) throw new Error(`catalogue/exposure: no finding is called exposure/${id}`)
    return steps.map((step) => ({ kind: id, name: step.id ?? '', step }))
  })
  return read
}

const isKind = (id: string): id is ExposureKind => Object.hasOwn(DEFINITIONS, id)

/** Of a stored run: null where no file is called so any more. */
export const fileCalled = (kind: ExposureKind, name: string): ExposedFile | null =>
  exposedFiles().find((file) => file.kind === kind && file.name === name) ?? null

/** The decisive part of the text, '' where bytes decide; null where the answer is something else. */
export const proofOf = ({ step }: ExposedFile, { status, type, text, hex }: FileAnswer): string | null =>
  proofIn(step.operators, {
    status_code: status,
    content_type: type,
    body: bytesOfText(text),
    first_bytes: Buffer.from(hex, 'hex').toString('latin1'),
  })

/** Addresses of the file in a folder of the site; what the site has once alone is asked for in its root (`{{RootURL}}`). */
export const urlsOf = ({ step }: ExposedFile, folder: URL, host: string): readonly string[] =>
  step.paths
    .filter((path) => folder.pathname === '/' || !path.startsWith('{{RootURL}}'))
    .map((path) => {
      const values = { RootURL: folder.origin, BaseURL: folder.href.replace(/\/$/, ''), Host: host }
      return new URL(filledWith(path, values)).href
    })
