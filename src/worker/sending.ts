/** What an active run would send, and what it may have left behind, from the facts of its modules. */
import { z } from 'zod'
import type { FactTable } from '../contract/findings-file.ts'
import { PlannedRequest, type Sending, type WrittenRequest } from '../contract/sending.ts'
import { isSecretName } from '../page/names.ts'
import type { ModuleRecord } from '../store/modules.ts'

const Requests = z.array(
  z.object({
    ...{ id: z.string(), method: z.string(), url: z.string(), effect: z.string().optional() },
    ...{
      tried: z.int().optional(),
      fields: z.array(z.object({ name: z.string(), type: z.string(), value: z.string().optional() })),
    },
    ...{ encoding: z.string().nullish(), body: z.string().nullish() },
  }),
)
const Crawl = z.object({
  marker: z.string().optional(),
  planned: z.array(PlannedRequest).optional(),
  requests: Requests,
  /** What other identities of the run are led to alone. */
  others: z.array(z.object({ requests: Requests })).default([]),
})
const Values = z.array(z.object({ field: z.string(), value: z.string() }))
const Probing = z.object({
  written: z.record(z.string(), z.int()),
  writtenValues: z.record(z.string(), Values).optional(),
  putBack: z.array(z.string()).optional(),
})

const MOST_ROWS = 200

/** For the appendix of the report. */
export const sendingTables = ({ planned, written }: Sending): readonly FactTable[] => [
  ...(planned === undefined ? [] : [plannedTable(planned)]),
  ...(written.length === 0 ? [] : [writtenTable(written)]),
]

const plannedTable = (planned: readonly PlannedRequest[]): FactTable => ({
  ...{ id: 'crawl/planned', module: 'crawl', title: 'What an active run would send' },
  columns: ['Decision', 'Method', 'Address', 'Places', 'Why'],
  rows: planned
    .slice(0, MOST_ROWS)
    .map(({ decision, method, url, places, reason }) => [decision, method, url, String(places), reason ?? '']),
})

const writtenTable = (written: readonly WrittenRequest[]): FactTable => ({
  ...{ id: 'crawl/written', module: 'crawl', title: 'What may have been written, for cleaning up' },
  columns: ['Method', 'Address', 'Fields', 'Times', 'Put back', 'Values without the marker'],
  rows: written
    .slice(0, MOST_ROWS)
    .map(({ method, url, fields, times, put_back, values = [] }) => [
      ...[method, url, fields.join(', '), String(times)],
      ...[put_back === true ? 'yes' : '', valuesText(values)],
    ]),
})

/** The first of them; findings.json has all. */
const valuesText = (values: readonly { readonly field: string; readonly value: string }[]): string => {
  const shown = values.slice(0, SHOWN).map(({ field, value }) => `${field}: ${value.slice(0, LONGEST_SHOWN)}`)
  return [...shown, ...(values.length > SHOWN ? [`and ${values.length - SHOWN} more`] : [])].join('; ')
}
const [SHOWN, LONGEST_SHOWN] = [5, 40]

/** Null where nothing was crawled. */
export const sendingOf = (modules: readonly Pick<ModuleRecord, 'module' | 'facts'>[]): Sending | null => {
  const crawl = Crawl.safeParse(modules.find(({ module }) => module === 'crawl')?.facts)
  if (!crawl.success) return null
  const { marker, planned, others } = crawl.data
  const all = [crawl.data, ...others].flatMap((one) => one.requests)
  const requests = [...new Map(all.map((one) => [one.id, one])).values()]
  const probed = modules.flatMap(({ facts }) => {
    const probing = Probing.safeParse(facts)
    return probing.success ? [probing.data] : []
  })
  const back = new Set(probed.flatMap(({ putBack = [] }) => putBack))
  const written = requests.flatMap(({ id, method, url, fields, effect, tried = 0, ...sent }): WrittenRequest[] => {
    // Each module tells what all had sent by its own end.
    const times = (effect === 'reads' ? 0 : tried) + Math.max(0, ...probed.map(({ written }) => written[id] ?? 0))
    if (times === 0) return []
    const filled = fields.filter(({ type }) => type !== 'hidden')
    const members = filled.length === 0 && sent.encoding === 'json' ? membersOfJson(sent.body ?? '') : null
    const named = members?.map(({ name }) => name) ?? filled.map(({ name }) => name)
    // It was sent with its own values, too, of which a password or a token is nobody's to read.
    const own = (members ?? filled.filter(({ type }) => type !== 'password'))
      .filter(({ name }) => !isSecretName(name))
      .filter(({ value = '' }) => value !== '' && (marker === undefined || !value.includes(marker)))
      .map(({ name, value = '' }) => ({ field: members ? `/${name}` : name, value: value.slice(0, LONGEST) }))
    const values = [...own, ...probed.flatMap(({ writtenValues = {} }) => writtenValues[id] ?? [])]
    const unmarked = new Map(values.map((one) => [`${one.field} ${one.value}`, one]))
    const told = unmarked.size === 0 ? {} : { values: [...unmarked.values()] }
    return [{ method, url, fields: [...named], ...told, times, put_back: back.has(id) }]
  })
  return { ...(planned === undefined ? {} : { planned }), marker: marker ?? null, written }
}

/** The outermost members of a body in JSON, with texts and numbers as texts. */
const membersOfJson = (body: string): readonly { readonly name: string; readonly value: string }[] => {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const members = Object.entries(value).slice(0, MOST_ROWS)
    return members.map(([name, one]) => ({ name, value: typeof one === 'object' ? '' : String(one) }))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return [] // No JSON after all.
  }
}
/** Characters of a value. */
const LONGEST = 100
