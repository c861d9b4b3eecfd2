/** `npm run build:web`: bundles the web application and packs its files for the wire. Prints where it lies. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildInto } from './builds.ts'
import { noteBundled } from './packaging/third-party.ts'
import { BUNDLED_LIST, WEB_SOURCES, webFolder } from './web-app.ts'

/** Smaller files, and those that are packed already, gain nothing. */
const PACKED = /\.(?:js|css|html|svg|txt|webmanifest)$/
const MIN_BYTES = 1_000

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

const folder = webFolder()

await buildInto(folder, async (making) => {
  // React looks at it, and would bring its developer's half where a test set another.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const configFile = join(WEB_SOURCES, 'vite.config.ts')
  const bundled = noteBundled()
  await build({
    root: WEB_SOURCES,
    configFile,
    configLoader: 'native',
    logLevel: 'error',
    plugins: [bundled.plugin],
    // A linked node_modules gives the same files as one that lies here.
    resolve: { preserveSymlinks: true },
    build: { outDir: making },
  })
  writeFileSync(join(making, BUNDLED_LIST), `${[...bundled.places].toSorted().join('\n')}\n`)
  pack(making)
})
process.stdout.write(`${folder}\n`)
