/**
 * Which forms, parameters and paths pages have shown: what none had before is news, and a page that brings some may lead to more. Combinations are
 * none: a list that is narrowed by whatever can be combined leads to itself without end.
 */
import { parametersOf, queryRouteOf } from '../../../page/segments.ts'
import { hashRouteOf, kindOf } from '../../../page/shape.ts'
import type { Draft } from './requests.ts'

/** Combinations of fields that one kind of page is sent, of which each is news. */
const MOST_FORMS = 8

/** Tells of each whether it is news. */
export const createKnown = () => {
  const forms = new Map<string, Set<string>>()
  const known = new Set<string>()
  const isNew = (key: string): boolean => {
    const before = known.size
    known.add(key)
    return known.size > before
  }
  return {
    /** One of the first that are sent there, or with a field that none of them had. */
    form: ({ method, url, fields = [] }: Draft): boolean => {
      const kind = `${method} ${kindOf(url)}`
      const names = fields.map(({ name }) => name)
      const fresh = names.map((name) => isNew(`${kind} ${name}`)).includes(true)
      const of = forms.get(kind) ?? new Set<string>()
      const before = of.size
      if (before < MOST_FORMS) forms.set(kind, of.add(names.toSorted().join('\n')))
      return fresh || of.size > before
    },
    /** Nothing led to a page of that path before. */
    path: (address: string): boolean => {
      const { origin, pathname } = new URL(address)
      return isNew(`${origin}${pathname} ${queryRouteOf(address) ?? ''} ${hashRouteOf(address) ?? ''}`)
    },
    /** A parameter that nothing there took before. */
    takes: (address: string): boolean => {
      if (!URL.canParse(address)) return false
      const kind = kindOf(address)
      const names = [...new Set(parametersOf(address).map(([name]) => name))]
      return names.map((name) => isNew(`${kind}?${name}`)).includes(true)
    },
  }
}
