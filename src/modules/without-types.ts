/** A source without its types, as a browser takes it: line for line the same. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { textsOfBuild } from './texts-of-build.ts'

let texts: ReadonlyMap<string, string> | null = null

/** @throws Error where there is no such file, and for what is more than types */
export const withoutTypes = (file: URL): string => {
  texts ??= textsOfBuild()
  return texts.get(file.href) ?? stripTypeScriptTypes(readFileSync(file, 'utf8'))
}
