/** Asking again, and asking for what cannot be there: the whole template once more, through a changed client. */
import { randomBytes } from 'node:crypto'
import { EgressError } from '../../egress/door/egress.ts'
import type { Template } from '../language/template.ts'
import type { TemplateTarget } from './executor.ts'
import type { Hit } from './hit.ts'
import { type HttpClient, isFinal } from './http/client.ts'
import type { HttpSpec } from './http/request.ts'
import { type RunParts, runTemplate } from './run-template.ts'

export const controlHit = async (
  hit: Hit,
  template: Template,
  target: TemplateTarget,
  parts: RunParts,
): Promise<Controls> => {
  if (hit.outOfBand) return { again: null, sibling: null }
  const again = await matchesAgain(template, target, { ...parts, client: freshly(parts.client), jarms: new Map() }, hit)
  if (again !== true || !hit.http || isWatching(template) || !hasSibling(hit.http.target))
    return { again, sibling: null }
  const token = randomBytes(5).toString('hex')
  const moved = changed(parts.client, (spec) => ({ ...spec, target: siblingOf(spec.target, token) }))
  return { again, sibling: await matchesAgain(template, target, { ...parts, client: moved }, hit) }
}

const isWatching = ({ steps }: Template): boolean => steps.some((step) => step.protocol === 'http' && step.global)

/** Null where no answer came. */
const matchesAgain = async (
  template: Template,
  target: TemplateTarget,
  parts: RunParts,
  hit: Hit,
): Promise<boolean | null> => {
  try {
    const outcome = await runTemplate(template, target, parts)
    if (isWatching(template)) {
      // It asks nothing itself: the request of somebody else, in whose answer it found something, is sent again.
      if (hit.http) await parts.client.send(hit.http.spec, true)
      return (await outcome.pending(0)).some(({ name }) => name === hit.name)
    }
    if (outcome.hits.length === 0 && (outcome.failed !== null || outcome.broken)) return null
    return outcome.hits.some(({ name }) => name === hit.name)
  } catch (error) {
    if (error instanceof EgressError && !isFinal(error)) return null
    throw error
  }
}

const freshly = (client: HttpClient): HttpClient => ({ ...client, send: (spec) => client.send(spec, true) })
const changed = (client: HttpClient, change: (spec: HttpSpec) => HttpSpec): HttpClient => ({
  ...client,
  send: (spec) => client.send(spec.verbatim === null ? change(spec) : spec, true),
})

/** The root has no sibling: what matches there is said of the whole site. */
export const hasSibling = (target: string): boolean => !/^\/(?:index\.\w+)?(?:[?#].*)?$/s.test(target)

/** Same folder, same ending, a name that nobody has: `/a/b.php?x` → `/a/b<random>.php?x`. */
export const siblingOf = (target: string, token: string): string => {
  const match = /^([^?#]*?)([^/?#]*?)(\.\w{1,8})?(\/?)([?#].*)?$/s.exec(target)
  if (!match || !hasSibling(target)) return target
  const [, folder = '', name = '', ending = '', slash = '', rest = ''] = match
  // `/folder/`: the folder's own name is changed.
  if (name === '' && ending === '') return `${folder.replace(/\/$/, '')}${token}/${rest}`
  return `${folder}${name}${token}${ending}${slash}${rest}`
}

/** What asking again and asking wrongly showed. */
export interface Controls {
  /** The same once more: null where it was not asked. */
  readonly again: boolean | null
  /** A random path beside it matched too: null where there is no path to be random. */
  readonly sibling: boolean | null
}
