/**
 * Pages that nobody links to for the account of the run, by the names that administrations have (CWE-425): whoever is signed in and types one in is either
 * refused, or has found what is for others.
 */

import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { Fetcher } from './fetching.ts'
import type { Frontier } from './frontier.ts'

const NAMES: readonly string[] = [
  ...['admin', 'administration', 'administrator', 'admin/users', 'admin/dashboard', 'superadmin', 'sysadmin'],
  ...['backend', 'backoffice', 'back-office', 'manage', 'management', 'manager', 'staff', 'internal', 'office'],
  ...[
    'dashboard',
    'control-panel',
    'users',
    'api/admin',
    'api/admin/users',
    'api/users',
    'api/v1/admin',
    'api/v1/users',
  ],
]
/** As much of a page as this is the same page. */
const SAME = 0.95
const DATA = /\b(?:html|json)\b/i

interface Parts {
  readonly origin: string
  readonly fetcher: Pick<Fetcher, 'get'>
  readonly frontier: Pick<Frontier, 'add'>
  readonly site: Pick<SiteFacts, 'missing' | 'pages'>
}

/** Those that answer with a page of their own are followed as if a page had named them. */
export const guessPages = async ({ origin, fetcher, frontier, site }: Parts): Promise<void> => {
  const others = [...site.missing, ...site.pages.slice(0, 1)].map(({ body }) => body)
  for (const name of NAMES) {
    const url = `${origin}/${name}`
    const answer = await fetcher.get(url, 'text/html,application/json')
    const type = answer?.headers.find(([field]) => field.toLowerCase() === 'content-type')?.[1] ?? ''
    if (answer?.status !== 200 || !DATA.test(type)) continue
    const text = textOf(answer)
    if (others.some((other) => likeness(other, text) >= SAME)) continue
    others.push(text)
    frontier.add(url, 1, 'well-known', null)
  }
}
