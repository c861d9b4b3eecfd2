/**
 * `missing-packages.ts FOLDER`: prints the packages of its package-lock.json that this machine needs and that its
 * node_modules lacks, as `name@version`, one a line, and exits 1 if there are any. It runs before the packages can be
 * relied on, so it imports none of them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Locked {
  readonly version?: string
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: string | readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
type Packages = Readonly<Record<string, Locked>>

const FOLDER = process.argv[2] ?? '.'

/** Lists as package.json has them: one word or several, `!` before what is excluded. */
const allows = (list: string | readonly string[] | undefined, value: string): boolean => {
  const words = [list ?? []].flat()
  if (words.includes(`!${value}`)) return false
  const wanted = words.filter((word) => !word.startsWith('!'))
  return wanted.length === 0 || wanted.includes('any') || wanted.includes(value)
}

/** The Node of the lockfile is one for glibc, so that nothing for another library is ever wanted. */
const fits = ({ os, cpu, libc }: Locked): boolean =>
  allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, 'glibc')

/** Where the package at `from` finds `name`: beside itself, or in a folder above; undefined where there is none. */
const placeOf = (packages: Packages, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const place = join(folder, 'node_modules', name)
    if (packages[place] !== undefined) return place
    if (folder === '') return undefined
  }
}

/** Everything that the product reaches through packages that fit this machine. */
const needed = (packages: Packages): ReadonlySet<string> => {
  const seen = new Set<string>()
  const open = ['']
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[from] ?? {}
    const names = [dependencies, from === '' ? devDependencies : {}, optionalDependencies, peerDependencies]
    for (const name of names.flatMap((each) => Object.keys(each ?? {}))) {
      const place = placeOf(packages, from, name)
      if (place === undefined || seen.has(place) || !fits(packages[place] ?? {})) continue
      seen.add(place)
      open.push(place)
    }
  }
  return seen
}

const installedVersion = (place: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(join(FOLDER, place, 'package.json'), 'utf8')).version
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return undefined
  }
}

const { packages }: { packages: Packages } = JSON.parse(readFileSync(join(FOLDER, 'package-lock.json'), 'utf8'))
const missing = [...needed(packages)].filter((place) => installedVersion(place) !== packages[place]?.version)
for (const place of missing)
  process.stdout.write(`${place.slice(place.lastIndexOf('node_modules/') + 13)}@${packages[place]?.version}\n`)
process.exitCode = missing.length === 0 ? 0 : 1
