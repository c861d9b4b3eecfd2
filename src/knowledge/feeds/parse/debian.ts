/** Debian's tracker: https://security-tracker.debian.org/tracker/data/json. Keys are `package CVE`. */
import { z } from 'zod'
import type { Item } from '../items.ts'
import { checked } from './checked.ts'

const Release = z.object({ status: z.string(), fixed_version: z.string().optional() })
const File = z.record(z.string(), z.record(z.string(), z.unknown()))
const Entry = z.object({ releases: z.record(z.string(), Release).default({}) })

/** `fixed` is '0' where the release was never affected. @throws FeedError */
export function* parseDebian(value: unknown, file: string): Generator<Item> {
  for (const [name, cves] of Object.entries(checked(File, value, file, null))) {
    for (const [id, one] of Object.entries(cves)) {
      if (!id.startsWith('CVE-')) continue
      const { releases } = checked(Entry, one, file, `${name} ${id}`)
      const status = Object.entries(releases).map(([release, { status: state, fixed_version: fixed }]) => [
        release,
        { status: state === 'open' || state === 'resolved' ? state : 'undetermined', fixed: fixed ?? null },
      ])
      yield { key: `${name} ${id}`, value: Object.fromEntries(status) }
    }
  }
}

/** https://www.debian.org/releases/ */
export const DEBIAN_RELEASES: Readonly<Record<string, string>> = {
  '9': 'stretch',
  '10': 'buster',
  '11': 'bullseye',
  '12': 'bookworm',
  '13': 'trixie',
}
