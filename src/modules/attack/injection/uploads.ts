/** Files that are run or shown where a site hands out what it was given, as tables: a test holds each against harmless.ts. */

export interface Upload {
  readonly as: 'program' | 'page'
  /** Endings of names, the usual first; filters know some of them. */
  readonly endings: readonly string[]
  /** A kind of file that forms for pictures take. */
  readonly type: string
  readonly content: (a: number, b: number) => string
  /** Media type of what is handed out as the page that it is. */
  readonly shownAs?: string
  /** What comes of it where it is run, or shown as a page. */
  readonly expected: (a: number, b: number) => string
  /** The site says that it runs such programs: its addresses, header lines, cookies. */
  readonly fits: RegExp
}

const marked = (a: number, b: number): string => `qv${a * b}vq`
/** What nearly all forms for pictures take. */
const PICTURES = 'image/png'
const PICTURE_OF_A_DOT = 'GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01D\x00;'
/** Programs that look at the beginning of a file take it for a picture. */
const PICTURE = 'GIF89a;'

export const UPLOADS: readonly Upload[] = [
  {
    as: 'program',
    // As they are; what lists of bad endings forget; with one of pictures, before and behind.
    endings: ['.php', '.phtml', '.jpg.php', '.php.jpg', '.pHp', '.phar'],
    type: PICTURES,
    content: (a, b) => `${PICTURE}<?='qv'.(${a}*${b}).'vq'?>`,
    expected: marked,
    fits: /\.php\b|\bPHP\b|PHPSESSID/i,
  },
  {
    as: 'program',
    endings: ['.jsp', '.jspx', '.jpg.jsp'],
    type: PICTURES,
    content: (a, b) => `${PICTURE}qv<%=${a}*${b}%>vq`,
    expected: marked,
    fits: /\.(?:jsp|do|action)\b|JSESSIONID|\bTomcat\b/i,
  },
  {
    as: 'program',
    endings: ['.asp', '.aspx', '.jpg.asp'],
    type: PICTURES,
    content: (a, b) => `${PICTURE}qv<%=${a}*${b}%>vq`,
    expected: marked,
    fits: /\.aspx?\b|ASP\.NET|ASPSESSION/i,
  },
  {
    as: 'page',
    endings: ['.html', '.htm', '.png.html'],
    shownAs: 'text/html',
    type: PICTURES,
    content: (a, b) => `<!doctype html><title>q</title><p id="qv${a}">qv${b}vq`,
    expected: (a, b) => `<p id="qv${a}">qv${b}vq`,
    fits: /^/,
  },
  // Some hand a file out as what they were told that it is.
  {
    as: 'page',
    endings: ['.html'],
    shownAs: 'text/html',
    type: 'text/html',
    content: (a, b) => `<!doctype html><title>q</title><p id="qv${a}">qv${b}vq`,
    expected: (a, b) => `<p id="qv${a}">qv${b}vq`,
    fits: /^/,
  },
  // Opened by itself, a drawing runs scripts as a page does.
  {
    as: 'page',
    endings: ['.svg'],
    shownAs: 'image/svg+xml',
    type: 'image/svg+xml',
    content: (a, b) => `<svg xmlns="http://www.w3.org/2000/svg"><text id="qv${a}">qv${b}vq</text></svg>`,
    expected: (a, b) => `<text id="qv${a}">qv${b}vq</text>`,
    fits: /^/,
  },
]

/** What every form for pictures takes: one dot of GIF. */
export const HARMLESS = {
  ending: '.gif',
  type: 'image/gif',
  content: (word: string): string => `${PICTURE_OF_A_DOT}${word}`,
}

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
