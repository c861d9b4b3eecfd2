/**
 * `npm run pack:cli`, `npm run pack:client`: the tarball of what goes to other people's machines, without dependencies. The same
 * sources make the same bytes. Prints where it lies.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary/temporary.ts'
import { ROOT } from './builds.ts'
import { PACKAGES, type PackageName } from './packages.ts'
import { noteBundled, noticesText } from './packaging/third-party.ts'
import { VERSION } from './version.ts'

const NPM = join(ROOT, 'node_modules/npm/bin/npm-cli.js')
const OUT = join(ROOT, 'dist/packages')

const name = process.argv[2] as PackageName
const wanted = PACKAGES[name]
if (wanted === undefined) throw new Error(`Say which: ${Object.keys(PACKAGES).join(', ')}`)

const bundled = noteBundled()

const making = await temporaryFolder('pack')
try {
  const { build } = await import('vite')
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    define: { PACKED_VERSION: JSON.stringify(VERSION) },
    plugins: [...wanted.plugins, bundled.plugin],
    // A linked node_modules gives the same files as one that lies here.
    resolve: { preserveSymlinks: true },
    ssr: { noExternal: true, target: wanted.platform === 'node' ? 'node' : 'webworker' },
    build: {
      ssr: true,
      outDir: making,
      target: wanted.target,
      minify: false,
      rolldownOptions: {
        input: { [wanted.file]: join(ROOT, wanted.entry) },
        output: { entryFileNames: '[name].js', codeSplitting: false },
      },
    },
  })
  const files = {
    ...wanted.files(VERSION),
    ...(bundled.places.size === 0 ? {} : { 'THIRD-PARTY-NOTICES': noticesText(bundled.places) }),
  }
  for (const [file, content] of Object.entries(files)) writeFileSync(join(making, file), content)
  const manifest = { ...wanted.manifest, version: VERSION, license: 'UNLICENSED', type: 'module' }
  writeFileSync(join(making, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  if (wanted.platform === 'node') {
    const program = join(making, `${wanted.file}.js`)
    writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, 'utf8')}`)
    chmodSync(program, 0o755)
  }
  const packed = execFileSync(
    process.execPath,
    [NPM, 'pack', '--json', '--ignore-scripts', '--offline', '--loglevel=error'],
    {
      cwd: making,
      encoding: 'utf8',
    },
  )
  const tarball = readdirSync(making).find((each) => each.endsWith('.tgz'))
  if (tarball === undefined || !existsSync(join(making, tarball))) throw new Error(`npm packed nothing: ${packed}`)
  mkdirSync(OUT, { recursive: true })
  writeFileSync(join(OUT, `.${tarball}`), readFileSync(join(making, tarball)))
  renameSync(join(OUT, `.${tarball}`), join(OUT, tarball))
  process.stdout.write(`${join(OUT, tarball)}\n`)
} finally {
  rmSync(making, { recursive: true, force: true })
}
