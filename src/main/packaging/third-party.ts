/** Packages of others: which of them are in a bundle, and what their licences ask to be passed on. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { ROOT } from '../builds.ts'
import { type FolderOf, installedHere } from './tree.ts'

const MODULES = join(ROOT, 'node_modules')
/** A place as the lockfile names it: `node_modules/a`, `node_modules/a/node_modules/@b/c`. */
const PLACE = /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/

/** A plugin that notes the places, as the lockfile names them, of all packages whose code, fonts or pictures are in a build. */
export const noteBundled = (): { readonly plugin: Plugin; readonly places: ReadonlySet<string> } => {
  const places = new Set<string>()
  let built = ROOT
  const real = dirname(realpathSync(MODULES))
  const note = (id: string): void => {
    for (const root of [ROOT, real]) {
      const [place] = PLACE.exec(relative(root, id.replace(/^\0/, ''))) ?? []
      if (place !== undefined) places.add(place)
    }
  }
  const plugin: Plugin = {
    name: 'bundled-packages',
    configResolved: ({ root }) => {
      built = root
    },
    generateBundle: (_options, bundle) => {
      for (const made of Object.values(bundle)) {
        // Fonts and pictures have the names of their files, from the root that is built.
        const ids = made.type === 'chunk' ? made.moduleIds : made.originalFileNames.map((name) => resolve(built, name))
        ids.forEach(note)
      }
    },
  }
  return { plugin, places }
}

export interface Manifest {
  readonly name: string
  readonly version: string
  /** As its author wrote it: an expression of SPDX, most often. */
  readonly license: string
}

/** What the installed package at a place says of itself. @throws Error where it is not installed or says less */
export const manifestAt = (place: string, folderOf: FolderOf = installedHere): Manifest => {
  const { name, version, license }: Partial<Record<keyof Manifest, unknown>> = JSON.parse(
    readFileSync(join(folderOf(place), 'package.json'), 'utf8'),
  )
  if (typeof name !== 'string' || typeof version !== 'string' || typeof license !== 'string')
    throw new Error(`${place}/package.json lacks name, version or license`)
  return { name, version, license }
}

const LICENCE_FILE = /^(?:licen[sc]e|copying|notice)(?:[.-].*)?$/i

/** Texts of licence and notice that lie in the package, in the order of their names. */
const licenceTexts = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())

/** Name, version, licence and its text of each package, by name; a package without a text has the name of its licence. */
export const noticesText = (places: Iterable<string>, folderOf: FolderOf = installedHere): string => {
  const notices = [...places].map((place) => {
    const { name, version, license } = manifestAt(place, folderOf)
    const texts = licenceTexts(folderOf(place))
    return `${name} ${version} (${license})\n\n${texts.length === 0 ? license : texts.join('\n\n')}\n`
  })
  return [...new Set(notices)].toSorted().join(`\n${'-'.repeat(72)}\n\n`)
}
