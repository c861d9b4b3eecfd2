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
    // Frameworks say so by their cookies alone: what Laravel encrypts begins with `{"iv":"`, in Base64.
    fits: /\.php\b|\bPHP\b|PHPSESSID|\beyJpdiI6I|laravel|ci_session|cakephp|\/wp-(?:content|includes)\b/i,
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

/** Kinds of files that forms ask for: media type, and how they begin. */
const KINDS: Readonly<Record<string, readonly [type: string, begins: string]>> = {
  pdf: ['application/pdf', '%PDF-1.4\n'],
  txt: ['text/plain', ''],
  csv: ['text/csv', ''],
  xml: ['application/xml', '<?xml version="1.0"?>\n'],
  json: ['application/json', ''],
  zip: ['application/zip', 'PK\x03\x04'],
  doc: ['application/msword', ''],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK\x03\x04'],
  xls: ['application/vnd.ms-excel', ''],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK\x03\x04'],
  odt: ['application/vnd.oasis.opendocument.text', 'PK\x03\x04'],
  rtf: ['application/rtf', '{\\rtf1 '],
  md: ['text/markdown', ''],
  jpg: ['image/jpeg', PICTURE],
  jpeg: ['image/jpeg', PICTURE],
  png: ['image/png', PICTURE],
  mp3: ['audio/mpeg', 'ID3'],
  mp4: ['video/mp4', ''],
}
const MOST_KINDS = 2
/** Where a site says what it takes. */
const SAYS = /(?:only|allow|accept|permit|support|must be|has to be|types?\b|formats?\b|nur\b|erlaubt)[^<>]{0,80}/gi

/** Endings that a list for fields of files names (HTML, 4.10.5.1.17), by themselves or by their media type. */
export const endingsAccepted = (accept: string): readonly string[] =>
  accept
    .toLowerCase()
    .split(',')
    .flatMap((one) => {
      const kind = one.trim()
      if (kind.startsWith('.')) return Object.hasOwn(KINDS, kind.slice(1)) ? [kind.slice(1)] : []
      return Object.entries(KINDS)
        .filter(([, [type]]) => type === kind)
        .map(([ending]) => ending)
        .slice(0, 1)
    })
    .slice(0, MOST_KINDS)

/** Likewise those that the text of a refusal names. */
export const endingsNamed = (text: string): readonly string[] => {
  const said = [...text.slice(0, 100_000).matchAll(SAYS)].map(([words]) => words.toLowerCase()).join(' ')
  const named = said.match(/[a-z][a-z0-9]{1,4}/g) ?? []
  return [...new Set(named)].filter((one) => Object.hasOwn(KINDS, one)).slice(0, MOST_KINDS)
}

/** A file as it is sent: its ending, the type that it says it has, and what it begins with. */
export interface Dress {
  readonly ending: string
  readonly type: string
  readonly begins: string
}

/** In the dress of a kind that the form takes: some look for its ending anywhere in the name, or for its type alone. */
export const dressedAs = ({ endings: [own = ''] }: Upload, kind: string): readonly Dress[] => {
  const [type, begins] = KINDS[kind] ?? ['text/plain', '']
  return [`.${kind}${own}`, `${own}.${kind}`].map((ending) => ({ ending, type, begins }))
}

/** As every form for pictures takes it. */
export const dressesOf = ({ endings, type }: Upload): readonly Dress[] =>
  endings.map((ending) => ({ ending, type, begins: PICTURE }))

/** A text that is run or shown, behind the beginning of its dress; pages begin with themselves. */
export const contentOf = (upload: Upload, { begins }: Dress, a: number, b: number): string =>
  upload.as === 'page' ? upload.content(a, b) : `${begins}${upload.content(a, b).slice(PICTURE.length)}`

/** What a form for files of this kind takes, and one for pictures where none is known: one dot of GIF. */
export const harmless = (kind: string | undefined) => {
  const [type, begins] = (kind === undefined ? undefined : KINDS[kind]) ?? ['image/gif', PICTURE_OF_A_DOT]
  return { ending: `.${kind ?? 'gif'}`, type, content: (word: string): string => `${begins}${word}` }
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
