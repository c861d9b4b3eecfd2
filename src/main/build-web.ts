/** `npm run build:web`: bundles the web application and packs its files for the wire. Prints where it lies. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { oldBuilds, WEB_SOURCES, webFolder } from './web-app.ts'

/** Smaller files, and those that are packed already, gain nothing. */
const PACKED = /\.(?:js|css|html|svg|txt|webmanifest)$/
const MIN_BYTES = 1_000

const main = async (): Promise<void> => {
  // React looks at it, and would bring its developer's half where a test set another.
  process.env.NODE_ENV = 'production'
  const folder = webFolder()
  const { build } = await import('vite')
  const making = mkdtempSync(join(WEB_SOURCES, '.build-'))
  try {
    const configFile = join(WEB_SOURCES, 'vite.config.ts')
    await build({ root: WEB_SOURCES, configFile, configLoader: 'native', logLevel: 'error', build: { outDir: making } })
    pack(making)
    for (const old of oldBuilds()) if (old !== folder) rmSync(old, { recursive: true, force: true })
    place(making, folder)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  process.stdout.write(`${folder}\n`)
}

const pack = (folder: string): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!PACKED.test(name)) continue
    const body = readFileSync(join(folder, name))
    if (body.length < MIN_BYTES) continue
    writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body, { params }))
  }
}

/** Whole or not at all; another process may have made the very same meanwhile. */
const place = (making: string, folder: string): void => {
  mkdirSync(dirname(folder), { recursive: true })
  try {
    renameSync(making, folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')))
      throw error
  }
}

await main()
