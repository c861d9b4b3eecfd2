/** The language in which answers are asked for. Kept beside the client: what pages read does not depend on where they stand. */
import type { Language } from '../../src/contract/language.ts'

let language: Language = 'en'

export const readIn = (chosen: Language): void => {
  language = chosen
}

/** Of a query whose answer holds texts of findings; English is what it is without. */
export const inLanguage = (): { readonly language?: Language } => (language === 'en' ? {} : { language })
