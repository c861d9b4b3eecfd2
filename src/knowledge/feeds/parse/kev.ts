/** CISA's catalogue: https://www.cisa.gov/known-exploited-vulnerabilities-catalog, CC0. Keys are CVE numbers. */
import { z } from 'zod'
import type { Item, OpenFeed } from '../items.ts'
import { checked } from './checked.ts'

const File = z.object({ vulnerabilities: z.array(z.unknown()) })
const Entry = z.object({
  cveID: z.string().regex(/^CVE-\d{4}-\d{4,}$/),
  dateAdded: z.iso.date(),
  knownRansomwareCampaignUse: z.string().default('Unknown'),
})

export interface Exploited {
  readonly date_added: string
  readonly ransomware: boolean
}

export function* parseKev(value: unknown, file: string): Generator<Item> {
  for (const [index, one] of checked(File, value, file, null).vulnerabilities.entries()) {
    const { cveID, dateAdded, knownRansomwareCampaignUse } = checked(Entry, one, file, `entry ${index + 1}`)
    const item: Exploited = { date_added: dateAdded, ransomware: knownRansomwareCampaignUse === 'Known' }
    yield { key: cveID, value: item }
  }
}

/** Written by `parseKev`, so not checked again. */
export const exploitedOf = (feed: OpenFeed, id: string): Exploited | null => feed.get(id) as Exploited | null
