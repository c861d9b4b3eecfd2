import { readHtml } from '../../../page/html.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { isOwnFile } from '../../own-files.ts'
import { overAll, places, seenTexts } from './texts.ts'

const listing: FindingDefinition = {
  id: 'disclosure/directory-listing',
  title: 'Directory listing: the server lists the contents of folders',
  severity: 'low',
  cwe: 548,
  why: 'Everything that lies in the folder can be found, what nobody links to included.',
  remediation:
    'Switch the listing off: Apache `Options -Indexes`, nginx `autoindex off;`, IIS “Directory Browsing: Disabled”, Go: a file system for `http.FileServer` that opens no folders.',
  references: ['https://cwe.mitre.org/data/definitions/548.html'],
}

const sensitive: FindingDefinition = {
  ...listing,
  id: 'disclosure/directory-listing-sensitive',
  title: 'Directory listing with sensitive files',
  severity: 'medium',
  why: 'Backups, dumps, keys and logs are offered to everybody who opens the folder.',
  remediation: 'Move the files out of the folder that the web server delivers, and switch the listing off as well.',
}

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

const SENSITIVE =
  /href="(?:[^"?]{0,500}\/)?([^"?/]{1,200}\.(?:sql|sqlite3?|db|bak|old|orig|env|pem|key|p12|pfx|log|zip|tar|t?gz|7z|rar|dump|mdb|kdbx|conf|ini|htpasswd)(?:\.gz)?)"/gi

export const directoryListing: Check<'disclosure', 'site'> = {
  findings: [listing, sensitive],
  judge: (facts, { site }, about) => {
    const asked = [...facts.folders, ...site.pages, ...seenTexts(facts)].filter(
      ({ url, status, body }) => status === 200 && isListing(body, url),
    )
    const findings = [listing, sensitive].flatMap((definition): Finding[] => {
      const mine = asked.filter(({ body }) => definition === listing || filesOf(body).length > 0)
      const [first] = mine
      if (first === undefined) return []
      const files = filesOf(first.body)
      const urls = [...new Set(mine.map(({ url }) => url))]
      return [
        {
          definition,
          confidence: 'confirmed',
          at: { url: first.url },
          places: places(urls),
          detail:
            definition === listing
              ? `${urls.length} folder${urls.length === 1 ? ' is' : 's are'} listed, ${first.url} for one.`
              : `${first.url} lists ${files.slice(0, 10).join(', ')}.`,
          proof: { excerpt: first.body.slice(0, 1500), mark: null, replay: `curl -s ${first.url}` },
        },
      ]
    })
    return overAll(facts, about, findings)
  },
}

/** `url`: where it was answered. */
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

/** Without what the run itself has left there. */
export const filesOf = (body: string): readonly string[] =>
  [...body.slice(0, LONGEST).matchAll(SENSITIVE)].map((match) => match[1] ?? '').filter((name) => !isOwnFile(name))
