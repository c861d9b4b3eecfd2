/** Titles of modules, for most pages; other rooms come with parts that are loaded by themselves, and would come along. */
import { MODULES as DE } from './de/modules.ts'
import { MODULES as EN } from './en/modules.ts'
import type { Room } from './words.ts'

export const MODULE_WORDS: Room<keyof typeof EN> = { en: EN, de: DE }
