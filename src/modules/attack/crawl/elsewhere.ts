/** What pages and scripts ask of other hosts of the domain: a front end often has its interface under another name, which is a domain of its own. */
import { shapeOf } from '../../../page/shape.ts'
import type { ReachNotes } from './reach.ts'
import type { Draft } from './requests.ts'
import type { Scope } from './scope.ts'

const MOST = 200
const BEGINNING = 'it is of '

const reasonFor = (host: string): string =>
  `${BEGINNING}${host}, another host, which can be scanned as a domain of its own`

/** Of the reason why something was not asked. */
export const isElsewhere = (reason: string | null): boolean => reason?.startsWith(BEGINNING) ?? false

/** Each kind of request once, without values. Hosts of others are left out: they are no business of whoever has the domain. */
export const createElsewhere = (
  { isRelative }: Pick<Scope, 'isRelative'>,
  { note }: Pick<ReachNotes, 'note'>,
): ((draft: Pick<Draft, 'method' | 'url'>) => void) => {
  const known = new Set<string>()
  return ({ method, url: address }) => {
    const url = URL.parse(address)
    if (url === null || !isRelative(url) || url.username !== '') return
    const shape = shapeOf(url.href)
    const name = `${method} ${shape}`
    if (known.has(name) || known.size >= MOST) return
    known.add(name)
    note({ kind: 'operation', method, url: shape, fate: 'left_out', reason: reasonFor(url.host), holds: false })
  }
}
