/** Reads the sources of this repository: which files there are, and what each imports. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const HOME = fileURLToPath(new URL('../..', import.meta.url))

export interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

export const filesIn = (folder: string): string[] =>
  readdirSync(join(HOME, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx|js|css)$/.test(entry.name))
    .map((entry) => relative(HOME, join(entry.parentPath, entry.name)))
    .filter((file) => !/node_modules|^web\/(?:dist|\.build)/.test(file))

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) || file.split(sep).includes('testing')
export const code = (file: string): string => readFileSync(join(HOME, file), 'utf8')
/** Comments out, so that prose cannot look like code. A string with `//` loses its end, which harms no rule here. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?<!:)\/\/.*$/gm, '')

const STATIC = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/g
export const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g
/** A worker thread or a child process is started from such an address. */
const ADDRESS = /new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\s*\)/g

export const importsOf = (file: string, text: string): readonly Import[] => {
  const body = withoutComments(text)
  const from = (specifier: string, typeOnly: boolean): Import => ({
    from: file,
    to: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
    typeOnly,
  })
  return [
    ...[...body.matchAll(STATIC)].map((match) => from(match[2] ?? '', match[1] !== undefined)),
    ...[...body.matchAll(DYNAMIC)].map((match) => from(match[1] ?? '', false)),
    ...[...body.matchAll(ADDRESS)].map((match) => from(match[1] ?? '', false)),
  ]
}
