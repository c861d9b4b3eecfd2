/** The Debian package: its tree, its control files, and dpkg-deb. Sources: Debian Policy 4, deb(5), deb-control(5). */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../builds.ts'
import { PROGRAMS } from '../programs.ts'
import { READ_ELSEWHERE, settingList } from '../settings.ts'
import { checksums, filesOf, layOut, type Source, sizeOf, type Tree } from './tree.ts'

const DEBIAN = join(ROOT, 'deploy/debian')
const HOME = 'usr/lib/sonde'
const SETTINGS_FILE = 'etc/sonde/sonde.env'
/** Names of processors: Node's → dpkg's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Version and processor as dpkg writes them. `1.0.0-rc.1` sorts before `1.0.0`; the revision counts packages of one version. */
export const debianVersion = (version: string, revision: number): string =>
  `${version.replace('-', '~').replaceAll('-', '.')}-${revision}`

export const hasPackage = (processor: string): boolean => Object.hasOwn(ARCHITECTURES, processor)

/** @throws Error on a processor for which there is no Node */
export const architecture = (processor: string): string => {
  const name = ARCHITECTURES[processor]
  if (name === undefined) throw new Error(`There is no package for ${processor}`)
  return name
}

/** What of the product's folders goes along: no tests. The builds are named by the hash of all of this. */
const PRODUCT: readonly (readonly [folder: string, wanted: (path: string) => boolean])[] = [
  ['src', (path) => !path.endsWith('.test.ts')],
  ['web', (path) => !/^(?:dist|node_modules)$/.test(path)],
  ['migrations', () => true],
  ['catalogue', () => true],
]
const FILES = ['package.json', 'package-lock.json', 'scripts/start-node.sh'] as const

export interface Parts {
  /** Folders of the present builds, below the product's own. */
  readonly builds: readonly string[]
  /** Files of npm packages, by their path below `node_modules`' folder. */
  readonly packages: Tree
  /** Text of the notices and of the bill of materials. */
  readonly notices: string
  readonly sbom: string
}

/** All files of the package below the root of a system. */
export const debianTree = ({ builds, packages, notices, sbom }: Parts): Tree => ({
  ...Object.assign(
    {},
    ...PRODUCT.map(([folder, wanted]) => filesOf(join(ROOT, folder), join(HOME, folder), wanted)),
    ...builds.map((folder) => filesOf(join(ROOT, folder), join(HOME, folder))),
  ),
  ...Object.fromEntries(Object.entries(packages).map(([path, source]) => [join(HOME, path), source])),
  ...Object.fromEntries(FILES.map((file) => [join(HOME, file), { from: join(ROOT, file) }])),
  // Before /etc/sonde/sonde.env, which may say otherwise.
  [join(HOME, 'package.env')]: { text: 'SONDE_DATA=/var/lib/sonde\n', mode: 0o644 },
  'usr/bin/sonde': { from: join(DEBIAN, 'sonde') },
  ...Object.fromEntries(
    ['sonde.service', 'sonde-worker@.service', 'sonde-agent.service'].map((unit) => [unitPath(unit), unitText(unit)]),
  ),
  [SETTINGS_FILE]: { text: settingsText(), mode: 0o640 },
  ...documents(notices, sbom),
})

const unitPath = (unit: string): string => join('usr/lib/systemd/system', unit)
const textOf = (name: string): string => readFileSync(join(DEBIAN, name), 'utf8')
const unitText = (unit: string): Source => ({ text: `${textOf(unit)}\n${textOf('confinement.conf')}`, mode: 0o644 })

const documents = (notices: string, sbom: string): Tree =>
  Object.fromEntries(
    Object.entries<Source>({
      copyright: { text: COPYRIGHT, mode: 0o644 },
      'THIRD-PARTY-NOTICES': { text: notices, mode: 0o644 },
      'sbom.cdx.json': { text: sbom, mode: 0o644 },
      'operations.md': { from: join(ROOT, 'docs/operations.md') },
      'api.md': { from: join(ROOT, 'docs/api.md') },
      'CHANGELOG.md': { from: join(ROOT, 'CHANGELOG.md') },
    }).map(([name, source]) => [join('usr/share/doc/sonde', name), source]),
  )

const COPYRIGHT = `Sonde, its own code: all rights reserved.

The programs and libraries of others that lie beside it, Node among them, have licences of their own. They stand, with the texts
that they ask to be passed on, in THIRD-PARTY-NOTICES; sbom.cdx.json lists them.
`

/** Of a service: what a user's program reads would only mislead there. */
const OF_USERS = ['SONDE_URL', 'SONDE_API_KEY', 'SONDE_AUTH_COOKIE', 'SONDE_AUTH_HEADER', 'NO_COLOR']

