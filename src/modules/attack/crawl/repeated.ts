/** Which requests take their turn behind the others. */
import { translationsAmong } from '../../../page/translations.ts'
import type { RequestTemplate } from './facts.ts'

/** So many pages, and this share of those that post, have a form before it counts as furniture; so many stand at the front. */
const FURNITURE = 10
const SHARE = 0.4
const IN_FRONT = 3
/**
 * A form that most pages send to themselves, a choice of languages, takes its turn behind what pages have of their own. So does what is the same
 * program in another language.
 */
export const apart = <One extends { readonly template: Pick<RequestTemplate, 'method' | 'url'> }>(
  entries: readonly One[],
  namesOf: (one: One) => readonly string[],
): { readonly first: readonly One[]; readonly repeated: readonly One[] } => {
  const posted = entries.filter(({ template }) => template.method !== 'GET')
  const all = new Set(posted.map(({ template }) => template.url)).size
  const alike = Map.groupBy(posted, (one) => JSON.stringify([one.template.method, ...namesOf(one)]))
  const repeated = new Set(
    [...alike.values()]
      .filter((group) => group.length >= FURNITURE && group.length >= all * SHARE)
      .flatMap((group) => group.slice(IN_FRONT)),
  )
  const translated = translationsAmong(
    entries,
    ({ template }) => template.url,
    (one) => JSON.stringify([one.template.method, ...namesOf(one)]),
  )
  for (const one of translated) repeated.add(one)
  return { first: entries.filter((one) => !repeated.has(one)), repeated: [...repeated] }
}
