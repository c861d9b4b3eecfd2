/** Where templates come from: those of the product, and the operator's catalogue. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFolderFeed } from '../../../knowledge/feeds/folders.ts'
import { type Catalogue, listReader, openCatalogue } from '../../../templates/language/catalogue.ts'
import { SHIPPED } from '../../../templates/language/shipped.ts'
import { ModuleEnding } from '../../endings.ts'
import type { CollectContext } from '../../module.ts'

/** Templates that the product brings along for this module. */
export const OWN_FOLDER = fileURLToPath(new URL('templates/', SHIPPED))

export interface Catalogues {
  readonly own: Catalogue | null
  readonly imported: { readonly catalogue: Catalogue; readonly version: string } | null
  readonly readList: (file: string) => readonly string[] | null
}

/** @throws ModuleEnding where the operator named a folder that cannot be read */
export const openCatalogues = (ctx: Pick<CollectContext, 'settings' | 'knowledge'>): Catalogues => {
  const cache = ctx.knowledge === undefined ? null : join(ctx.knowledge, 'template-plans')
  const named = ctx.settings?.templatesFolder
  // What the operator names goes before what was imported.
  const feed = named === undefined ? openFolderFeed(ctx.knowledge, 'templates') : null
  const folder = named ?? feed?.path ?? null
  const own = existsSync(OWN_FOLDER) ? openCatalogue(OWN_FOLDER, cache) : null
  const catalogue = folder === null ? null : opened(folder, cache)
  const readers = [own, catalogue].flatMap((one) => (one === null ? [] : [listReader(one.folder)]))
  return {
    own,
    imported: catalogue === null ? null : { catalogue, version: feed?.version ?? catalogue.hash.slice(0, 16) },
    readList: (file) => {
      for (const read of readers) {
        const lines = read(file)
        if (lines !== null) return lines
      }
      return null
    },
  }
}

const opened = (folder: string, cache: string | null): Catalogue => {
  try {
    return openCatalogue(folder, cache)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ModuleEnding('skipped', `the template catalogue cannot be read: ${message}`, { cause })
  }
}