/** Every setting, commented out, with what it means and what holds without it. */
const settingsText = (): string => {
  const known = settingList().map(({ variable, help, shown }) => ({ variable, help: `${help}. Default: ${shown}` }))
  const others = Object.entries(READ_ELSEWHERE).map(([variable, help]) => ({ variable, help }))
  const lines = [...known, ...others]
    .filter(({ variable }) => !OF_USERS.includes(variable))
    .map(({ variable, help }) => `# ${help.replaceAll('`', '')}\n#${variable}=\n`)
  return `${SETTINGS_HEAD}\n${lines.join('\n')}`
}
const SETTINGS_HEAD = `# Settings of Sonde: of the service, of workers, and of what root does with the program sonde. After a change:
#   systemctl restart sonde        (and sonde-worker@… where there are any)
# One a line, NAME=value; a value with # or spaces at its ends stands in quotes. Upgrades keep this file. Root and the user sonde
# alone may read it: addresses of databases hold passwords.
`

/** Programs that make more of the product; without them it goes on and says what is missing. */
const recommended = (): readonly string[] => {
  const script = '. "$0"; echo $REPORT_PACKAGES $BROWSER_PACKAGES'
  const listed = execFileSync('bash', ['-c', script, join(ROOT, 'scripts/setup-debian.sh')], { encoding: 'utf8' })
  const names = listed.trim().split(/\s+/)
  const lost = PROGRAMS.flatMap((program) => program.packages).filter((name) => !names.includes(name))
  if (lost.length > 0) throw new Error(`scripts/setup-debian.sh lacks ${lost.join(', ')}`)
  return names
}

/** Who answers for a package that nobody has put their name to: the administrator of the machine that it is installed on. */
export const NOBODY_ELSE = 'Sonde packagers <root@localhost>'

/** A name and an address as the field Maintainer takes them (Debian Policy 5.6.2); a comma or a line break would begin something else. */
export const isMaintainer = (text: string): boolean => /^[^\s<>(),][^<>(),\p{Cc}]* <[^\s<>@,]+@[^\s<>@,]+>$/u.test(text)

export interface Label {
  /** As dpkg writes it. */
  readonly version: string
  /** Who answers for it, as `isMaintainer` takes it. */
  readonly maintainer: string
  /** Of the machine that it is installed on, as Node names it. */
  readonly processor: string
}

/** Of a package that nobody could start where it was made. */
const UNTRIED = ` .
 This package was put together on a machine with another processor and has not
 been tried on its own.
`

/** What deb-control(5) asks for; `Installed-Size` is in KiB. */
export const controlText = (tree: Tree, { version, maintainer, processor }: Label): string => {
  const kibibytes = Object.values(tree).reduce((sum, source) => sum + Math.ceil(sizeOf(source) / 1024), 0)
  return `Package: sonde
Version: ${version}
Architecture: ${architecture(processor)}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libstdc++6 (>= 9), libgcc-s1, ca-certificates, passwd, init-system-helpers
Recommends: ${recommended().join(', ')}
Suggests: postgresql, xz-utils
Section: net
Priority: optional
Description: security scan service that you host yourself
 Sonde looks at a domain as a browser would, or probes one that is proven yours,
 and leaves a report that can be handed to a client: a PDF, a findings file for
 machines, the log of every request it sent, and the evidence of each finding.
 .
 Interface, worker, database and web application come in one service; with
 PostgreSQL and S3 there may be any number of workers. Node is part of it.
${processor === process.arch ? '' : UNTRIED}`
}

/** Makes the package at `file` in the folder `making`, which is empty. `epoch`: seconds since 1970 that all files bear. */
export const buildDebian = (tree: Tree, label: Label, epoch: number, making: string, file: string): void => {
  const script = (name: string): Source => ({ from: join(DEBIAN, name) })
  const control: Tree = {
    control: { text: controlText(tree, label), mode: 0o644 },
    conffiles: { text: `/${SETTINGS_FILE}\n`, mode: 0o644 },
    md5sums: {
      text: checksums('md5', Object.fromEntries(Object.entries(tree).filter(([path]) => path !== SETTINGS_FILE))),
      mode: 0o644,
    },
    ...Object.fromEntries(['postinst', 'prerm', 'postrm'].map((name) => [name, script(name)])),
  }
  layOut(tree, making, epoch)
  layOut(control, join(making, 'DEBIAN'), epoch)
  // Of one thread: how many there are shows in what it compresses to.
  const words = ['--root-owner-group', '--threads-max=1', '-Zzstd', '-z12', '--build', making, file]
  execFileSync('dpkg-deb', words, { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) }, stdio: 'pipe' })
}
