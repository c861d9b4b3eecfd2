/** `npm run build:scan`: bundles what each run starts anew; see built-scan.ts. Prints where it lies. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { scoredRatings } from '../engine/cvss.ts'
import { readBuiltIn } from '../knowledge/cve/built-in.ts'
import { allProducts } from '../knowledge/fingerprints/products.ts'
import { tableOf } from '../knowledge/fingerprints/table.ts'
import { RATINGS } from '../knowledge/ratings/ratings.ts'
import { rootNames } from '../knowledge/roots/roots.ts'
import { buildInto, ROOT } from './builds.ts'
import { DRIVER_FILES, DRIVER_FOLDER, driverText } from './built-driver.ts'
import { entitiesUnpacked } from './built-entities.ts'
import { PROGRAMS, START, scanFolder } from './built-scan.ts'
import { inAscii } from './one-byte.ts'

/** What has code or data of its own beside its JavaScript, or is loaded for a few runs only. */
const EXTERNAL = [
  'playwright-core',
  'quickjs-emscripten-core',
  '@jitl/quickjs-wasmfile-release-asyncify',
  '@resvg/resvg-js',
]

/** Files beside a source are found where they are: all built files lie in one folder, from which a source has one way. */
const addresses = (folder: string): Plugin => ({
  name: 'addresses',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: /import\.meta\.url/ },
    handler: (code, id) => {
      const source = JSON.stringify(relative(folder, id))
      return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null }
    },
  },
})

/**
 * An `import` of `node:http` reads each of its names, and behind `WebSocket` and its kin Node's client for the web is loaded, at once:
 * a seventh of a start, for what nothing here uses. Taken by `getBuiltinModule`, what nobody asks for is not read.
 */
const HTTP = 'node:http'
const httpAsAsked: Plugin = {
  name: 'http as asked',
  enforce: 'pre',
  resolveId: { filter: { id: /^(?:node:)?http$/ }, handler: () => `\0${HTTP}` },
  load: {
    filter: { id: /^\0node:http$/ },
    handler: () => {
      const properties = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(HTTP)))
      const names = properties.flatMap(([name, { get }]) => (get === undefined ? [name] : []))
      return `const http = process.getBuiltinModule('${HTTP}')
export default http
export const { ${names.join(', ')} } = http`
    },
  },
}

/** Folders of what is sent to a page or into the sandbox of a template. */
const SENT = /(?:^|\/)in-(?:page|sandbox)\/[^/]+(?<!\.test)\.ts$/

const TEXTS = 'sent-without-types.json'

/** In place of `modules/texts-of-build.ts`: reads them from a file beside, when the first is asked for. */
const sentWithoutTypes: Plugin = {
  name: 'sent without types',
  enforce: 'pre',
  load: {
    filter: { id: /\/src\/modules\/texts-of-build\.ts$/ },
    handler() {
      const sources = join(ROOT, 'src')
      const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => SENT.test(file))
      const texts = files.sort().map((file) => [file, stripTypeScriptTypes(readFileSync(join(sources, file), 'utf8'))])
      this.emitFile({ type: 'asset', fileName: TEXTS, source: JSON.stringify(texts) })
      // The address becomes the source's (`addresses`), the folder stays the build's.
      return `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
export const textsOfBuild = () => {
  const texts = JSON.parse(readFileSync(join(import.meta.dirname, '${TEXTS}'), 'utf8'))
  return new Map(texts.map(([file, text]) => [new URL(\`../\${file}\`, import.meta.url).href, text]))
}`
    },
  },
}

/**
 * Schemas are made when their file is loaded, and a scan asks for one in ten. Marked as made without any effect, those that nobody
 * asks for are left out of the build.
 */
const schemasAsAsked: Plugin = {
  name: 'schemas as asked',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/contract\/[\w-]+\.ts$/ },
    handler(code) {
      const made = this.parse(code).body.flatMap((statement) => {
        const said = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        return said?.type === 'VariableDeclaration' ? said.declarations.flatMap(({ init }) => init ?? []) : []
      })
      let marked = code
      for (const { start, end } of made.toReversed())
        marked = `${marked.slice(0, start)}/* @__PURE__ */ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`
      return { code: marked, map: null }
    },
  },
}

const oneByte: Plugin = {
  name: 'one byte a character',
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = inAscii(file.code, this.parse(file.code))
  },
}

/** In place of `knowledge/tables-of-build.ts`: reads them from files beside. */
const tablesRead: Plugin = {
  name: 'tables read',
  enforce: 'pre',
  load: {
    filter: { id: /\/src\/knowledge\/tables-of-build\.ts$/ },
    handler() {
      const tables = {
        products: tableOf(allProducts()),
        cve: readBuiltIn(),
        ratings: scoredRatings(RATINGS),
        roots: rootNames(),
      }
      for (const [name, table] of Object.entries(tables))
        this.emitFile({ type: 'asset', fileName: `${name}.table.json`, source: JSON.stringify(table) })
      return `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
export const tableOfBuild = (name) => JSON.parse(readFileSync(join(import.meta.dirname, \`\${name}.table.json\`), 'utf8'))`
    },
  },
}

/** In place of `engine/cvss-calculator.ts`: it is loaded when the first score is asked for that stands in no table. */
const calculatorAsAsked: Plugin = {
  name: 'calculator as asked',
  enforce: 'pre',
  load: {
    filter: { id: /\/src\/engine\/cvss-calculator\.ts$/ },
    handler: () => "export const cvssCalculator = () => require('ae-cvss-calculator')",
  },
}

/** The driver of browsers, as a scan asks for it: beside the files of the build, taken in place of its own by the file that is started. */
const driverAsAsked: Plugin = {
  name: 'driver as asked',
  generateBundle() {
    for (const fileName of DRIVER_FILES)
      this.emitFile({
        type: 'asset',
        fileName,
        source: driverText(readFileSync(join(DRIVER_FOLDER, fileName), 'utf8')),
      })
  },
}

/** The file that is started: it loads the others. */
const startFiles: Plugin = {
  name: 'start files',
  generateBundle() {
    for (const [fileName, file] of Object.entries(START))
      this.emitFile({
        ...{ type: 'asset', fileName },
        source: stripTypeScriptTypes(readFileSync(join(ROOT, file), 'utf8')),
      })
  },
}

const folder = scanFolder()

await buildInto(folder, async (making) => {
  const { build } = await import('vite')
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [
      ...[oneByte, schemasAsAsked, tablesRead, calculatorAsAsked, startFiles, driverAsAsked, sentWithoutTypes],
      ...[entitiesUnpacked, addresses(folder), httpAsAsked],
    ],
    // A linked node_modules gives the same files as one that lies here.
    resolve: { preserveSymlinks: true },
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      emitAssets: true,
      outDir: making,
      target: 'node24',
      minify: false,
      // Beside each file, and not named in it: Node would read it. See modules/mapped-stacks.ts.
      sourcemap: 'hidden',
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, source]) => [name, join(ROOT, source)])),
        output: {
          ...{
            format: 'cjs',
            banner: "'use strict';",
            entryFileNames: '[name].cjs',
            chunkFileNames: '[name]-[hash].cjs',
          },
          comments: false,
          sourcemapExcludeSources: true,
        },
      },
    },
  })
})
process.stdout.write(`${folder}\n`)
