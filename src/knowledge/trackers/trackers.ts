/** All that is known of third parties, behind the interface that the privacy module asks. */
import { entityOf } from './entities.ts'
import { generalCookieOf } from './general-cookies.ts'
import { pixelOf } from './pixels.ts'
import type { CookieKnowledge, ListedRequest, Trackers } from './vendor.ts'
import { cookieOf, VENDORS_VERSION, vendorOf } from './vendors.ts'

export interface TrackerFeeds {
  /** The imported database of cookies; asked before the own table. */
  readonly cookieOf?: (name: string, host: string) => CookieKnowledge | null
  readonly listed?: (request: ListedRequest) => string | null
  readonly versions?: Readonly<Record<string, string>>
}

export const createTrackers = (feeds: TrackerFeeds = {}): Trackers => ({
  vendorOf,
  entityOf,
  cookieOf: (name, host) => feeds.cookieOf?.(name, host) ?? cookieOf(name, host) ?? generalCookieOf(name),
  listed: feeds.listed ?? (() => null),
  pixelOf,
  versions: { vendors: VENDORS_VERSION, ...feeds.versions },
})
