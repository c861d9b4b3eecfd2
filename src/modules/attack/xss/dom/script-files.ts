/** Files of scripts that a page loads: their text, and the names of parameters that routers in them read. */
import type { Response } from 'playwright-core'
import { routeNamesIn } from './route-names.ts'

/** Names that the files of a site's scripts read, by their addresses: each is read once. */
export type RouteNames = Map<string, Promise<readonly string[]>>
const MOST_READ = 300

export const readScript = (response: Response, on: string, parts: string[], routes: RouteNames): void => {
  const { host, href } = new URL(response.url())
  if (host !== new URL(on).host || response.request().resourceType() !== 'script') return
  parts.push(href)
  if (!routes.has(href) && routes.size < MOST_READ)
    routes.set(
      href,
      response.text().then(routeNamesIn, () => []),
    ) // Its page is gone, or the browser did not keep it.
}

/** What a view alone reads comes in a file of its own, after those of all. */
export const routedBy = async (parts: readonly string[], routes: RouteNames): Promise<readonly string[]> => {
  const names = await Promise.all(parts.toReversed().map((href) => routes.get(href) ?? []))
  return [...new Set(names.flat())]
}

const MOST_FILES = 12

export const keepScript = (response: Response, on: string, files: Promise<string>[]): void => {
  const own = new URL(response.url()).host === new URL(on).host
  if (own && files.length < MOST_FILES && response.request().resourceType() === 'script')
    files.push(response.text().catch(() => '')) // Its page is gone, or the browser did not keep it.
}
