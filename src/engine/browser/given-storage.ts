import type { StorageOffers, StoredItem } from '../../sign-in/page-storage.ts'

/** What the script that gives pages their storage is told. */
export interface GivenStorage {
  /** Of the site, as the credentials of the run may go to them. */
  readonly origins: readonly string[]
  readonly items: readonly StoredItem[]
  /** Values of sessions that are over, by which it is known that a page holds one of them. */
  readonly over: readonly string[]
  readonly offers: StorageOffers
}
