/** What a crawl tells of the files behind a site: which parameters name some, and which programs lie beside a page. */
import { harmOf } from '../../../safety/harmless.ts'
import type { CrawlFacts, InsertionPoint } from '../crawl/facts.ts'

export interface SiteFiles {
  /** Whether a parameter of this name holds the name of a file in a good part of the site's requests that have it. */
  readonly namesFiles: (name: string) => boolean
  /**
   * Paths of programs that the crawl has fetched and that do not take this parameter, so that none of them runs itself when it
   * is included: those of the page's own folder first.
   */
  readonly programs: (page: string, parameter: string) => readonly string[]
  /** Pages or cookies are called as containers of Java call them; an answer of a single page need not tell that. */
  readonly isJava: boolean
}

/** A session in an address (Servlet 4.0, 7.1.3), and endings that are mapped to servlets. */
const JAVA_PATH = /;jsessionid=|\.(?:jspx?|do|action|jsf|faces)$/i
export const JAVA_COOKIE = /^JSESSIONID/i

/** Names of files that a web server runs, rather than routes of an application. */
const PROGRAM = /\/[^/]+\.(?:jspx?|php\d?|phtml|aspx?|ashx|cfm|cgi|pl|py|rb|lua)$/i

/** A name with an ending of letters, or with folders. */
const FILE_NAME = /^[^\s?#=&<>]*(?:[/\\][^\s?#=&<>]*|[\w-]\.[a-z][a-z0-9]{1,4})$/i
/** Addresses, mail addresses, dates. */
const OTHER = /^(?:[a-z]+:)?\/\/|^www\.|@|^\d+\/\d+/i

export const siteFilesOf = ({ urls, requests, points }: CrawlFacts): SiteFiles => {
  const named = Map.groupBy(
    points.filter(({ place }) => NAMED.has(place)),
    ({ name }) => name.toLowerCase(),
  )
  const isFile = ({ example }: InsertionPoint): boolean => FILE_NAME.test(example) && !OTHER.test(example)
  const taken = new Map<string, Set<string>>()
  for (const { url, fields } of requests) {
    const { pathname, searchParams } = new URL(url)
    const known = taken.get(pathname) ?? new Set()
    taken.set(pathname, known)
    for (const name of [...searchParams.keys(), ...fields.map((field) => field.name)]) known.add(name)
  }
  const fetched = urls.filter(({ status }) => status === 200).map(({ url }) => new URL(url))
  const programs = [...new Set(fetched.map(({ pathname }) => pathname))].filter(
    (path) => PROGRAM.test(path) && harmOf(path, { effect: 'reads' }) === null,
  )
  return {
    isJava:
      fetched.some(({ pathname }) => JAVA_PATH.test(pathname)) ||
      points.some(({ place, name }) => place === 'cookie' && JAVA_COOKIE.test(name)),
    namesFiles: (name) => {
      const all = named.get(name.toLowerCase()) ?? []
      return all.length > 0 && all.filter(isFile).length * ONE_OF >= all.length
    },
    programs: (page, parameter) => {
      const here = folderOf(page)
      const rank = (path: string): number => (folderOf(path) === here ? 0 : 1)
      return programs
        .filter((path) => path !== page && endingOf(path) === endingOf(page) && !taken.get(path)?.has(parameter))
        .filter((path) => rank(path) === 0 || here.startsWith(folderOf(path)))
        .toSorted((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))
    },
  }
}

/** A name that holds a file in one of so many requests speaks of files; one that does so more seldom says anything. */
const ONE_OF = 3

const NAMED: ReadonlySet<string> = new Set(['query', 'form', 'multipart', 'json'])

const folderOf = (path: string): string => path.replace(/[^/]*$/, '')
const endingOf = (path: string): string => path.slice(path.lastIndexOf('.')).toLowerCase()
