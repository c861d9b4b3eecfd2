/** Products of endoflife.date: Markdown files whose head is YAML. Keys are our product names in lower case. */
import { parse } from 'yaml'
import { z } from 'zod'
import type { Cycle } from '../../endoflife/cycles.ts'
import { FeedError } from '../feed.ts'
import type { Item, OpenFeed } from '../items.ts'
import { checked } from './checked.ts'

const When = z.union([z.boolean(), z.iso.date()])
const Head = z.object({
  title: z.string(),
  releases: z.array(z.object({ releaseCycle: z.coerce.string(), eol: When.optional() })),
})

/** Their titles, where ours are other ones. */
const NAMES: Readonly<Record<string, string>> = {
  'eclipse jetty': 'jetty',
  joomla: 'joomla',
  'joomla!': 'joomla',
  vue: 'vue.js',
  'umbraco cms': 'umbraco',
  confluence: 'atlassian confluence',
}

export function* parseEndOfLife(text: string, file: string): Generator<Item> {
  const [, head] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? []
  if (head === undefined) throw new FeedError(file, null, 'the YAML head is missing')
  let read: unknown
  try {
    read = parse(head, { schema: 'core', maxAliasCount: 0 })
  } catch (cause) {
    throw new FeedError(file, null, 'the head is no YAML', { cause })
  }
  const { title, releases } = checked(Head, read, file, null)
  const lower = title.toLowerCase()
  // `true` says that it has ended, but not when: without a day nothing is said.
  const cycles = releases.map(
    ({ releaseCycle, eol }): Cycle => ({
      cycle: releaseCycle,
      end: typeof eol === 'string' ? eol : null,
    }),
  )
  yield { key: NAMES[lower] ?? lower, value: cycles }
}

export const importedCycles = (feed: OpenFeed, product: string): readonly Cycle[] | null =>
  feed.get(product.toLowerCase()) as readonly Cycle[] | null
