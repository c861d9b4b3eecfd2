/** Files of a package: where each comes from, and how they are laid out so that the same sources make the same bytes. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { askedBy, type Packages, reachedFrom } from '../../../scripts/locked-packages.ts'
import { ROOT } from '../builds.ts'

/** One file: copied from an absolute path with its right to be executed, or written. */
export type Source = { readonly from: string } | { readonly text: string; readonly mode: number }
/** Path below the root of the system, without a slash in front → what lies there. */
export type Tree = Readonly<Record<string, Source>>

/** All files of a folder whose paths in it are wanted, below `to`. @throws Error upon what is neither file nor folder */
export const filesOf = (folder: string, to: string, wanted: (path: string) => boolean = () => true): Tree => {
  const found: Record<string, Source> = {}
  const walk = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = join(path, entry.name)
      if (!wanted(below)) continue
      if (entry.isDirectory()) walk(below)
      else if (entry.isFile()) found[join(to, below)] = { from: join(folder, below) }
      else throw new Error(`${join(folder, below)} is neither a file nor a folder`)
    }
  }
  walk('')
  return found
}

/** The npm package that brings Node to a processor, as Node names it. */
export const nodePackage = (processor: string): string => `node-linux-${processor}`
export const NODE_PACKAGE = nodePackage(process.arch)

/** Where the package at a place of the lockfile lies, an absolute folder. */
export type FolderOf = (place: string) => string
/** Those that are installed for this machine. */
export const installedHere: FolderOf = (place) => join(ROOT, place)

/** Places of all packages that the product needs while it runs on a processor, its Node included; sorted. */
export const productPlaces = (packages: Packages, processor: string = process.arch): readonly string[] => {
  const { dependencies = {} } = packages[''] ?? {}
  const wanted = new Set([...Object.keys(dependencies), nodePackage(processor)].map((name) => `node_modules/${name}`))
  const asked = askedBy(packages, '', processor).filter((place) => wanted.has(place))
  if (asked.length !== wanted.size) throw new Error('package-lock.json lacks packages that package.json names')
  // What is for development alone is reached where a package could work with it, and is not needed.
  return [...reachedFrom(packages, asked, processor)].filter((place) => packages[place]?.dev !== true).toSorted()
}

/** Of Node, the program and its licence: its headers are for who compiles. */
const NODE_FILES = /^(?:bin|bin\/node|LICENSE|package\.json)$/

export const packageFiles = (places: readonly string[], to: string, folderOf: FolderOf = installedHere): Tree =>
  Object.assign(
    {},
    ...places.map((place) =>
      filesOf(folderOf(place), join(to, place), (path) =>
        place.startsWith(`node_modules/${nodePackage('')}`) ? NODE_FILES.test(path) : path !== 'node_modules',
      ),
    ),
  )

/** Puts all files below `root`: owner's rights to write, everybody's to read, folders of 0755, and one time for all. */
export const layOut = (tree: Tree, root: string, epoch: number): void => {
  for (const [path, source] of Object.entries(tree)) {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    if ('text' in source) writeFileSync(target, source.text)
    else copyFileSync(source.from, target, constants.COPYFILE_FICLONE)
    const mode = 'text' in source ? source.mode : (statSync(source.from).mode & 0o111) === 0 ? 0o644 : 0o755
    chmodSync(target, mode)
  }
  settle(root, epoch)
}

const settle = (path: string, epoch: number): void => {
  const isFolder = statSync(path).isDirectory()
  if (isFolder) {
    for (const name of readdirSync(path)) settle(join(path, name), epoch)
    chmodSync(path, 0o755)
  }
  utimesSync(path, epoch, epoch)
}

export const sizeOf = (source: Source): number =>
  'text' in source ? Buffer.byteLength(source.text) : statSync(source.from).size

const bytesOf = (source: Source): Uint8Array =>
  'text' in source ? Buffer.from(source.text) : readFileSync(source.from)

/** The form that `md5sum -c` and `sha256sum -c` take: digest, two spaces, path; sorted by path. */
export const checksums = (algorithm: 'md5' | 'sha256', tree: Tree): string =>
  Object.entries(tree)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, source]) => `${createHash(algorithm).update(bytesOf(source)).digest('hex')}  ${path}\n`)
    .join('')
