/**
 * Stacks that an error gives as data: a list of frames in a document of JSON (RFC 8259), each with its file and line, as frameworks answer while
 * they debug, or the lines of a stack as a list of texts.
 */
import { jsonTreeOf } from '../../../page/json.ts'
import { findTraces, type Trace } from './traces.ts'

/** By the end of a file's name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ php: 'PHP', phtml: 'PHP', inc: 'PHP', ctp: 'PHP', py: 'Python', rb: 'Ruby', erb: 'Ruby', go: 'Go' },
  ...{ java: 'Java', kt: 'Java', scala: 'Java', groovy: 'Java', cs: '.NET', vb: '.NET' },
  ...{ js: 'Node.js', cjs: 'Node.js', mjs: 'Node.js', ts: 'Node.js' },
}
const MOST_LINES = 6
/** Fewer may be a list of files. */
const LEAST = 2
const DEEPEST = 12
const LONGEST = 2_000_000

/** The first of a document; null where it is none, or has none. */
export const findListedTrace = (body: string): Trace | null => {
  if (body.length > LONGEST || !/^\s{0,100}[[{]/.test(body)) return null
  const document = jsonTreeOf(body)
  return document === undefined ? null : traceIn(document, 0)
}

const traceIn = (value: unknown, depth: number): Trace | null => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null
  const members: readonly unknown[] = Object.values(value)
  const frames = Array.isArray(value) ? members.flatMap((one) => frameOf(one) ?? []) : []
  const [first] = frames
  if (first && frames.length >= LEAST)
    return { language: first.language, lines: frames.slice(0, MOST_LINES).map(({ line }) => line) }
  const texts = Array.isArray(value) ? members.filter((one) => typeof one === 'string') : []
  const [printed] = texts.length < LEAST ? [] : findTraces(texts.join('\n'))
  if (printed) return printed
  for (const member of members) {
    const found = traceIn(member, depth + 1)
    if (found) return found
  }
  return null
}

/** A file with its line, and what ran there: PHP's `file`, `line` and `function`, Java's `className`, `methodName` and `lineNumber`, and names between. */
const frameOf = (value: unknown): { readonly language: string; readonly line: string } | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const members = new Map(
    Object.entries(value).map(([name, one]) => [name.toLowerCase().replaceAll(/[^a-z]/g, ''), one]),
  )
  const textOf = (...names: readonly string[]): string =>
    names.map((name) => members.get(name)).find((one) => typeof one === 'string' && one !== '') ?? ''
  const line = ['line', 'lineno', 'linenumber']
    .map((name) => members.get(name))
    .find((one) => /^\d{1,7}$/.test(String(one)))
  const file = textOf('file', 'filename', 'path')
  const runs = textOf('function', 'functionname', 'method', 'methodname', 'name')
  const language = LANGUAGES[/\.([a-z]{2,6})$/i.exec(file)?.[1]?.toLowerCase() ?? '']
  // A file that is written about has a line as well; a frame says what runs.
  if (line === undefined || language === undefined || runs === '') return null
  const place = textOf('class', 'classname', 'module')
  return { language, line: `${file}:${line} ${place === '' ? '' : `${place} `}${runs}` }
}
