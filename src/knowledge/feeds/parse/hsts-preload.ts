/**
 * The names that browsers ask over https from the first visit on: Chromium's transport_security_state_static.json, JSON with
 * comments of whole lines, `{entries: [{name, mode: "force-https", include_subdomains}]}`. Other browsers take theirs from it.
 */
import { z } from 'zod'
import { parseJson } from '../files.ts'
import type { Item, OpenFeed } from '../items.ts'
import { checked } from './checked.ts'

const Entry = z.object({
  name: z.string().min(1).max(253),
  mode: z.string().optional(),
  include_subdomains: z.boolean().default(false),
})
const List = z.object({ entries: z.array(z.unknown()).min(1) })

/** What the list says of a name. */
export interface Preloaded {
  readonly subdomains: boolean
}

export function* parseHstsPreload(text: string, file: string): Generator<Item> {
  const plain = text.replace(/^[ \t]*\/\/.*$/gm, '')
  for (const [index, one] of checked(List, parseJson(plain, file), file, null).entries.entries()) {
    const { name, mode, include_subdomains } = checked(Entry, one, file, `entry ${index + 1}`)
    const value: Preloaded = { subdomains: include_subdomains }
    // Entries without a mode pin keys and nothing more.
    if (mode === 'force-https') yield { key: name.toLowerCase(), value }
  }
}

/** The entry by which browsers know the host: its own, or that of a name above it with all below. */
export const preloadEntry = (feed: OpenFeed, host: string): string | null => {
  const labels = host.toLowerCase().split('.')
  for (const at of labels.keys()) {
    const name = labels.slice(at).join('.')
    const found = feed.get(name) as Preloaded | null
    if (found !== null && (at === 0 || found.subdomains)) return name
  }
  return null
}
