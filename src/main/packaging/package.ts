/**
 * `./run package`: everything that others install, in dist/packages: the Debian package for this processor, the
 * tarballs of program and client, the bill of materials, the notices of others' licences, and the checksums of all; `--also arm64` puts
 * together the package for another processor beside it. The same sources make the same bytes; SOURCE_DATE_EPOCH, else the last commit, is
 * their time. Prints where each lies.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { lockedIn, type Packages } from '../../../scripts/locked-packages.ts'
import { temporaryFolder } from '../../temporary/temporary.ts'
import { ROOT } from '../builds.ts'
import { scanFolder } from '../built-scan.ts'
import { PACKAGES } from '../packages.ts'
import { VERSION } from '../version.ts'
import { BUNDLED_LIST, webFolder } from '../web-app.ts'
import {
  architecture,
  buildDebian,
  debianTree,
  debianVersion,
  hasPackage,
  isMaintainer,
  NOBODY_ELSE,
} from './debian.ts'
import { fetchedPlaces } from './other-processor.ts'
import { renderSbom } from './sbom.ts'
import { noticesText } from './third-party.ts'
import { checksums, nodePackage, packageFiles, productPlaces } from './tree.ts'

const OUT = join(ROOT, 'dist/packages')

/** What whoever asked can mend: told without a stack, exit code 3. */
class NotPossible extends Error {
  override readonly name = 'NotPossible'
}

interface Asked {
  readonly revision: number
  readonly maintainer: string
  /** As Node names them; this machine's first. */
  readonly processors: readonly string[]
}

/** @throws {NotPossible} */
const asked = (): Asked => {
  const { values } = parsed()
  const revision = Number(values.revision)
  if (!Number.isInteger(revision) || revision < 1) throw new NotPossible('--revision is a whole number from 1 on')
  if (!isMaintainer(values.maintainer))
    throw new NotPossible('--maintainer is a name and an address: "Ada Ruiz <ada@example.com>"')
  const processors = [...new Set([process.arch, ...values.also])]
  const unknown = processors.find((processor) => !hasPackage(processor))
  if (unknown !== undefined) throw new NotPossible(`There is no package for the processor ${unknown}`)
  return { revision, maintainer: values.maintainer, processors }
}

const parsed = () => {
  try {
    return parseArgs({
      options: {
        revision: { type: 'string', default: '1' },
        maintainer: { type: 'string', default: NOBODY_ELSE },
        also: { type: 'string', multiple: true, default: [] },
      },
    })
  } catch (cause) {
    throw new NotPossible(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Prints of a builder where what it made lies. */
const runBuilder = (script: string, ...words: readonly string[]): string =>
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/main', script), ...words], {
    encoding: 'utf8',
  }).trim()

/** Seconds since 1970 of the sources. https://reproducible-builds.org/specs/source-date-epoch/ @throws {NotPossible} */
const sourceDate = (): number => {
  const text = process.env.SOURCE_DATE_EPOCH ?? lastCommit()
  if (!/^\d{1,11}$/.test(text)) throw new NotPossible('SOURCE_DATE_EPOCH must be seconds since 1970')
  return Number(text)
}

/** Without git, or where the sources came without their history, the time has to be said. */
const lastCommit = (): string => {
  const { error, status, stdout, stderr } = spawnSync('git', ['log', '-1', '--format=%ct'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status === 0) return stdout.trim()
  const why = error ? 'git cannot be started' : (stderr.trim().split('\n')[0] ?? '')
  throw new NotPossible(`What is packed bears the time of the last commit, which git does not tell (${why}). Say it in seconds since 1970:
  SOURCE_DATE_EPOCH=$(date +%s) ./run package`)
}

/** @throws {NotPossible} */
const requirePacker = (): void => {
  if (spawnSync('dpkg-deb', ['--version']).status !== 0)
    throw new NotPossible('A Debian package is put together by dpkg-deb, which is not installed here: package dpkg')
}

/** The builds are named by the Node that made them, and that version is installed on each processor. */
const requireOwnNode = (locked: string | undefined): void => {
  if (process.versions.node !== locked)
    throw new NotPossible(`This is Node ${process.versions.node}; ./run package brings ${locked}`)
}

/** Puts a file in place whole. */
const put = (name: string, text: string): string => {
  const file = join(OUT, name)
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
  return file
}

/** What all packages of this call are made of. */
interface Making extends Asked {
  readonly packages: Packages
  readonly epoch: number
  /** Folders of the two builds, below the product's. */
  readonly builds: readonly string[]
  /** Packages of npm whose code is in the web application. */
  readonly bundled: readonly string[]
}

/** Makes the package for a processor, its bill of materials, and the notices of what is in it. @returns where they lie */
const packageFor = async (
  processor: string,
  { revision, maintainer, packages, epoch, builds, bundled }: Making,
): Promise<readonly string[]> => {
  const version = debianVersion(VERSION, revision)
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
      throw new NotPossible('The sources changed meanwhile; start again')
    buildDebian(tree, { version, maintainer, processor }, epoch, making, `${debian}.new`)
    renameSync(`${debian}.new`, debian)
    const suffix = processor === process.arch ? '' : `-${architecture(processor)}`
    const name = (what: string): string => `sonde-${VERSION}${suffix}${what}`
    return [debian, put(name('.cdx.json'), sbom), put(name('-THIRD-PARTY-NOTICES.txt'), notices)]
  } finally {
    rmSync(making, { recursive: true, force: true })
    rmSync(fetching, { recursive: true, force: true })
  }
}

/** What can be refused is refused before anything is built. @returns where all lies */
const makeAll = async (): Promise<readonly string[]> => {
  const wanted = asked()
  const packages = lockedIn(ROOT)
  for (const one of wanted.processors) requireOwnNode(packages[`node_modules/${nodePackage(one)}`]?.version)
  requirePacker()
  const epoch = sourceDate()
  const builds = ['build-scan.ts', 'build-web.ts'].map((builder) => relative(ROOT, runBuilder(builder)))
  mkdirSync(OUT, { recursive: true })
  const bundled = readFileSync(join(ROOT, builds[1] ?? '', BUNDLED_LIST), 'utf8')
    .split('\n')
    .filter(Boolean)
  const made: string[] = []
  for (const processor of wanted.processors)
    made.push(...(await packageFor(processor, { ...wanted, packages, epoch, builds, bundled })))
  made.push(...Object.keys(PACKAGES).map((name) => runBuilder('pack.ts', name)))
  const sums = checksums('sha256', Object.fromEntries(made.map((file) => [basename(file), { from: file }])))
  return [...made, put('SHA256SUMS', sums)]
}

try {
  for (const file of await makeAll()) process.stdout.write(`${file}\n`)
} catch (error) {
  if (!(error instanceof NotPossible)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 3
}
