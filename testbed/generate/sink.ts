/** Where a value ends up: once careless, once careful, and how one shows that the careless one gives way. */
import type { DatabaseSync } from 'node:sqlite'
import type { Filter } from './filters.ts'

export interface Around {
  readonly database: DatabaseSync
  /** A folder with papers to show: `terms.txt` and others. */
  readonly folder: string
}

/** What a page says: a part of its document, or a whole answer where it is no document. */
export interface Said {
  readonly html: string
  /** Goes instead of a document. */
  readonly location?: string
  /** A header line as it goes on the wire, whatever it holds. */
  readonly line?: string
}

export interface Witness {
  /** Before the filter. */
  readonly send: string
  /** Part of what only the careless answer says: of its document, its Location or its header line. */
  readonly seen: string
}

export interface Sink {
  readonly name: string
  /** As `bench/beds/classes.ts` names it. */
  readonly class: string
  /** An ordinary value. */
  readonly value: string
  /** Others, which the page takes as well. */
  readonly others: readonly string[]
  /** It takes any text as it comes, a browser's name for example. */
  readonly free?: true
  /** Name of the input that such a page would have. */
  readonly input: string
  /** @throws where the value breaks it; the page says so or not. */
  readonly careless: (value: string, around: Around) => Promise<Said> | Said
  readonly careful: (value: string, around: Around) => Promise<Said> | Said
  /** Null where nothing gets through the filter: there is no flaw then. */
  readonly witness: (filter: Filter) => Witness | null
}

export const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`)
