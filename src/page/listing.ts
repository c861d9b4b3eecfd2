/** What servers and programs write that show what lies in a folder (CWE-548). */
import { readHtml } from './html.ts'

/** What the servers themselves write; two of them have to be there. */
const MARKERS: readonly RegExp[] = [
  /<title>\s*(?:Index of|Directory listing for|Directory:) ?\[?(?:\/|&#47;|&#x2f;)/i,
  /<h[12](?: class="title")?>\s*(?:Index of|Directory listing for|Directory:) ?\[?(?:\/|&#47;|&#x2f;)/i,
  /<a href="[^"]{0,200}">\s*(?:\[To )?Parent Directory\]?\s*<\/a>/i,
  /href="\?C=[NMSD](?:;|&amp;|&)O=[AD]"/,
  /<pre>\s*<a href="\.\.\/">\.\.\/<\/a>/,
  /<address>(?:Apache|nginx|lighttpd)[^<]{0,100} Port \d+<\/address>/,
  /<hr>\s*<ul>\s*<li><a href="/,
]

/** What Go's file server writes: links to what lies in the folder, and nothing else. */
const LINKS_ALONE =
  /^\s*(?:<!doctype html>\s*)?(?:<meta [^>]{0,100}>\s*)?<pre>\s*(?:<a href="(?:\.\/)?[^"/?#:]{1,255}\/?">[^<]{1,255}<\/a>\s*)+<\/pre>\s*$/i
/** Characters of a listing of many files. */
const LONGEST = 200_000

/** Whether a page lists the files of a folder. `url`: where it was answered. */
export const isListing = (body: string, url: string): boolean =>
  MARKERS.filter((marker) => marker.test(body)).length >= 2 ||
  (body.length <= LONGEST && (LINKS_ALONE.test(body) || isOfProgram(body, url)))

/**
 * What programs write that list a folder themselves (serve-index, and those that people write): the title names the folder's own
 * path, and each link leads to what lies in it and is called so, or to what the folder lies in.
 */
const isOfProgram = (body: string, url: string): boolean => {
  const { pathname, origin } = new URL(url)
  const own = pathname.replace(/\/$/, '')
  const title = TITLE.exec(body)?.[1] ?? ''
  if (own === '' || !title.split(/[\s"'“”:]+/).some((word) => word === own || word === `${own}/`)) return false
  const links = readHtml(body, `${origin}${own}/`).links.filter(
    ({ url: to }) => to !== null && !isAbove(to, `${origin}${own}/`),
  )
  return links.length > 0 && links.every(({ url: to, text }) => isWithin(to ?? '', `${origin}${own}/`, text))
}

const TITLE = /<(?:title|h1)\b[^<>]{0,200}>([^<]{1,1000})</i

/** The folder itself in another order, or one that it lies in. */
const isAbove = (address: string, folder: string): boolean =>
  folder.startsWith((address.split(/[?#]/)[0] ?? '').replace(/\/?$/, '/'))

const isWithin = (address: string, folder: string, text: string): boolean => {
  const name = /^([^/?#]{1,300})\/?$/.exec(address.startsWith(folder) ? address.slice(folder.length) : '')?.[1]
  return name !== undefined && text.trim() !== '' && (text.includes(name) || text.includes(decodeURIComponentOf(name)))
}

const decodeURIComponentOf = (name: string): string =>
  new URLSearchParams(`x=${name.replaceAll('+', '%2B')}`).get('x') ?? name
