/** Files of scripts that a page loads: their text, and the names by which what is in them may read an address. */
import type { Response } from 'playwright-core'
import { addressNamesIn, type CodeNames, type Distances, nearestOf } from './code-names.ts'
import { queryNamesIn, routeNamesIn } from './route-names.ts'

interface NamesOfFile {
  /** Parameters that a router in it reads. */
  readonly routed: readonly string[]
  readonly coded: Distances
  readonly queried: readonly string[]
}

/** By the address of a file of scripts: each is read once. */
export type FileNames = Map<string, Promise<NamesOfFile | null>>
const MOST_READ = 300

export const readScript = (response: Response, on: string, parts: string[], files: FileNames): void => {
  const { host, href } = new URL(response.url())
  if (host !== new URL(on).host || response.request().resourceType() !== 'script') return
  parts.push(href)
  if (!files.has(href) && files.size < MOST_READ)
    files.set(
      href,
      response.text().then(
        (code) => ({ routed: routeNamesIn(code), coded: addressNamesIn(code), queried: queryNamesIn(code) }),
        () => null, // Its page is gone, or the browser did not keep it.
      ),
    )
}

/** What a view alone reads comes in a file of its own, after those of all. `code`: what stands in the page itself. */
export const namesBy = async (
  parts: readonly string[],
  files: FileNames,
  code: string,
): Promise<{ readonly routed: readonly string[]; readonly coded: CodeNames; readonly queried: readonly string[] }> => {
  const read = await Promise.all(parts.toReversed().map((href) => files.get(href) ?? null))
  const known = read.filter((one) => one !== null)
  return {
    routed: [...new Set(known.flatMap(({ routed }) => routed))],
    coded: nearestOf([addressNamesIn(code), ...known.map(({ coded }) => coded)]),
    queried: [...new Set([...queryNamesIn(code), ...known.flatMap(({ queried }) => queried)])],
  }
}

const MOST_FILES = 12

export const keepScript = (response: Response, on: string, files: Promise<string>[]): void => {
  const own = new URL(response.url()).host === new URL(on).host
  if (own && files.length < MOST_FILES && response.request().resourceType() === 'script')
    files.push(response.text().catch(() => '')) // Its page is gone, or the browser did not keep it.
}
