import type { Place as AnyPlace } from '../../src/modules/attack/crawl/facts.ts'

/** Where a page of the bed reads its value. */
export type Place = Exclude<AnyPlace, 'name' | 'own-name' | 'json-name' | 'body' | 'file-name' | 'file'>
