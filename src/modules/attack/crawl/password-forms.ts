/**
 * What a page has sent, or a script would, tells no types of fields. A form of the same address does: what it sets a password by sets one in every
 * request that holds it.
 */
import { SETS_PASSWORD } from '../../../safety/form-effect.ts'
import type { Asked } from '../../../safety/policy.ts'
import { withoutQuery } from './fetching.ts'
import type { Draft } from './requests.ts'

export interface PasswordForms {
  readonly note: (draft: Pick<Draft, 'method' | 'url' | 'fields' | 'harm' | 'source'>) => void
  /** The same, with what a form has told of it. */
  readonly known: (asked: Asked) => Asked
}

export const createPasswordForms = (): PasswordForms => {
  /** By method and address, the names of passwords. */
  const names = new Map<string, Set<string>>()
  const keyOf = ({ method, url }: Pick<Draft, 'method' | 'url'>): string => `${method} ${withoutQuery(url)}`
  return {
    note: (draft) => {
      if (draft.source !== 'form' || draft.harm !== SETS_PASSWORD) return
      const known = names.get(keyOf(draft)) ?? new Set<string>()
      for (const { name, type } of draft.fields ?? []) if (type === 'password') known.add(name)
      names.set(keyOf(draft), known)
    },
    known: (asked) => {
      const known = names.get(keyOf(asked))
      const sets = known !== undefined && asked.fields.some(({ name }) => known.has(name))
      return sets && !asked.told ? { ...asked, told: SETS_PASSWORD } : asked
    },
  }
}
