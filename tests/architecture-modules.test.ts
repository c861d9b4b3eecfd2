/** The rules between modules: one takes of another its facts alone, and only where it says that it needs or uses them. */
import { describe, expect, test } from 'vitest'
import { MODULES } from '../src/modules/index.ts'
import { code, filesIn, type Import, importsOf, isTest } from './support/imports.ts'

/** Folders below a room that hold no module: what several modules of the room work with. */
const SHARED = ['attack/insertion-points', 'attack/effects']

/** `attack/sqli` of a file within a module, null of one outside of all. `privacy` is a room of one module. */
const homeOf = (file: string): string | null => {
  const [, , room = '', folder = '', ...rest] = file.split('/')
  if (!file.startsWith('src/modules/')) return null
  if (room === 'privacy') return room
  return rest.length > 0 && ['passive', 'network', 'attack'].includes(room) ? `${room}/${folder}` : null
}

const isFacts = (file: string): boolean => /^facts(?:-[\w-]+)?\.ts$/.test(file.split('/').at(-1) ?? '')

const between: readonly (Import & { readonly own: string; readonly other: string })[] = filesIn('src/modules')
  .filter((file) => file.endsWith('.ts') && !isTest(file))
  .flatMap((file) => importsOf(file, code(file)))
  .flatMap((each) => {
    const [own, other] = [homeOf(each.from), homeOf(each.to)]
    return own !== null && other !== null && own !== other ? [{ ...each, own, other }] : []
  })

const idOf = (home: string): string => home.split('/').at(-1) ?? ''

describe('modules', () => {
  test('each has its folder, named by its id, in one of the rooms', () => {
    const homes = new Set(filesIn('src/modules').flatMap((file) => homeOf(file) ?? []))
    const found = [...homes].filter((home) => !SHARED.includes(home)).map(idOf)
    expect(found.toSorted()).toEqual(MODULES.map(({ id }) => id).toSorted())
  })

  test('take of one another their facts alone', () => {
    const wrong = between
      .filter(({ to, other, own }) => !isFacts(to) && !sharedWithin(other, own))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(wrong).toEqual([])
    expect(between.length).toBeGreaterThan(50)
  })

  test('and only of those that they say they need or use', () => {
    const declared = new Map(MODULES.map(({ id, needs, uses = [] }) => [id, [...needs, ...uses]]))
    const wrong = between
      .filter(({ own, other }) => !SHARED.includes(own) && !SHARED.includes(other))
      .filter(({ own, other }) => !declared.get(idOf(own))?.includes(idOf(other)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(wrong).toEqual([])
  })
})

const sharedWithin = (folder: string, by: string): boolean =>
  SHARED.includes(folder) && folder.split('/')[0] === by.split('/')[0]
