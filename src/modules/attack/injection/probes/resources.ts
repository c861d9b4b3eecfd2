/**
 * Files of a Java application that it opens by itself, and cannot leave: its description proves that a value chooses them.
 * Nobody but the place can tell whether it only reads, so it has to have shown that first.
 */
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import type { FileHit } from '../facts.ts'
import { DESCRIPTION, upwards } from '../paths.ts'
import { JAVA_COOKIE, type SiteFiles } from '../site-files.ts'
import { askWay, hasShownToRead, NAMES_PATH, speaksOfFiles, takesPaths } from './files.ts'

type Way = () => Promise<FileHit | null>

/** At most so many folders between a page and the beginning of its application. */
const MOST_LEVELS = 5

export const resourceWays = (probe: Probe, usual: Reply, site?: SiteFiles): readonly Way[] => {
  const { members, place } = probe.point
  const asked = !members && place !== 'header' && place !== 'cookie' && speaksOfFiles(probe, site) && takesPaths(probe)
  if (!asked || !isJava(usual, probe.request.url, site)) return []
  if (probe.request.effect !== 'reads') {
    probe.leave('traversal', 'that may write files, asked for none of the application')
    return []
  }
  return [() => askDescription(probe)]
}

/** Which container answered, as far as it says so, and by the names of its pages and of others of the site. */
export const isJava = ({ headers }: Reply, url: string, site?: SiteFiles): boolean =>
  site?.isJava === true ||
  /\.(?:jspx?|do|action|jsf|faces|xhtml)$/i.test(new URL(url).pathname) ||
  headers.some(
    ([name, value]) =>
      (/^(?:server|x-powered-by)$/i.test(name) &&
        /jetty|tomcat|coyote|glassfish|weblogic|websphere|jboss|wildfly|undertow|servlet|jsp|jsf/i.test(value)) ||
      (name.toLowerCase() === 'set-cookie' && JAVA_COOKIE.test(value)),
  )

const askDescription = async (probe: Probe): Promise<FileHit | null> => {
  if (!(await hasShownToRead(probe))) return null
  const folders = new URL(probe.request.url).pathname.split('/').length - 2
  const levels = [...new Set([0, folders - 1, folders, folders - 2, folders - 3])].filter((one) => one >= 0)
  for (const up of levels.slice(0, MOST_LEVELS).flatMap(upwards)) {
    const hit = await askAt(probe, (name) => `${up}${name}`)
    if (hit) return hit
  }
  // The name of a view stands for a page beside the description, and its ending is put behind it: as the query of what is forwarded to.
  if (NAMES_PATH.test(probe.point.value)) return null
  for (const up of VIEWS) {
    const hit = await askAt(probe, (name) => `${up}${name.replace('WEB-INF/', '')}?`)
    if (hit) return hit
  }
  return null
}

/** Folders of views below `WEB-INF`. */
const VIEWS: readonly string[] = ['../', '../../']

const askAt = (probe: Probe, at: (name: string) => string): Promise<FileHit | null> => {
  const { path, shows, none } = DESCRIPTION
  // There is no second such file: it has to show twice.
  const landmarks = [path, path].map((name) => ({ path: `/${name}`, shows }))
  return askWay('traversal', 'a file of the application', probe, landmarks, `/${none}`, (name) =>
    probe.send(at(name.slice(1))),
  )
}
