/** Versions of the bundled data that judgements rest on, as findings.json and the report name them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ROOTS_VERSION } from './roots/roots.ts'

/** The version of an installed package: what ships data says no other date of it. */
const packageVersion = (name: string): string => {
  const require = createRequire(import.meta.url)
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'package.json'))
    if (manifest?.name === name && typeof manifest.version === 'string') return `${name} ${manifest.version}`
  }
  throw new Error(`${name} has no version`)
}

/** Null where a folder on the way up has none. */
const readManifest = (file: string): { name?: unknown; version?: unknown } | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** What comes with the product or its packages → version. Imported feeds are beside it, in feeds/. */
export const BUNDLED: Readonly<Record<string, string>> = {
  'root certificates': ROOTS_VERSION,
  'public suffix list': packageVersion('tldts'),
  'CSP bypasses': packageVersion('csp_evaluator'),
}
