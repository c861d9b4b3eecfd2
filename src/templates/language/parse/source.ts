/** A YAML file as plain values, with the line of each. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { Problem } from './problem.ts'

export type Path = readonly (string | number)[]

export interface Source {
  readonly value: Readonly<Record<string, unknown>>
  readonly lineOf: (path: Path) => number
}

/** Bytes of one template. The largest of the public catalogue has under 2 MB. */
export const LARGEST = 4 * 1024 * 1024

const SAMPLE = 4_096
const isControl = (char: string): boolean => char < ' ' && !'\t\n\r\f\v'.includes(char)

export const readSource = (text: string): Source | Problem => {
  const fail = (line: number, message: string): Problem => ({ level: 'error', line, path: '', message })
  if (text.length > LARGEST) return fail(0, 'the file is larger than 4 MiB')
  // Of the characters that YAML 1.2 does not take (5.1), those that show that it is no text at all.
  const odd = [...text.slice(0, SAMPLE)].findIndex(isControl)
  if (odd >= 0) return fail(text.slice(0, odd).split('\n').length, 'not a text file: it holds control characters')
  if (text.trim() === '') return fail(1, 'the file is empty')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: true, stringKeys: true })
  // Bytes in hexadecimal look like numbers: `0000000107` is kept as it is written.
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'number' && node.source !== undefined && node.source !== String(node.value)) {
        node.value = node.source
      }
    },
  })
  const [error] = document.errors
  if (error) return fail(error.linePos?.[0].line ?? 0, `not YAML: ${error.message.split('\n')[0]}`)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    return fail(0, `not YAML: ${cause instanceof Error ? cause.message : cause}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(1, 'a template is a map of fields, beginning with id and info')
  return {
    value: value as Record<string, unknown>,
    lineOf: (path) => {
      const offset = offsetOf(document.contents, path)
      return offset === null ? 0 : lines.linePos(offset).line
    },
  }
}

/** Of the key where there is one, else of the deepest place that exists. */
const offsetOf = (root: Node | null, path: Path): number | null => {
  let node: unknown = root
  let offset = root?.range?.[0] ?? null
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === step)
      if (!pair) return offset
      if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      const range = (node as Node | undefined)?.range
      if (range) offset = range[0]
    } else return offset
  }
  return offset
}
