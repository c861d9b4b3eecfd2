/** Payload lists: inline, of several lines, or in a file beside the templates. */
import type { Attack, Payloads } from '../template.ts'
import type { Fields } from './fields.ts'

/** Lines of a file of the catalogue; null where there is none. Never outside of the catalogue's folder. */
export type ReadList = (file: string) => readonly string[] | null

/** Longer lists stay in their file and are read when they are needed. */
const LONGEST = 1_000

const ATTACKS: readonly Attack[] = ['batteringram', 'pitchfork', 'clusterbomb']

export const parsePayloads = (
  fields: Fields,
  readList: ReadList,
): { readonly payloads: Payloads; readonly attack: Attack } => {
  const given = fields.text('attack')
  const attack = ATTACKS.find((one) => one === given?.toLowerCase()) ?? 'batteringram'
  if (given === 'sniper')
    fields.error('attack', 'attack "sniper" does not exist; batteringram is one list after another')
  else if (given !== null && given !== '' && given.toLowerCase() !== attack) {
    fields.error('attack', `attack has to be one of ${ATTACKS.join(', ')}; it is "${given}"`)
  }
  const value = fields.raw('payloads')
  if (value === undefined || value === null) return { payloads: [], attack }
  if (typeof value !== 'object' || Array.isArray(value)) {
    fields.error('payloads', 'payloads has to be a map of lists')
    return { payloads: [], attack }
  }
  const payloads: [string, readonly string[] | { readonly file: string }][] = []
  for (const [name, list] of Object.entries(value as Record<string, unknown>)) {
    const values = listOf(list, readList)
    if (values === null) fields.defect('payloads', `the list ${name} is neither values nor a file of the catalogue`)
    else if ('file' in values || values.length > 0) payloads.push([name, values])
    else fields.error('payloads', `the list ${name} is empty`)
  }
  if (attack === 'pitchfork') checkEqual(fields, payloads)
  return { payloads, attack }
}

const listOf = (list: unknown, readList: ReadList): readonly string[] | { readonly file: string } | null => {
  if (Array.isArray(list)) return list.map((item) => (item === null ? '' : String(item)))
  if (typeof list === 'number' || typeof list === 'boolean') return [String(list)]
  if (typeof list !== 'string') return null
  if (list.includes('\n')) return linesOf(list)
  const lines = readList(list)
  // A single word without a file's look is a list of one.
  if (lines === null) return /[/\\]|\.\w{1,5}$/.test(list) ? null : [list]
  return lines.length > LONGEST ? { file: list } : lines
}

export const linesOf = (text: string): readonly string[] =>
  text.split(/\r?\n/).filter((line, index, all) => line !== '' || index < all.length - 1)

const checkEqual = (fields: Fields, payloads: Payloads): void => {
  const sizes = new Set(payloads.flatMap(([, list]) => ('file' in list ? [] : [list.length])))
  if (sizes.size > 1) fields.defect('payloads', 'pitchfork stops at the end of the shortest list')
}
