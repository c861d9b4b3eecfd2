/** The repository of retire.js: https://github.com/RetireJS/retire.js. Keys are names of components in lower case. */
import { z } from 'zod'
import { inRange } from '../../versions/version.ts'
import type { Item, OpenFeed } from '../items.ts'
import { checked } from './checked.ts'

const Vulnerability = z.object({
  below: z.string().optional(),
  atOrAbove: z.string().optional(),
  /** Builds in the range that were fixed by their makers. */
  excludes: z.array(z.string()).default([]),
  severity: z.string(),
  identifiers: z.object({ CVE: z.array(z.string()).optional(), summary: z.string().optional() }).default({}),
  info: z.array(z.string()).default([]),
})
const Texts = z.array(z.string().max(2_000)).default([])
const Extractors = z.object({
  uri: Texts,
  filename: Texts,
  filecontent: Texts,
  filecontentreplace: Texts,
  func: Texts,
  hashes: z.record(z.string(), z.string()).default({}),
})
const Component = z.object({
  vulnerabilities: z.array(Vulnerability).default([]),
  extractors: Extractors.optional(),
})

/** How a component is known: patterns with `§§version§§` for the version, hashes, expressions for a running page. */
export type Extractors = z.infer<typeof Extractors>

type Stored = readonly z.infer<typeof Vulnerability>[]

export function* parseRetire(value: unknown, file: string): Generator<Item> {
  const components = checked(z.record(z.string(), z.unknown()), value, file, null)
  for (const [name, one] of Object.entries(components)) {
    const { vulnerabilities, extractors } = checked(Component, one, file, name)
    if (extractors !== undefined && name !== EXAMPLE)
      yield { key: `${EXTRACT}${name.toLowerCase()}`, value: extractors }
    if (vulnerabilities.length > 0) yield { key: name.toLowerCase(), value: vulnerabilities }
  }
}

/** The format's own example, which is no library. */
const EXAMPLE = 'retire-example'
const EXTRACT = 'extract '

/** By component, in lower case. */
export const extractorsOf = (feed: OpenFeed): ReadonlyMap<string, Extractors> =>
  new Map(feed.startingWith(EXTRACT).map(({ key, value }) => [key.slice(EXTRACT.length), value as Extractors]))

export interface Retired {
  readonly id: string
  readonly summary: string
  readonly severity: string
  readonly info: readonly string[]
  readonly below: string | null
  readonly atOrAbove: string | null
}

/** Whether its data hold anything on the component, in whatever version. */
export const isFollowed = (feed: OpenFeed, component: string): boolean => feed.get(component.toLowerCase()) !== null

/** CVEs of a component in a version; entries without a CVE number are left out. */
export const retiredOf = (feed: OpenFeed, component: string, version: string): readonly Retired[] => {
  const stored = (feed.get(component.toLowerCase()) ?? []) as Stored
  return stored.flatMap(({ below = null, atOrAbove = null, excludes = [], severity, identifiers, info }) => {
    const range = { start: atOrAbove, startIncluded: true, end: below, endIncluded: false }
    if (!inRange('generic', version, range) || excludes.includes(version)) return []
    const ids = (identifiers.CVE ?? []).filter((id) => /^CVE-\d{4}-\d{4,}$/.test(id))
    return ids.map((id) => ({ id, summary: identifiers.summary ?? '', severity, info, below, atOrAbove }))
  })
}
