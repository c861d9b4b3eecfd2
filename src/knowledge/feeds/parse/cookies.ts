/** The Open Cookie Database: https://github.com/jkwakman/Open-Cookie-Database. Lists of entries by vendor. */
import { z } from 'zod'
import { COOKIE_CATEGORIES, type CookieEntry, nameKey, startKey } from '../../cookies.ts'
import type { Item } from '../items.ts'
import { checked, clipped } from './checked.ts'

const Vendors = z.record(z.string(), z.array(z.unknown()))
const Entry = z.object({
  category: z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(COOKIE_CATEGORIES)),
  cookie: z.string().trim().min(1),
  domain: z.string().default(''),
  description: z.string().default(''),
  retentionPeriod: z.string().default(''),
  wildcardMatch: z.union([z.enum(['0', '1']), z.literal(0), z.literal(1), z.boolean()]).default('0'),
})

/** Entries of one name are one item, in the order of the file. @throws FeedError */
export function* parseCookies(value: unknown, file: string): Generator<Item> {
  const entries = Object.entries(checked(Vendors, value, file, null)).flatMap(([vendor, list]) =>
    list.map((one, index) => keyed(checked(Entry, one, file, `${vendor}, entry ${index + 1}`), vendor)),
  )
  for (const [key, group] of Map.groupBy(entries, (one) => one.key)) yield { key, value: group.map((one) => one.entry) }
}

const keyed = (one: z.infer<typeof Entry>, vendor: string): { readonly key: string; readonly entry: CookieEntry } => {
  const starred = one.cookie.endsWith('*')
  const name = starred ? one.cookie.slice(0, -1) : one.cookie
  const starts = starred || one.wildcardMatch === '1' || one.wildcardMatch === 1 || one.wildcardMatch === true
  return {
    key: starts && name !== '' ? startKey(name) : nameKey(name),
    entry: {
      category: one.category,
      vendor,
      description: clipped(one.description, 300),
      retention: clipped(one.retentionPeriod, 60),
      domains: domainsOf(one.domain),
    },
  }
}

/** Out of `.bing.com (3rd party) or .microsoft.com (3rd party)`; a text without a name of a host limits nothing. */
const domainsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+/g) ?? []
