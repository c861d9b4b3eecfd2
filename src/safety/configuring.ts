/** Forms by which an application is configured, told by where their fields stand and by where they are sent. */
import { isSafe } from './effect.ts'
import { ROUTING, wordsOf } from './words.ts'

const CONFIGURATION: ReadonlySet<string> = new Set(['config', 'configs', 'configuration', 'conf', 'cfg', 'sysconfig'])
/** Of an application where it stands in its administration; anywhere else people have such pages of their own. */
const OPTIONS: ReadonlySet<string> = new Set([...CONFIGURATION, 'option', 'options', 'setting', 'settings'])
const ADMINISTRATION: ReadonlySet<string> = new Set([
  'admin',
  'administration',
  'administrator',
  'backend',
  'backoffice',
])

interface Sent {
  readonly method: string
  readonly url: string
  /** Of all that is sent, in the address and in the body. */
  readonly names: readonly string[]
  /** What says what is to be done, and values that nobody types. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** `newConfig[LANGUAGE]`, `POST /admin/settings`, `POST /index.php?view=config`. */
export const configures = ({ method, url, names, parameters }: Sent): boolean => {
  if (isSafe(method)) return false
  const held = names.filter((name) => hasWord(/^([\w-]{1,60})[[.]/.exec(name)?.[1] ?? '', CONFIGURATION))
  if (held.length > 0 && 2 * held.length >= names.length) return true
  const { pathname, searchParams } = new URL(url)
  const segments = pathname.split('/').filter((one) => one !== '')
  const last = segments.at(-1)?.replace(/\.\w{1,5}$/, '') ?? ''
  if (segments.slice(0, -1).some((one) => hasWord(one, ADMINISTRATION)) && OPTIONS.has(last.toLowerCase())) return true
  return [...searchParams, ...parameters].some(
    ([name, value]) => ROUTING.test(name) && CONFIGURATION.has(value.toLowerCase()),
  )
}

const hasWord = (text: string, among: ReadonlySet<string>): boolean => wordsOf(text).some((word) => among.has(word))
