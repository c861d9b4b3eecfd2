/** The environment of a process (POSIX, 8.1), written out: it holds paths, names of hosts and often keys. */
import { visibleText, withoutElements } from '../../../page/visible.ts'
import type { Text } from './texts.ts'
import { withoutSamples } from './visible.ts'

/** What systems, shells, containers and servers put into every environment. */
const NAMES: readonly string[] = [
  ...['HOME', 'PWD', 'OLDPWD', 'SHLVL', 'HOSTNAME', 'LANG', 'LC_ALL', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'MAIL', 'TZ'],
  ...['INVOCATION_ID', 'JOURNAL_STREAM', 'SYSTEMD_EXEC_PID', 'LD_LIBRARY_PATH', 'NODE_ENV', 'NODE_VERSION'],
  ...['PYTHON_VERSION', 'PYTHONPATH', 'JAVA_HOME', 'GEM_HOME', 'RAILS_ENV', 'RACK_ENV', 'APACHE_RUN_DIR'],
  ...['APACHE_RUN_USER', 'APACHE_LOG_DIR', 'KUBERNETES_SERVICE_HOST', 'KUBERNETES_PORT', 'CATALINA_HOME', 'PORT'],
]
const BETWEEN = String.raw`(?:<[^<>]{0,60}>|[\s=:"',>]|&\w{2,5};){1,12}`
/** Folders of programs, as a value has them: what writes a setting of a shell has a `$` in it. */
const PATH = new RegExp(
  String.raw`\bPATH${BETWEEN}((?:/[\w.+-]{1,60}){1,12}/s?bin(?:(?::|;)[\w./+-]{1,200}){0,60})(?![\w/:$])`,
)
const OTHER = new RegExp(String.raw`(?<![\w$/{-])(${NAMES.join('|')})${BETWEEN}(?=[^\s<$])`, 'g')
/** Names beside the path, so many of which stand near it. */
const FEWEST = 4
const NEAR = 20_000
/** Characters that people read: what has more beside its sample is a text about environments. */
const MOST_PROSE = 1_500

/** The line of the path of programs, by which an environment is known; null where there is none. */
export const environmentIn = ({
  body,
  status,
  plain = true,
}: Pick<Text, 'body' | 'status' | 'plain'>): string | null => {
  // A question may have had it printed.
  if (!plain) return null
  const own = found(withoutSamples(body, status))
  if (own !== null) return own
  const prose = visibleText(withoutElements(body, ['pre', 'code', 'samp', 'textarea', 'nav', 'header', 'footer']))
  return prose.trim().length > MOST_PROSE ? null : found(body)
}

const found = (text: string): string | null => {
  const path = PATH.exec(text)
  if (path === null) return null
  const around = text.slice(Math.max(0, path.index - NEAR), path.index + NEAR)
  const names = new Set([...around.matchAll(OTHER)].map(([, name]) => name))
  return names.size < FEWEST ? null : path[0]
}
