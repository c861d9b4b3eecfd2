import { expect, it } from 'vitest'
import { fileLike, isSample, sampleFor } from './sample-files.ts'

it.each<[string, string, string, string]>([
  ['by its ending', '.xml', 'list', 'note.xml'],
  ['by its media type', 'text/csv, .txt', 'file', 'note.csv'],
  ['by another ending of it', '.yml', 'plan', 'note.yaml'],
  ['by its name, where it has no list', '', 'importJson', 'note.json'],
  ['a drawing', 'image/svg+xml', 'logo', 'note.svg'],
  ['a note for what is known of no text', 'image/png', 'xml', 'note.txt'],
  ['a note where nothing says it', '', 'attachment', 'note.txt'],
])('a file for a field: %s', (_name, accept, name, file) => {
  const content = sampleFor(accept, name)
  expect(fileLike(content).name).toBe(file)
  expect(isSample(content)).toBe(file !== 'note.txt')
})

it('a file with a content of its own is a text', () => {
  expect(fileLike('hello')).toEqual({ name: 'note.txt', type: 'text/plain' })
})
