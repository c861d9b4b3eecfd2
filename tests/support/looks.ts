/** How people see the application: wide or on a phone, in English or in German. A job is written once, in the English words. */
import { IntlMessageFormat } from 'intl-messageformat'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { DE } from '../../web/src/i18n/de.ts'
import { EN } from '../../web/src/i18n/en.ts'
import * as rooms from '../../web/src/i18n/rooms.ts'
import { accessibilityProblems, openPage, overflows, STATE_RULES, signIn, type WatchedPage } from './web-app.ts'

export type Values = Readonly<Record<string, string | number>>
/**
 * Words of the interface in the look's language, by the English ones, or by `#` and their name where these are said of several
 * things or have values to be filled in. @throws for what nobody says
 */
export type Say = (english: string, values?: Values) => string

export interface Look {
  readonly name: string
  readonly language: 'en' | 'de'
  readonly phone: boolean
  readonly say: Say
}

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 860 }

const ROOMS = Object.values(rooms)
const ENGLISH: Readonly<Record<string, string>> = Object.assign({}, EN, ...ROOMS.map(({ en }) => en))
const GERMAN: Readonly<Record<string, string>> = Object.assign({}, DE, ...ROOMS.map(({ de }) => de))

const sayIn =
  (language: 'en' | 'de'): Say =>
  (english, values = {}) => {
    const isNamed = ([key, text]: [string, string]): boolean => (english.startsWith('#') ? `#${key}` : text) === english
    const keys = Object.entries(ENGLISH).filter(isNamed)
    const own = new Set(keys.map(([key, text]) => (language === 'en' ? text : (GERMAN[key] ?? ''))))
    const [words] = own
    if (words === undefined || own.size > 1)
      throw new Error(`"${english}" is ${[...own].join(' or ') || 'no word'} in ${language}`)
    return String(new IntlMessageFormat(words, language, undefined, { ignoreTag: true }).format(values))
  }

const look = (language: 'en' | 'de', phone: boolean): Look => ({
  ...{ name: `${phone ? 'on a phone' : 'wide'}, in ${language === 'en' ? 'English' : 'German'}`, language, phone },
  say: sayIn(language),
})

/** Each size and each language once; with SONDE_LONG=1 each size in each language. */
export const LOOKS: readonly Look[] = [
  look('en', false),
  look('de', true),
  ...(process.env.SONDE_LONG ? [look('de', false), look('en', true)] : []),
]

/** Of a person who has just signed in. */
export const openLook = async (
  browser: Browser,
  { language, phone }: Look,
  at: { readonly url: string; readonly secret: string },
): Promise<WatchedPage> => {
  const context = await browser.newContext({
    ...{ locale: language === 'de' ? 'de-DE' : 'en-GB', viewport: phone ? PHONE : WIDE, acceptDownloads: true },
    ...(phone ? { hasTouch: true, isMobile: true } : {}),
  })
  const watched = await openPage(context)
  await signIn(watched.page, at.url, at.secret)
  return watched
}

/** As every state of a page has to be: nothing that axe finds, and nothing wider than the window. */
export const wellMade = async ({ page }: Pick<WatchedPage, 'page'>): Promise<void> => {
  expect(await accessibilityProblems(page, STATE_RULES)).toEqual([])
  expect(await overflows(page)).toBe(false)
}
