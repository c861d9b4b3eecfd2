/**
 * Names of fields by which people choose a language. Signed in, another one is kept with the account: its pages read otherwise from then on,
 * and what a run knows them by (that it is signed in, that nothing has changed) is gone. So the language stays as it is.
 */
export const CHOOSES_LANGUAGE = /(?:^|[^a-z])lang(?:[^a-z]|$|codes?|ids?|prefs?)|language|locale|sprache|langue|idioma/i

export const OTHER_LANGUAGE = 'it changes the language of the account'

const CODE = /^([a-z]{2})(?:[-_][a-z0-9]{2,8}){0,2}$/i
const SETS = /(?:^|[^a-z])set_?lang$/i

/** Whether an address asks for another language than `lang`, that of the page that names it (HTML, `lang`); unknown languages are no other. */
export const choosesOther = (address: string | null, lang: string | null): boolean => {
  const own = CODE.exec(lang ?? '')?.[1]?.toLowerCase()
  if (own === undefined || address === null) return false
  return [...(URL.parse(address)?.searchParams ?? [])].some(([name, value]) => {
    const asked = CHOOSES_LANGUAGE.test(name) || SETS.test(name) ? CODE.exec(value)?.[1]?.toLowerCase() : undefined
    return asked !== undefined && asked !== own
  })
}

/** What a link or button says that chooses a language: its own name, or its code (ISO 639-1). */
export const NAMES_LANGUAGE =
  /^(?:en|de|fr|es|it|nl|pl|pt|ru|tr|sv|da|fi|no|cs|sk|hu|ro|bg|el|uk|ja|zh|ko|ar|he|english|deutsch|français|español|italiano|nederlands|polski|português|русский|türkçe|svenska|dansk|suomi|norsk|čeština|slovenčina|magyar|română|български|ελληνικά|українська|日本語|中文|한국어|العربية|עברית)(?:[-_ ][a-z]{2})?$/i
