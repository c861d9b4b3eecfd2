import { describe, expect, it } from 'vitest'
import { type Case, isNamedForFew, type World } from './judging.ts'
import type { Operation } from './operations.ts'
import type { Party, Reply } from './parties.ts'

const operation = (path: string): Operation => {
  const names = path.split('/').filter((name) => name !== '' && name !== 'api')
  return { words: names.flatMap((name) => name.split('-')), area: names[0] ?? '' } as unknown as Operation
}
const ADA = { name: 'ada', rank: 3 } as unknown as Party
const BEN = { name: 'ben', rank: 0 } as unknown as Party

type Answers = Readonly<Record<string, 'granted' | 'refused'>>

/** Each with what Ben is answered; Ada may all, and is shown something else by each but by `pages`. */
const isNamed = (asked: string, answers: Answers, pages: readonly string[] = []): boolean => {
  const shown = { ...answers, ...Object.fromEntries(pages.map((path) => [path, 'granted' as const])) }
  const operations = Object.keys(shown).map(operation)
  const cases = Object.entries(shown).map(([path, state], at) => ({
    ...{
      operation: operations[at],
      victim: ADA,
      answers: [{ values: new Set([pages.includes(path) ? 'Flags' : path]) }],
      replies: new Map([[BEN, { state, exchange: {} } as unknown as Reply]]),
    },
  }))
  const world: World = { identities: [ADA, BEN], nobody: { rank: null } as unknown as Party, operations }
  return isNamedForFew(operation(asked), world, cases as unknown as Case[])
}

describe('the name of an operation', () => {
  const ALL_THERE: Answers = {
    '/api/admin/features': 'granted',
    '/api/admin/projects': 'granted',
    '/api/admin/tags': 'granted',
    '/api/admin/users': 'refused',
    '/api/client/features': 'granted',
  }
  it('says nothing where all of the interface lies in a folder of that name, and is answered', () => {
    expect(isNamed('/api/admin/projects', ALL_THERE)).toBe(false)
  })
  it('says nothing there beside many addresses of one page in which the application runs', () => {
    const pages = ['/', '/projects', '/projects/a', '/tags', '/users', '/archive', '/search']
    expect(isNamed('/api/admin/projects', ALL_THERE, pages)).toBe(false)
  })
  it('says whom it is for by its own words, in such a folder too', () => {
    expect(isNamed('/api/admin/audit-log', ALL_THERE)).toBe(true)
  })
  it.each<[string, Answers]>([
    ['most of the folder is refused', { ...ALL_THERE, '/api/admin/projects': 'refused', '/api/admin/tags': 'refused' }],
    ['the folder is one of many', { '/api/admin/a': 'granted', '/api/b': 'granted', '/api/c': 'granted' }],
    ['nobody was asked', {}],
  ])('says whom it is for where %s', (_name, answers) => {
    expect(isNamed('/api/admin/export', answers)).toBe(true)
  })
})
