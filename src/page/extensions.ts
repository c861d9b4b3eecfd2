/**
 * What was added to a system that takes extensions: plugins, modules, apps. The system itself is in use at many sites, and its flaws are told by
 * its version; what was added is in use at few.
 */
import { parametersOf, segmentsOf } from './segments.ts'

/** Folders in which systems keep extensions, each in a folder of its own name. */
const FOLDERS = /^(?:(?:mu-)?plugins?|modules|mods|extensions?|ext|addons?|add-ons|components|apps)$/i
const NAME = /^[a-z][\w.-]{2,60}$/i
/** What folders of any program are called. */
const ORDINARY =
  /^(?:js|css|src|dist|build|core|common|shared|libs?|vendor|assets|static|img|images|icons|fonts|styles?|scripts?|node-modules|index|main|app|web|api|admin|system|custom|contrib|default)$/
const LONGEST = 100
const MOST_WORDS = 12

/** Written in one way: `Ferry_Desk` is `ferry-desk`. */
const plain = (name: string): string => name.toLowerCase().replace(/[_.\s]/g, '-')

/** Name of the extension that a file or folder belongs to: `ferry-desk` of `/plugins/ferry-desk/js/site.js`; null where it is of none. */
export const extensionOf = (file: string): string | null => {
  const segments = URL.parse(file)?.pathname.split('/') ?? []
  const at = segments.findIndex((segment) => FOLDERS.test(segment))
  const names = at < 0 ? [] : segments.slice(at + 1, -1).filter((one) => NAME.test(one))
  const [first] = names.map(plain)
  // `/modules/custom/NAME/`
  const name = first !== undefined && ORDINARY.test(first) ? names.slice(1, 2).map(plain)[0] : first
  return name === undefined || ORDINARY.test(name) ? null : name
}

/** Whether a segment of its path or a value of its query is called as one of them, or begins so: `/tools.php?page=ferry-desk-bookings`. */
export const isOfExtension = (address: string, names: ReadonlySet<string>): boolean => {
  if (names.size === 0 || !URL.canParse(address)) return false
  const words = [...segmentsOf(address), ...parametersOf(address).map(([, value]) => value)]
  return words
    .slice(0, MOST_WORDS)
    .filter((word) => word.length <= LONGEST)
    .some((word) => beginningsOf(plain(word)).some((one) => names.has(one)))
}

/** `a`, `a-b` and `a-b-c` of `a-b-c`. */
const beginningsOf = (word: string): readonly string[] => {
  const parts = word.split('-')
  return parts.map((_, at) => parts.slice(0, at + 1).join('-'))
}
