import type { EN } from './en.ts'

/** Name of a word of the interface. */
export type Key = keyof typeof EN
/** A whole dictionary. */
export type Words = Readonly<Record<Key, string>>
