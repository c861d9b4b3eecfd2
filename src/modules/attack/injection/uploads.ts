/** Files that are run or shown where a site hands out what it was given, as tables: a test holds each against harmless.ts. */

export interface Upload {
  readonly as: 'program' | 'page'
  /** Endings of names, the usual first; filters know some of them. */
  readonly endings: readonly string[]
  /** A kind of file that forms for pictures take. */
  readonly type: string
  readonly content: (a: number, b: number) => string
  /** What comes of it where it is run, or shown as a page. */
  readonly expected: (a: number, b: number) => string
  /** The site says that it runs such programs: its addresses, header lines, cookies. */
  readonly fits: RegExp
}

const marked = (a: number, b: number): string => `qv${a * b}vq`
/** What nearly all forms for pictures take. */
const PICTURES = 'image/png'
/** Programs that look at the beginning of a file take it for a picture. */
const PICTURE = 'GIF89a;'

export const UPLOADS: readonly Upload[] = [
  {
    as: 'program',
    endings: ['.php', '.phtml'],
    type: PICTURES,
    content: (a, b) => `${PICTURE}<?='qv'.(${a}*${b}).'vq'?>`,
    expected: marked,
    fits: /\.php\b|\bPHP\b|PHPSESSID/i,
  },
  {
    as: 'program',
    endings: ['.jsp', '.jspx'],
    type: PICTURES,
    content: (a, b) => `${PICTURE}qv<%=${a}*${b}%>vq`,
    expected: marked,
    fits: /\.(?:jsp|do|action)\b|JSESSIONID|\bTomcat\b/i,
  },
  {
    as: 'program',
    endings: ['.asp', '.aspx'],
    type: PICTURES,
    content: (a, b) => `${PICTURE}qv<%=${a}*${b}%>vq`,
    expected: marked,
    fits: /\.aspx?\b|ASP\.NET|ASPSESSION/i,
  },
  {
    as: 'page',
    endings: ['.html'],
    type: PICTURES,
    content: (a, b) => `<!doctype html><title>q</title><p id="qv${a}">qv${b}vq`,
    expected: (a, b) => `<p id="qv${a}">qv${b}vq`,
    fits: /^/,
  },
  // Some hand a file out as what they were told that it is.
  {
    as: 'page',
    endings: ['.html'],
    type: 'text/html',
    content: (a, b) => `<!doctype html><title>q</title><p id="qv${a}">qv${b}vq`,
    expected: (a, b) => `<p id="qv${a}">qv${b}vq`,
    fits: /^/,
  },
]

/** Folders beside the form and at the root, for answers that do not tell where a file lies. */
export const FOLDERS: readonly string[] = [
  'uploads/',
  'upload/',
  'files/',
  'images/',
  '/uploads/',
  '/upload/',
  '/files/',
]
