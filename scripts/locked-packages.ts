/**
 * What package-lock.json says that a machine needs. It is read before the packages can be relied on, so it imports none of them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One entry of `packages` in a lockfile of version 3, as far as it is read here. */
export interface Locked {
  readonly version?: string
  /** Of Subresource Integrity: `sha512-` and base64. */
  readonly integrity?: string
  readonly license?: string
  /** Only what is for development needs it. */
  readonly dev?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: string | readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
/** Place (`node_modules/a/node_modules/b`; the product itself is '') → entry. */
export type Packages = Readonly<Record<string, Locked>>

/** @throws Error where the folder has no lockfile */
export const lockedIn = (folder: string): Packages =>
  JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages

/** Lists as package.json has them: one word or several, `!` before what is excluded. */
const allows = (list: string | readonly string[] | undefined, value: string): boolean => {
  const words = [list ?? []].flat()
  if (words.includes(`!${value}`)) return false
  const wanted = words.filter((word) => !word.startsWith('!'))
  return wanted.length === 0 || wanted.includes('any') || wanted.includes(value)
}

/** The Node of the lockfile is one for glibc, so that nothing for another library is ever wanted. */
const fits = ({ os, cpu, libc }: Locked, processor: string): boolean =>
  allows(os, process.platform) && allows(cpu, processor) && allows(libc, 'glibc')

/** Where the package at `from` finds `name`: beside itself, or in a folder above; undefined where there is none. */
const placeOf = (packages: Packages, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const place = join(folder, 'node_modules', name)
    if (packages[place] !== undefined) return place
    if (folder === '') return undefined
  }
}

/**
 * Places that the package at `from` asks for itself and that fit this machine, or one with another processor (as Node names it); of the
 * product, also what is for development.
 */
export const askedBy = (packages: Packages, from: string, processor: string = process.arch): readonly string[] => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[from] ?? {}
  const names = [dependencies, from === '' ? devDependencies : {}, optionalDependencies, peerDependencies]
  return names
    .flatMap((each) => Object.keys(each ?? {}))
    .map((name) => placeOf(packages, from, name))
    .filter((place) => place !== undefined)
    .filter((place) => fits(packages[place] ?? {}, processor))
}

/** These places, and every place that is reached from them through packages that fit this machine, or one with another processor. */
export const reachedFrom = (
  packages: Packages,
  places: readonly string[],
  processor: string = process.arch,
): ReadonlySet<string> => {
  const seen = new Set<string>()
  const open = [...places]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen.has(place)) continue
    seen.add(place)
    open.push(...askedBy(packages, place, processor))
  }
  return seen
}

/** Everything that the product reaches on this machine, what is for development included. */
export const neededHere = (packages: Packages): ReadonlySet<string> => reachedFrom(packages, askedBy(packages, ''))
