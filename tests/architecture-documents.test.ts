/** docs/architecture.md draws the folders that there are, and docs/glossary.md explains words that the code still has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const foldersIn = (path: string): readonly string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => name)
    .toSorted()

const text = readFileSync('docs/architecture.md', 'utf8')
const picture = /## Where things live\n\n```\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
const row = (folder: string): string => new RegExp(`^\\| \`${folder}\` \\|.*$`, 'm').exec(text)?.[0] ?? ''

/** What stands right of a branch of the picture, up to the next: `├─ passive    site dns`. */
const branches = (): ReadonlyMap<string, readonly string[]> => {
  const lines = picture.split('\n')
  const column = Math.max(...lines.map((line) => line.indexOf('├─')))
  const rooms = new Map<string, string[]>()
  let room = ''
  for (const line of lines.map((one) => one.slice(column))) {
    const words = line.replace(/^[├└│─ ]+/, '').split(/\s+/)
    if (/^[├└]─/.test(line)) [room = ''] = words
    if (/^[├└]─/.test(line)) rooms.set(room, words.slice(1))
    else if (line.startsWith('│ ')) rooms.get(room)?.push(...words)
  }
  return rooms
}

describe('the picture of the house', () => {
  test('has every folder of src and nothing that is gone', () => {
    const drawn = new Set(picture.match(/[a-z][a-z-]+/g))
    expect(foldersIn('src').filter((folder) => !drawn.has(folder))).toEqual([])
    const listed = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, folder = '']) => folder)
    expect(listed.toSorted()).toEqual(foldersIn('src'))
  })

  test('has every module in its room', () => {
    const rooms = branches()
    expect([...rooms.keys()].toSorted()).toEqual(foldersIn('src/modules').filter((room) => room !== 'evidence'))
    for (const [room, modules] of rooms)
      if (room !== 'privacy') expect(modules.toSorted(), room).toEqual(foldersIn(`src/modules/${room}`))
  })

  test.each(['egress', 'templates'])('the line of %s names its rooms', (folder) => {
    const names = new Set([...row(folder).matchAll(/`([\w-]+)`/g)].map(([, name]) => name))
    expect(foldersIn(`src/${folder}`).filter((room) => !names.has(room))).toEqual([])
  })
})

const TERMS = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([a-z][\w -]*) \|.*\| `([^`]+)` \|$/gm)].map(
  ([, term = '', path = '']) => [term, path] as const,
)

describe('the glossary', () => {
  test('has each word once', () => {
    expect(TERMS.length).toBeGreaterThan(15)
    expect(new Set(TERMS.map(([term]) => term)).size).toBe(TERMS.length)
  })

  test.each(TERMS)('%s is a word of %s', (term, path) => {
    expect(existsSync(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).toMatch(new RegExp(term.replace(' ', '\\s?'), 'i'))
  })
})
