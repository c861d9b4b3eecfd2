/** The programs that a report needs beside Node. How to get them, `doctor` says. */
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { PdfError } from './errors.ts'

/** `pdftoppm` draws the preview of the cover. */
export type Program = 'xelatex' | 'bwrap' | 'prlimit' | 'setpriv' | 'unshare' | 'pdfinfo' | 'pdftoppm'

/** @throws {PdfError} program_missing, naming the program. */
export const requireProgram = (program: Program, path = process.env.PATH ?? ''): string => {
  const found = findProgram(program, path)
  if (found === null) throw new PdfError('program_missing', `The PDF report needs ${program}, which is not installed`)
  return found
}

/** Null where it is not installed. */
export const findProgram = (program: string, path = process.env.PATH ?? ''): string | null =>
  path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, program))
    .find(isExecutable) ?? null

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
