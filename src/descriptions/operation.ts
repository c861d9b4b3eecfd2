/** What reading a description gives, and its bounds. */

import type { Operation } from '../contract/described.ts'
import { wordsApart } from '../page/names.ts'

/** What cannot be asked, and why. */
export interface Refusal {
  /** `GET /orders/{id}`, the name of a request, or of a file. */
  readonly where: string
  /** From 1; null where the format has none, or nobody knows it. */
  readonly line: number | null
  /** A few words, which refusals of one cause share. */
  readonly reason: string
}

/** Something of the description that is neither kept nor sent: a credential above all. */
export interface LeftOut {
  readonly where: string
  readonly reason: string
}

export interface Description {
  /** For example "OpenAPI 3.0.3". */
  readonly kind: string
  readonly title: string
  /** How many operations it describes, those refused included. */
  readonly described: number
  readonly operations: readonly Operation[]
  readonly refused: readonly Refusal[]
  readonly leftOut: readonly LeftOut[]
}

/** One file of a description. */
export interface SourceFile {
  /** With the folders of its archive, separated by slashes. */
  readonly name: string
  readonly text: string
}

/** What the reader of one format is told beside the files. */
export interface ReadOptions {
  /** Where the interface is served, for formats that do not say so. */
  readonly path: string | null
  /** The host of the site, by which the right one of several servers is known; null where there is none. */
  readonly host: string | null
  /** Address by which the description was found; null where a person has brought it. */
  readonly foundAt: string | null
}

/** Operations that are read of one description. */
export const MOST_OPERATIONS = 5_000
/** Bytes of a description, unpacked. */
export const MOST_BYTES = 20 * 1024 * 1024
export const MOST_PARAMETERS = 60

/** The text is no description that can be read at all. The message is a sentence for a person. */
export class Unreadable extends Error {
  /** From 1; null where nobody knows it. */
  readonly line: number | null

  constructor(message: string, line: number | null = null) {
    super(message)
    this.name = 'Unreadable'
    this.line = line
  }
}

/** Of a name as programs write it, words: deleteOrder, delete_order. */
export const wordsOf = (name: string): string => wordsApart(name).replace(/[_-]+/g, ' ').slice(0, 200)
