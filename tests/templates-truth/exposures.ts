/**
 * Files and interfaces that lie open, named by the template of the catalogue. The mended twin is the one that deceives most: an
 * application that answers every address with its start page and 200.
 */
import { OPEN_FILES } from './open-files.ts'
import { OPEN_INTERFACES } from './open-interfaces.ts'
import { html, type Product, type Truth } from './products.ts'

const start: Product = () => html('<div id="app">Welcome to the shop</div><script src="/app.js"></script>')

export const EXPOSURES: readonly Truth[] = [...OPEN_FILES, ...OPEN_INTERFACES].map(([id, paths, reply]) => ({
  id,
  product: 'a site that leaves it open',
  vulnerable: ({ raw }) => (paths.split(' ').some((path) => raw === path || raw.split('?')[0] === path) ? reply : null),
  patched: start,
}))
