/** Packages of the lockfile that are for another processor than this machine's, fetched as npm would and compared with their digests. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Packages } from '../../../scripts/locked-packages.ts'
import { ROOT } from '../builds.ts'
import { type FolderOf, installedHere } from './tree.ts'

const NPM = join(ROOT, 'node_modules/npm/bin/npm-cli.js')

/** @throws Error where the bytes are not those of a digest of Subresource Integrity, such as `sha512-` and base64 */
export const requireDigest = (bytes: Uint8Array, integrity: string | undefined, name: string): void => {
  const [, algorithm = '', digest = ''] = /^(sha(?:256|384|512))-([A-Za-z0-9+/=]+)$/.exec(integrity ?? '') ?? []
  if (algorithm === '') throw new Error(`package-lock.json has no digest of ${name}`)
  if (createHash(algorithm).update(bytes).digest('base64') !== digest)
    throw new Error(`${name} as it was fetched is not the one of package-lock.json`)
}

/** Fetches those of the places that are not installed here into `folder`, which is there. @returns where each lies */
export const fetchedPlaces = (packages: Packages, places: readonly string[], folder: string): FolderOf => {
  const fetched = new Map<string, string>()
  for (const place of places.filter((each) => !existsSync(join(installedHere(each), 'package.json')))) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const locked = packages[place]
    const into = join(folder, String(fetched.size))
    mkdirSync(into)
    const words = [
      'pack',
      `${name}@${locked?.version}`,
      '--ignore-scripts',
      '--loglevel=error',
      '--pack-destination',
      into,
    ]
    execFileSync(process.execPath, [NPM, ...words], { cwd: into, stdio: ['ignore', 'ignore', 'inherit'] })
    const [archive = ''] = readdirSync(into)
    requireDigest(readFileSync(join(into, archive)), locked?.integrity, name)
    execFileSync('tar', ['--no-same-owner', '-xzf', archive], { cwd: into })
    // npm's archives have one folder.
    fetched.set(place, join(into, 'package'))
  }
  return (place) => fetched.get(place) ?? installedHere(place)
}
