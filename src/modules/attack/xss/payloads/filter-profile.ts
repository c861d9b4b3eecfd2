/** How a payload has to be written so that it comes back whole at one place: which characters pass, and in which form. */
import { parseFragment } from 'parse5'
import { percentDecoded } from '../../../../page/percent.ts'
import { type Came, CHARACTERS, formsOf } from '../survival.ts'

/** Where in a page a part of a payload is read: entities are decoded in values of attributes, %-signs behind `javascript:`. */
export type Reading = 'markup' | 'value' | 'script' | 'address'

export interface FilterProfile {
  /** Whether the character reaches this reading of the page as itself. */
  readonly passes: (char: string, reading: Reading) => boolean
  /** Whether letters keep their case. */
  readonly steady: boolean
  /** The text as it has to be sent. */
  readonly written: (text: string) => string
}

const SPECIAL: ReadonlySet<string> = new Set(CHARACTERS)

/** Everything passes: for markup that nobody filters. */
export const UNFILTERED: FilterProfile = { passes: () => true, steady: true, written: (text) => text }

/** `forms`: what came back for other ways to write what does not pass as it is. */
export const filterProfileOf = (came: Came, steady: boolean, forms: Came = new Map()): FilterProfile => {
  const writing = new Map<string, string>()
  const reached = new Set<string>()
  let decoy = ''
  for (const char of CHARACTERS) {
    if (reaches(char, came.get(char) ?? null, 'markup')) continue
    const form = formsOf(char).find((one) => !one.endsWith(char) && forms.get(one) === char)
    if (form !== undefined) writing.set(char, form)
    else if (char === '\\') continue
    else if (forms.get(`${char}${char}`)?.endsWith(char)) decoy += char
    else if (forms.get(`\0${char}`)?.endsWith(char)) decoy = `\0${decoy.replace('\0', '')}`
    else continue
    reached.add(char)
  }
  return {
    steady,
    passes: (char, reading) =>
      !SPECIAL.has(char) || reached.has(char) || reaches(char, came.get(char) ?? null, reading),
    written: (text) =>
      (decoy === '' ? '' : `${decoy}${'a'.repeat(24)}`) + [...text].map((char) => writing.get(char) ?? char).join(''),
  }
}

/** A backslash before a character changes it in scripts alone. */
const reaches = (char: string, came: string | null, reading: Reading): boolean => {
  if (came === null) return false
  if (came === char) return true
  if (reading === 'script') return false
  if (reading === 'markup') return came === `\\${char}` && char !== '\\'
  const decoded = entitiesDecoded(came)
  return decoded === char || (reading === 'address' && percentDecoded(decoded) === char)
}

/** As in the value of an attribute. */
const entitiesDecoded = (text: string): string => {
  if (!text.includes('&')) return text
  const [element] = parseFragment(`<p title="${text.replaceAll('"', '&quot;')}">`).childNodes
  return element && 'attrs' in element ? (element.attrs[0]?.value ?? text) : text
}
