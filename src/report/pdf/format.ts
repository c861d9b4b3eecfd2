/**
 * Reading the packages is half of what TeX does for a report. They are the same for all, so TeX reads them once for this process and dumps
 * what it then knows (a format, The TeXbook, chapter 23). Each report works on a copy of its own: nothing it does to it is there for the next.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { temporaryFolder } from '../../temporary/temporary.ts'
import { PdfError } from './errors.ts'
import { runConfined } from './sandbox.ts'
import type { SandboxTier } from './tiers.ts'

/** Its name, without the ending `.fmt`. */
export const FORMAT = 'packages'

export interface TexPlace {
  readonly path: string | undefined
  readonly tier: SandboxTier | undefined
}

/** XeTeX needs 230 MB for a large report; address space also counts the mapped CJK fonts. */
export const MAX_MEMORY_BYTES = 3 * 1024 ** 3
/** Unpacked it has some 32 MB, most of it LaTeX itself. */
const MAX_FORMAT_BYTES = 128 * 1024 ** 2
const SECONDS = 60
const unpacked = promisify(gunzip)

/** By what it was made with and of; null where TeX made none. */
const made = new Map<string, Promise<string | null>>()

/** Puts a format of these packages into the folder. False where TeX makes none: then the document has to name them itself. */
export const putFormat = async (folder: string, packages: string, place: TexPlace): Promise<boolean> => {
  for (let turn = 0; turn < 2; turn += 1) {
    const file = await formatOf(packages, place)
    if (file === null) return false
    try {
      await copyFile(file, join(folder, `${FORMAT}.fmt`))
      return true
    } catch (error) {
      // Temporary folders go when a service closes, and processes may start another.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await forgetFormat(packages, place)
    }
  }
  return false
}

/** TeX has become another one meanwhile: the next report has one made anew. */
export const forgetFormat = async (packages: string, place: TexPlace): Promise<void> => {
  const key = keyOf(packages, place)
  const file = await made.get(key)
  made.delete(key)
  if (file) await rm(dirname(file), { recursive: true, force: true })
}

const keyOf = (packages: string, { path = process.env.PATH ?? '', tier }: TexPlace): string =>
  JSON.stringify([packages, path, tier?.kind ?? null])

const formatOf = (packages: string, place: TexPlace): Promise<string | null> => {
  const key = keyOf(packages, place)
  const making = made.get(key) ?? make(packages, place)
  made.set(key, making)
  return making
}

/** For whoever comes first and all who wait with it, so with a time of its own. */
const make = async (packages: string, { path, tier }: TexPlace): Promise<string | null> => {
  const kept = await temporaryFolder('format')
  // Of its own within, as it may be handed over to another user.
  const folder = join(kept, 'made')
  try {
    await mkdir(folder)
    await writeFile(join(folder, `${FORMAT}.tex`), `${STAND_IN}\n${packages}\n${WITHOUT_STAND_IN}\n\\dump\n`)
    const { code } = await runConfined('xelatex', ['-ini', ...ARGUMENTS, '&xelatex', `${FORMAT}.tex`], {
      folder,
      seconds: SECONDS,
      memoryBytes: MAX_MEMORY_BYTES,
      fileBytes: MAX_FORMAT_BYTES,
      environment: ENVIRONMENT,
      path,
      tier,
    })
    if (code !== 0) return null
    const file = join(kept, `${FORMAT}.fmt`)
    // TeX takes it unpacked as well, and need not unpack it for each pass of each report.
    const dumped = await readFile(join(folder, `${FORMAT}.fmt`))
    await writeFile(file, await unpacked(dumped, { maxOutputLength: MAX_FORMAT_BYTES }))
    return file
  } catch (error) {
    // What is missing is told by the report that misses it.
    if (error instanceof PdfError) return null
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * XeTeX dumps no OpenType font, and LaTeX selects one before the document has set its own: while the packages are read, one of TeX's old
 * fonts stands in its place. Afterwards nothing is known of that family, as before.
 */
const SHAPES = [
  ['m', 'cmr10'],
  ['bx', 'cmbx10'],
] as const
const STAND_IN = [
  String.raw`\DeclareFontFamily{TU}{lmr}{}`,
  ...SHAPES.map(([series, font]) => `\\DeclareFontShape{TU}{lmr}{${series}}{n}{<->${font}}{}`),
].join('\n')
const WITHOUT_STAND_IN = ['TU+lmr', ...SHAPES.flatMap(([series]) => [`TU/lmr/${series}/n`, `TU/lmr/${series}/n/10`])]
  .map((name) => `\\expandafter\\let\\csname ${name}\\endcsname\\undefined`)
  .join('\n')

export const ARGUMENTS = ['-no-shell-escape', '-halt-on-error', '-interaction=nonstopmode', '-file-line-error']

/** Locks beside the sandbox, and the only ones against reading where it is of the last tier: no shell, no file outside the folder, no configuration of a user. */
export const ENVIRONMENT = {
  openin_any: 'p',
  openout_any: 'p',
  shell_escape: 'f',
  TEXMFHOME: '/nonexistent',
  TEXMFVAR: './texmf-var',
  TEXMFCONFIG: './texmf-config',
  TEXMFOUTPUT: '.',
  max_print_line: '1000',
}
