/** What a script writes into the page that runs it: where it is sent, and its cookies. */
import type { CallExpression, Node } from 'acorn'
import { bare, chainOf, memberName } from './syntax.ts'

const LEADING: ReadonlySet<string> = new Set(['location', 'href', 'src', 'action'])

/** `location = …`, `link.href = …` */
export const leads = (written: Node): boolean => {
  const one = bare(written)
  return LEADING.has((one.type === 'Identifier' ? one.name : memberName(one)) ?? '')
}

/** `location.assign(…)`, `window.location.replace(…)` */
export const sendsTo = ({ callee }: CallExpression): boolean => {
  const [how, where] = namesOf(callee)?.toReversed() ?? []
  return (how === 'assign' || how === 'replace') && where === 'location'
}

/** `document.cookie = …`, `window.document.cookie = …` */
export const setsCookie = (written: Node): boolean => {
  const [name, of] = namesOf(written)?.toReversed() ?? []
  return name === 'cookie' && of === 'document'
}

/** `a.b.c` as its names, `(…).b.c` as those that are known. */
const namesOf = (node: Node): readonly string[] | null => {
  const chain = chainOf(node)
  if (chain === null) return null
  return chain.root.type === 'Identifier' ? [chain.root.name, ...chain.names] : chain.names
}
