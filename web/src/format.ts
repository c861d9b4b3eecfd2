/** Times, sizes and numbers for a person, in their language and their zone. Pure. */
import type { Language } from './i18n/text.tsx'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** `13 Nov 2026, 14:05`, in the reader's zone. */
export const dateTime = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locale(language), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))

export const date = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locale(language), { dateStyle: 'medium' }).format(new Date(iso))

/** `14:05:09.123` */
export const clock = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locale(language), { timeStyle: 'medium' }).format(new Date(iso))

/** `5 minutes ago`; from a week on the date. */
export const ago = (iso: string, language: Language, now: number): string => {
  const distance = Date.parse(iso) - now
  if (Math.abs(distance) > 7 * 86_400_000) return date(iso, language)
  const [unit, size] = UNITS.find(([, of]) => Math.abs(distance) >= of) ?? ['second', 1_000]
  return new Intl.RelativeTimeFormat(locale(language), { numeric: 'auto' }).format(Math.trunc(distance / size), unit)
}

/** `48 s`, `3:07 min`, `1:02:09 h` */
export const duration = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)} h`
}

export const number = (value: number, language: Language): string =>
  new Intl.NumberFormat(locale(language)).format(value)

export const bytes = (value: number, language: Language): string => {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  const amount = value / 1000 ** power
  const digits = power === 0 || amount >= 100 ? 0 : 1
  const text = new Intl.NumberFormat(locale(language), { maximumFractionDigits: digits }).format(amount)
  return `${text} ${units[power]}`
}

/** The language is chosen in the page; days and clocks follow the reader's own region where it speaks that language. */
const locale = (language: Language): string => {
  const own = globalThis.navigator?.language ?? language
  if (own.toLowerCase().startsWith(language)) return own
  return language === 'en' ? 'en-GB' : 'de-DE'
}
