/**
 * Descriptions of strangers: a folder of OpenAPI documents and their like, given by whoever runs this (`node bench/descriptions.ts
 * FOLDER`). Says which share of the operations that they describe is taken, and each reason for which others are not.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { type Description, type SourceFile, Unreadable } from '../src/descriptions/operation.ts'
import { readDescriptions } from '../src/descriptions/read.ts'
import { publish, row } from './table.ts'

const ROOT = /["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.|_postman_id|<(?:\w+:)?definitions[\s>]/
const REFERENCE = /["']?\$ref["']?\s*:\s*["']?([^"'#\s][^"'#\s]*)/g
const OPTIONS = { path: null, host: null, foundAt: null }

/** The file with all that it refers to within the folder. */
const withParts = (folder: string, main: string): readonly SourceFile[] => {
  const files = new Map<string, string>()
  const waiting = [main]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const text = files.has(name) ? null : textOf(join(folder, name))
    if (text === null) continue
    files.set(name, text)
    for (const [, address = ''] of text.matchAll(REFERENCE)) {
      const part = normalize(join(dirname(name), decodeURI(address)))
      if (!/^[a-z]+:/i.test(address) && !part.startsWith('..')) waiting.push(part)
    }
  }
  return [...files].map(([name, text]) => ({ name, text }))
}

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null // A part that the folder does not have: a refusal says so.
    throw error
  }
}

interface Outcome {
  readonly name: string
  readonly read: Description | null
  /** In place of operations: a sentence, or what the reader threw. */
  readonly unreadable: string | null
  readonly crash: string | null
  readonly milliseconds: number
}

const outcomeOf = (folder: string, name: string): Outcome => {
  const began = performance.now()
  const end = (rest: Partial<Outcome>): Outcome => ({
    ...{ name, read: null, unreadable: null, crash: null, milliseconds: performance.now() - began, ...rest },
  })
  try {
    const files = withParts(folder, name)
    const [read] = readDescriptions(files, OPTIONS)
    return end({ read: read ?? null })
  } catch (error) {
    if (error instanceof Unreadable) return end({ unreadable: error.message.replace(/^.*?: /, '') })
    return end({ crash: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Say which folder: node bench/descriptions.ts FOLDER')
const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((one) => one.isFile() && /\.(?:json|ya?ml|wsdl|har)$/i.test(one.name))
  .map((one) => relative(folder, join(one.parentPath, one.name)))
  .filter((name) => ROOT.test(readFileSync(join(folder, name), 'utf8').slice(0, 20_000)))
  .toSorted()
const outcomes = names.map((name) => outcomeOf(folder, name))
const read = outcomes.flatMap((one) => (one.read === null ? [] : [one.read]))
const reasons = Map.groupBy(
  [
    ...read.flatMap(({ refused }) => refused.map(({ reason }) => reason.replace(/ (?:\/|the file )\S+/g, ' …'))),
    ...outcomes.flatMap(({ unreadable }) => (unreadable === null ? [] : [`whole: ${unreadable}`])),
  ],
  (reason) => reason,
)
for (const { name, crash } of outcomes) if (crash !== null) process.stderr.write(`${name}: ${crash}\n`)
for (const [reason, all] of [...reasons].toSorted(([, a], [, b]) => b.length - a.length))
  process.stdout.write(`${all.length} refused: ${reason}\n`)
for (const { name, unreadable } of outcomes) if (unreadable !== null) process.stdout.write(`${name}: ${unreadable}\n`)
const slowest = outcomes.toSorted((a, b) => b.milliseconds - a.milliseconds)[0]
if (slowest) process.stdout.write(`slowest: ${slowest.name}, ${Math.round(slowest.milliseconds)} ms\n`)
const described = sum(read.map((one) => one.described))
const taken = sum(read.map((one) => one.operations.length))
publish('descriptions', [
  row({ id: 'documents', what: 'documents', unit: 'documents', ours: outcomes.length }),
  row({
    ...{ id: 'crashes', what: 'documents that no sentence answers', unit: 'documents' },
    ours: outcomes.filter(({ crash }) => crash !== null).length,
    target: { text: '0', met: (ours) => ours === 0 },
  }),
  row({ id: 'unreadable', what: 'documents refused whole', unit: 'documents', ours: outcomes.length - read.length }),
  row({ id: 'described', what: 'operations described', unit: 'operations', ours: described }),
  row({
    ...{
      id: 'taken',
      what: 'operations taken ÷ described',
      unit: '%',
      ours: described === 0 ? 0 : (100 * taken) / described,
    },
  }),
])
