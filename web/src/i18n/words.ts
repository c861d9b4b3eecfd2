import type { EN } from './en.ts'

/** Name of a word of the interface. */
export type Key = keyof typeof EN
/** A whole dictionary. */
export type Words = Readonly<Record<Key, string>>
/** Words of a part of the page, in both languages. */
export type Room<Own extends string> = Readonly<Record<'en' | 'de', Readonly<Record<Own, string>>>>
