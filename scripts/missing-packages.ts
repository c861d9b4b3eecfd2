/**
 * `missing-packages.ts FOLDER`: prints the packages of its package-lock.json that this machine needs and that its
 * node_modules lacks, as `name@version`, one a line, and exits 1 if there are any. It runs before the packages can be
 * relied on, so it imports none of them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedIn, neededHere } from './locked-packages.ts'

const FOLDER = process.argv[2] ?? '.'

const installedVersion = (place: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(join(FOLDER, place, 'package.json'), 'utf8')).version
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return undefined
  }
}

const packages = lockedIn(FOLDER)
const missing = [...neededHere(packages)].filter((place) => installedVersion(place) !== packages[place]?.version)
for (const place of missing)
  process.stdout.write(`${place.slice(place.lastIndexOf('node_modules/') + 13)}@${packages[place]?.version}\n`)
process.exitCode = missing.length === 0 ? 0 : 1
