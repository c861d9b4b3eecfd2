/** One program at several addresses, one for each language of a site: `/en/rooms` and `/de/rooms`. */
import { shapeOf } from './shape.ts'

/** So many addresses stand under two languages before the words are taken for languages. */
const FEWEST = 3
/** `en`, `pt-BR`, `zh_tw`. */
const CODE = /^[a-z]{2}(?:[-_][a-z]{2})?$/i
/** Behind a folder of the application at most. */
const DEEPEST = 2

/** Reading its data takes longer than all else that this file is loaded for. */
let names: Intl.DisplayNames | null = null
const isLanguage = (word: string): boolean => {
  if (!CODE.test(word)) return false
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return names.of(word.slice(0, 2)) !== undefined
}

/**
 * Those that are another one of the same in a further language; the language that came first stands for them. `addressOf`: its address;
 * `kindOf`: what has to be the same beside, as its method and the names of its fields.
 */
export const translationsAmong = <One>(
  all: readonly One[],
  addressOf: (one: One) => string,
  kindOf: (one: One) => string,
): ReadonlySet<One> => {
  const placed = all.flatMap((one) => {
    const url = URL.parse(addressOf(one))
    const segments = url?.pathname.split('/').slice(1) ?? []
    const at = segments.slice(0, DEEPEST).findIndex(isLanguage)
    const language = segments[at]?.toLowerCase()
    if (url === null || language === undefined) return []
    url.pathname = `/${segments.with(at, '*').join('/')}`
    return [{ one, language, tree: segments.slice(0, at).join('/'), program: `${kindOf(one)} ${shapeOf(url.href)}` }]
  })
  const others = [...Map.groupBy(placed, ({ tree }) => tree).values()].flatMap((tree) => {
    const order = [...new Set(tree.map(({ language }) => language))]
    const several = [...Map.groupBy(tree, ({ program }) => program).values()].filter(
      (group) => new Set(group.map(({ language }) => language)).size > 1,
    )
    if (several.length < FEWEST) return []
    return several.flatMap((group) => {
      const main = order.find((language) => group.some((one) => one.language === language))
      return group.filter(({ language }) => language !== main)
    })
  })
  return new Set(others.map(({ one }) => one))
}
