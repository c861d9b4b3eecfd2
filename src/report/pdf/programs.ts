/** The programs that a report needs beside Node, and how to get them. */
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { PdfError } from './errors.ts'

const APT = 'apt-get install -y --no-install-recommends'
const TEX_PACKAGES =
  'texlive-xetex texlive-latex-recommended texlive-pictures texlive-fonts-recommended fonts-noto-core fonts-noto-cjk fonts-symbola fonts-dejavu-core'

export const INSTALL = {
  xelatex: `${APT} ${TEX_PACKAGES}`,
  bwrap: `${APT} bubblewrap`,
  prlimit: `${APT} util-linux`,
  setpriv: `${APT} util-linux`,
  unshare: `${APT} util-linux`,
  pdfinfo: `${APT} poppler-utils`,
  /** Draws the preview of the cover; of the same package. */
  pdftoppm: `${APT} poppler-utils`,
} as const

export type Program = keyof typeof INSTALL

export interface ProgramState {
  readonly program: Program
  readonly path: string | null
  readonly install: string
}

/** For `doctor` and the start-up line. */
export const reportPrograms = (path = process.env.PATH ?? ''): ProgramState[] =>
  (Object.keys(INSTALL) as Program[]).map((program) => ({
    program,
    path: findProgram(program, path),
    install: INSTALL[program],
  }))

/** @throws {PdfError} program_missing, naming the program and the command that installs it. */
export const requireProgram = (program: Program, path = process.env.PATH ?? ''): string => {
  const found = findProgram(program, path)
  if (found === null)
    throw new PdfError(
      'program_missing',
      `The PDF report needs ${program}, which is not installed. On Debian or Ubuntu: ${INSTALL[program]}`,
    )
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
