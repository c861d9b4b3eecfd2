import { ROUTING, wordsOf } from './words.ts'

/** What an application is extended by: one that is switched on or off is another application for everybody. */
const PARTS = /^(?:plugins?|themes?|modules?|extensions?|addons?|stylesheet)$/

/**
 * `plugins.php?action=activate&plugin=seo`: whether what a parameter says is to be done is done to a part of the application.
 * `by`: the parameter's name.
 */
export const namesPart = (by: string, pathname: string, searchParams: URLSearchParams): boolean => {
  const file = (pathname.split('/').at(-1) ?? '').replace(/\.\w{1,5}$/, '')
  const others = [...searchParams.keys()].filter((name) => !ROUTING.test(name))
  return ROUTING.test(by) && [file, ...others].some((text) => PARTS.test(wordsOf(text).at(-1) ?? ''))
}
