/**
 * The schemas of the OpenAPI document by their names. Whatever the contract exports under a name has it here too, wherever it is
 * nested: a generator then makes one type of it and not one for each place.
 */
import { z } from 'zod'
import * as account from './account.ts'
import * as artifact from './artifact.ts'
import * as batch from './batch.ts'
import * as comparison from './comparison.ts'
import * as description from './description.ts'
import * as domain from './domain.ts'
import * as domainFinding from './domain-finding.ts'
import * as domainImport from './domain-import.ts'
import * as domainLogin from './domain-login.ts'
import * as domainTriage from './domain-triage.ts'
import * as dueDays from './due-days.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import * as event from './event.ts'
import * as finding from './finding.ts'
import * as findingsFile from './findings-file.ts'
import * as hold from './hold.ts'
import * as identity from './identity.ts'
import * as judgingAgain from './judging-again.ts'
import * as language from './language.ts'
import * as organisation from './organisation.ts'
import * as overview from './overview.ts'
import * as problem from './problem.ts'
import { PROBLEMS, type ProblemCode } from './problem.ts'
import * as reach from './reach.ts'
import * as report from './report.ts'
import * as retest from './retest.ts'
import * as run from './run.ts'
import * as savedView from './saved-view.ts'
import * as schedule from './schedule.ts'
import * as sending from './sending.ts'
import * as service from './service.ts'
import * as session from './session.ts'
import * as signIn from './sign-in.ts'
import * as totp from './totp.ts'
import * as webhook from './webhook.ts'

export type Json = Record<string, unknown>
type Io = 'input' | 'output'
type Named = readonly (readonly [name: string, schema: z.ZodType])[]

export const schemaRef = (name: string): Json => ({ $ref: refTo(name) })

/** `scan_not_found` is `ScanNotFoundProblem`. */
export const problemName = (code: ProblemCode): string =>
  `${code.replace(/(?:^|_)(.)/g, (_all, letter: string) => letter.toUpperCase())}Problem`

export const componentSchemas = (): Record<string, Json> => {
  const outputs = schemas('output', answered())
  const inputs = schemas('input', taken())
  const two = Object.keys(inputs).filter((id) => id in outputs && text(inputs[id]) !== text(outputs[id]))
  if (two.length > 0) throw new Error(`taken otherwise than answered, under one name: ${two.join(', ')}`)
  return { ...outputs, ...inputs, ...problems() }
}

const CONTRACT = [
  account,
  artifact,
  batch,
  comparison,
  description,
  domainFinding,
  domainImport,
  domainLogin,
  domainTriage,
  domain,
  dueDays,
  event,
  finding,
  findingsFile,
  hold,
  identity,
  judgingAgain,
  language,
  organisation,
  overview,
  problem,
  reach,
  report,
  retest,
  run,
  savedView,
  schedule,
  sending,
  service,
  session,
  signIn,
  totp,
  webhook,
] as const

/** Where two files of the contract have the same word for things of their own. */
const OTHER_NAMES = new Map<unknown, string>([[finding.Proof, 'FindingProof']])

/** Queries are parameters one by one and no schema; what others are made of is none by itself. */
const NO_SCHEMA = /^(?:List|Count)[A-Z]|Fields$/

/** What the contract exports: objects and lists of words, not every string. */
const exported = (): Named =>
  CONTRACT.flatMap((module) => Object.entries(module)).flatMap(([name, value]) =>
    (value instanceof z.ZodObject || value instanceof z.ZodEnum) && !NO_SCHEMA.test(name)
      ? [[OTHER_NAMES.get(value) ?? name, value as z.ZodType] as const]
      : [],
  )

const ROWS: readonly Endpoint[] = Object.values(ENDPOINTS)

const answered = (): Named => [
  ['Problem', problem.Problem],
  ['ProgressEvent', event.ProgressEvent],
  ['AuditLine', event.AuditLine],
  ['FindingsFile', findingsFile.FindingsFile],
  ...ROWS.flatMap(({ responses }) =>
    Object.values(responses).flatMap((of) => (of.kind === 'json' ? [[of.name, of.schema] as const] : [])),
  ),
]

const taken = (): Named => [
  // Written into files by hand, so that a program can check them before they are sent.
  ...Object.entries({
    ...{ StepsSignIn: signIn.StepsSignIn, RequestSignIn: signIn.RequestSignIn, OAuth2SignIn: signIn.OAuth2SignIn },
    ...{ Proof: signIn.Proof, Totp: totp.Totp },
  }),
  ...ROWS.flatMap(({ bodyName, body }) =>
    bodyName === undefined || body === undefined ? [] : [[bodyName, body] as const],
  ),
]

/** Those that are named, and what they are made of as far as that has a name. @throws where two schemas have one name */
const schemas = (io: Io, named: Named): Record<string, Json> => {
  const registry = z.registry<{ id: string }>()
  const names = new Map<string, z.ZodType>()
  for (const [id, schema] of [...named, ...exported()]) {
    const other = names.get(id)
    if (registry.has(schema) && other === undefined) continue
    if (other !== undefined && other !== schema) throw new Error(`two schemas of the contract are called ${id}`)
    names.set(id, schema)
    registry.add(schema, { id })
  }
  const made = z.toJSONSchema(registry, { io, override, uri: (id) => refTo(id) }).schemas as Record<string, Json>
  const wanted = new Set<string>()
  const want = (id: string): void => {
    if (wanted.has(id)) return
    wanted.add(id)
    for (const below of refsIn(made[id])) want(below)
  }
  for (const [id] of named) want(id)
  return Object.fromEntries([...wanted].map((id) => [id, bare(made[id] ?? {})]))
}

/** RFC 9457, one for each code. */
const problems = (): Record<string, Json> =>
  Object.fromEntries(
    (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => [
      problemName(code),
      {
        allOf: [schemaRef('Problem')],
        properties: { status: { const: PROBLEMS[code].status }, code: { const: code } },
        description: PROBLEMS[code].title,
      },
    ]),
  )

export const jsonSchema = (schema: z.ZodType, io: Io): Json => bare(z.toJSONSchema(schema, { io, override }) as Json)

const refTo = (id: string): string => `#/components/schemas/${id}`
const REF = /"#\/components\/schemas\/(\w+)"/g
const text = (schema: unknown): string => JSON.stringify(schema) ?? ''
const refsIn = (schema: unknown): readonly string[] => [...text(schema).matchAll(REF)].map(([, below = '']) => below)

const bare = ({ $schema: _schema, $id: _id, ...rest }: Json): Json => rest

/** The formats say it; zod's patterns for them would fill half the document. */
const override = ({ jsonSchema: made }: { jsonSchema: Json }): void => {
  if (made.format === 'uuid' || made.format === 'date-time') delete made.pattern
  // A default that only stands for absence.
  if (made.default === '') delete made.default
  if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum
}
