/**
 * `./run package`, `npm run package`: everything that others install, in dist/packages: the Debian package for this processor, the
 * tarballs of program and client, the bill of materials, the notices of others' licences, and the checksums of all; `--also arm64` puts
 * together the package for another processor beside it. The same sources make the same bytes; SOURCE_DATE_EPOCH, else the last commit, is
 * their time. Prints where each lies.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { lockedIn } from '../../../scripts/locked-packages.ts'
import { temporaryFolder } from '../../temporary/temporary.ts'
import { ROOT } from '../builds.ts'
import { scanFolder } from '../built-scan.ts'
import { PACKAGES } from '../packages.ts'
import { VERSION } from '../version.ts'
import { BUNDLED_LIST, webFolder } from '../web-app.ts'
import { architecture, buildDebian, debianTree, debianVersion, isMaintainer, NOBODY_ELSE } from './debian.ts'
import { fetchedPlaces } from './other-processor.ts'
import { renderSbom } from './sbom.ts'
import { noticesText } from './third-party.ts'
import { checksums, nodePackage, packageFiles, productPlaces } from './tree.ts'

const OUT = join(ROOT, 'dist/packages')

// What is thrown here is a sentence for whoever started it.
process.on('uncaughtException', ({ message, stack }) => {
  process.stderr.write(`sonde: ${process.env.SONDE_LOG_LEVEL === 'debug' ? stack : message}\n`)
  process.exit(1)
})

const { values } = parseArgs({
  options: {
    revision: { type: 'string', default: '1' },
    maintainer: { type: 'string', default: NOBODY_ELSE },
    also: { type: 'string', multiple: true, default: [] },
  },
})
const revision = Number(values.revision)
if (!Number.isInteger(revision) || revision < 1) throw new Error('--revision is a whole number from 1 on')
if (!isMaintainer(values.maintainer))
  throw new Error('--maintainer is a name and an address: "Ada Ruiz <ada@example.com>"')
/** This machine's first. */
const processors = [...new Set([process.arch, ...values.also])]
// Before anything is built: those for which there is no package are refused.
processors.forEach(architecture)

/** Prints of a builder where what it made lies. */
const runBuilder = (script: string, ...words: readonly string[]): string =>
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/main', script), ...words], {
    encoding: 'utf8',
  }).trim()

/** Seconds since 1970 of the sources. https://reproducible-builds.org/specs/source-date-epoch/ */
const sourceDate = (): number => {
  const text = process.env.SOURCE_DATE_EPOCH ?? lastCommit()
  if (!/^\d{1,11}$/.test(text)) throw new Error('SOURCE_DATE_EPOCH must be seconds since 1970')
  return Number(text)
}

const lastCommit = (): string => {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  throw new Error('the time of the last commit cannot be read: install git, or set SOURCE_DATE_EPOCH')
}

/** The builds are named by the Node that made them, and that version is installed on each processor. */
const requireOwnNode = (locked: string | undefined): void => {
  if (process.versions.node !== locked)
    throw new Error(`This is Node ${process.versions.node}; ./run package brings ${locked}`)
}

/** Puts a file in place whole. */
const put = (name: string, text: string): string => {
  const file = join(OUT, name)
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
  return file
}

const packages = lockedIn(ROOT)
for (const one of processors) requireOwnNode(packages[`node_modules/${nodePackage(one)}`]?.version)
const epoch = sourceDate()
const builds = ['build-scan.ts', 'build-web.ts'].map((builder) => relative(ROOT, runBuilder(builder)))

mkdirSync(OUT, { recursive: true })
const bundled = readFileSync(join(ROOT, builds[1] ?? '', BUNDLED_LIST), 'utf8')
  .split('\n')
  .filter(Boolean)
const version = debianVersion(VERSION, revision)

/** Makes the package for a processor, its bill of materials, and the notices of what is in it. @returns where they lie */
const packageFor = async (processor: string): Promise<readonly string[]> => {
  const debian = join(OUT, `sonde_${version}_${architecture(processor)}.deb`)
  const making = await temporaryFolder('package')
  const fetching = await temporaryFolder('fetched')
  try {
    const installed = productPlaces(packages, processor)
    const folderOf = fetchedPlaces(packages, installed, fetching)
    const sbom = renderSbom({ version: VERSION, packages, installed, bundled, epoch, processor, folderOf })
    const notices = noticesText(new Set([...installed, ...bundled]), folderOf)
    const tree = debianTree({ builds, packages: packageFiles(installed, '', folderOf), notices, sbom })
    // Installed sources that are not the built ones would start each scan from sources, and have no web application.
    if ([scanFolder(), webFolder()].some((folder) => !builds.includes(relative(ROOT, folder))))
      throw new Error('the sources changed meanwhile; start again')
    buildDebian(tree, { version, maintainer: values.maintainer, processor }, epoch, making, `${debian}.new`)
    renameSync(`${debian}.new`, debian)
    const suffix = processor === process.arch ? '' : `-${architecture(processor)}`
    const name = (what: string): string => `sonde-${VERSION}${suffix}${what}`
    return [debian, put(name('.cdx.json'), sbom), put(name('-THIRD-PARTY-NOTICES.txt'), notices)]
  } finally {
    rmSync(making, { recursive: true, force: true })
    rmSync(fetching, { recursive: true, force: true })
  }
}

const made: string[] = []
for (const processor of processors) made.push(...(await packageFor(processor)))
made.push(...Object.keys(PACKAGES).map((name) => runBuilder('pack.ts', name)))
const sums = checksums('sha256', Object.fromEntries(made.map((file) => [basename(file), { from: file }])))
for (const file of [...made, put('SHA256SUMS', sums)]) process.stdout.write(`${file}\n`)
