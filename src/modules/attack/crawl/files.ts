/** Addresses by the names of files: what somebody has stored, and what a program makes for the values of a query. */
import { kindOf } from '../../../page/shape.ts'
import { isMedia } from '../insertion-points/documents.ts'

/** Holds no links. */
const FILE =
  /\.(?:pdf|zip|gz|tgz|rar|7z|exe|dmg|iso|apk|jpe?g|png|gif|webp|avif|svg|ico|css|mp[34]|webm|ogg|woff2?|ttf|eot|otf|docx?|xlsx?|pptx?|ics|vcf)$/i

/** By these caches tell one state of a file from the next; no program reads them. */
const VERSION =
  /^(?:v|ver|vers|version|rev|revision|build|release|hash|digest|md5|sum|mtime|modified|changed|ts|timestamp|time|t|_|cb|bust|cache|cache-?bust(?:er)?|no-?cache|dpl)$/i

export const fileNameOf = (url: URL): string => url.pathname.slice(url.pathname.lastIndexOf('/') + 1)

/** A file without links that its address alone names. */
export const isStoredFile = (url: URL): boolean => FILE.test(url.pathname) && !takesValues(url)

export const isStoredPicture = (url: URL): boolean => isMedia(fileNameOf(url)) && !takesValues(url)

/** Equal for files that one program makes of the same values: of a hundred pictures each has its own name. Null for what is no file. */
export const makerOf = (url: URL): string | null => {
  if (!FILE.test(url.pathname)) return null
  const folder = kindOf(new URL('.', url).href)
  const ending = url.pathname.slice(url.pathname.lastIndexOf('.')).toLowerCase()
  return `${folder}*${ending}?${[...new Set(url.searchParams.keys())].toSorted().join('&')}`
}

/** What stands behind it is a value, and no mark of a version: `?20260401`, `?v=3`. */
const takesValues = ({ searchParams }: URL): boolean =>
  [...searchParams].some(([name, value]) => value !== '' && !VERSION.test(name))

/** A script that a program writes for what its query says, and no file with its version behind it. */
export const isMadeFor = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && url.searchParams.size > 0 && !/\.m?js$/i.test(url.pathname)
}
