/** References between parts of a description and between its files; nothing is ever fetched for one. */

import { percentDecoded } from '../../page/percent.ts'
import { type Json, object, string } from '../json.ts'
import type { Tree } from '../tree.ts'

/** A value, and the file by which its own references go. */
export interface At {
  readonly value: unknown
  readonly file: string
}

export interface Resolver {
  /** Follows references until there is a value. @throws Unresolved */
  readonly resolve: (at: At) => At
}

/** A reference leads nowhere. The message is a few words for a person. */
export class Unresolved extends Error {}

const MOST_STEPS = 30

export const createResolver = (files: ReadonlyMap<string, Tree>): Resolver => ({
  resolve: (at) => {
    let current = at
    for (let step = 0; step <= MOST_STEPS; step += 1) {
      const holder = object(current.value)
      const reference = string(holder?.$ref)
      if (holder === null || reference === null) return current
      const target = targetOf(reference, current.file, files)
      // What stands beside a reference adds to it, from OpenAPI 3.1 on.
      current = withSiblings(target, holder)
    }
    throw new Unresolved('its references go round in a circle')
  },
})

const withSiblings = (target: At, { $ref: _, ...siblings }: Json): At => {
  const value = object(target.value)
  return value && Object.keys(siblings).length > 0 ? { ...target, value: { ...value, ...siblings } } : target
}

const targetOf = (reference: string, from: string, files: ReadonlyMap<string, Tree>): At => {
  const [address = '', pointer = ''] = reference.split('#')
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(address))
    throw new Unresolved('it refers to another address, and none is fetched')
  const file = address === '' ? from : joined(from, percentDecoded(address))
  const tree = files.get(file)
  if (!tree) throw new Unresolved(`it refers to the file ${file.slice(0, 200)}, which is not among those given`)
  return { file, value: at(tree.value, pointer) }
}

const joined = (from: string, address: string): string =>
  new URL(address, `file:///${from.split('/').map(encodeURIComponent).join('/')}`).pathname
    .split('/')
    .map(percentDecoded)
    .join('/')
    .slice(1)

const at = (root: unknown, pointer: string): unknown => {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => percentDecoded(key).replace(/~1/g, '/').replace(/~0/g, '~'))
  let node = root
  for (const key of keys) {
    const has = typeof node === 'object' && node !== null && Object.hasOwn(node, key)
    if (!has) throw new Unresolved(`it refers to ${pointer.slice(0, 200)}, which is nowhere`)
    node = (node as Json)[key]
  }
  return node
}
