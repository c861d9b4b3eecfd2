/**
 * Thousands of generated requests, good and bad, for every endpoint of the OpenAPI document: never a 5xx, and every answer
 * is one that the document allows. Repeat a failure with SONDE_SEED; SONDE_LONG=1 sends forty times as many.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, type OpenApi, type Operation, openApi as openApiDocument } from '../src/contract/openapi.ts'
import { sampleFile } from '../src/report/testing/sample.ts'
import { createKey } from '../src/store/api-keys.ts'
import { signInMember } from '../src/store/members.ts'
import { addFindings, finishWith, keyWith, openApi, startNext, type TestApi, verify } from './support/api.ts'
import { addMatrix, matrixFacts } from './support/matrix.ts'
import fc from './support/properties.ts'
import { junk, valid } from './support/schema-arbitrary.ts'

/** Some twelve an endpoint. */
const REQUESTS = process.env.SONDE_LONG === '1' ? 50_000 : 1_560
const SEED = fc.readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31)

const document: OpenApi = openApiDocument('0.1.0')
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'sonde', ...document })

interface Target {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}
const TARGETS: readonly Target[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
)

let api: TestApi
/** Objects that exist, so that good requests find something. */
let known: {
  readonly run: string
  readonly hypothesis: string
  readonly finding: string
  readonly file: string
  readonly cursor: string
  readonly artifact: string
  readonly webhook: string
  readonly schedule: string
  readonly batch: string
  readonly member: string
  readonly agent: string
  readonly agentToken: string
}
let keys: readonly (string | null)[]

beforeAll(async () => {
  api = await openApi({ mail: true })
  const start = () => api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
  await start()
  const held = await startNext(api.db)
  await addFindings(api.db, held, [{}, {}, {}])
  await addMatrix(api.db, held, matrixFacts(20))
  const files = await finishWith(api, held, [
    { kind: 'report_pdf', filename: 'report.pdf', body: '%PDF', contentType: 'application/pdf' },
    { kind: 'findings_json', filename: 'findings.json', body: JSON.stringify(sampleFile()) },
    { kind: 'audit_log', filename: 'audit-log.jsonl', body: '{}' },
    { kind: 'report_tex', filename: 'report.tex', body: 'tex' },
    { kind: 'branding_logo', filename: 'logo.png', body: 'png' },
    { kind: 'evidence', filename: 'evidence.zip', body: 'zip' },
  ])
  await start()
  for (let count = 0; count < 20; count += 1) {
    const domain = await api.send('POST', '/v1/domains', { body: { domain: `d${count}.example.com` } })
    made.deleteDomain.push(domain.json().id)
    made.cancelScan.push((await start()).json().id)
  }
  const hook = { url: 'https://hooks.example.com/' }
  const webhook = (await api.send('POST', '/v1/webhooks', { body: hook })).json().id
  for (let count = 0; count < 5; count += 1) {
    made.deleteWebhook.push((await api.send('POST', '/v1/webhooks', { body: hook })).json().id)
    const receiver = { address: `r${count}@example.com` }
    made.deleteMailSubscription.push((await api.send('POST', '/v1/mail-subscriptions', { body: receiver })).json().id)
  }
  const rhythm = { every: 'day', at: '03:00' }
  const weekly = { domain_id: api.mine.domainId, rhythm }
  const schedule = (await api.send('POST', '/v1/schedules', { body: weekly })).json().id
  for (let count = 0; count < 5; count += 1) {
    made.deleteSchedule.push((await api.send('POST', '/v1/schedules', { body: weekly })).json().id)
  }
  const many = { domain_ids: [api.mine.domainId] }
  const batch = (await api.send('POST', '/v1/batches', { body: many })).json().id
  for (let count = 0; count < 5; count += 1) {
    made.cancelBatch.push((await api.send('POST', '/v1/batches', { body: many })).json().id)
  }
  const { next_cursor } = (await api.send('GET', '/v1/scans?limit=1')).json()
  const [finding] = (await api.send('GET', `/v1/scans/${held.runId}/findings`)).json().items
  await api.send('POST', `/v1/scans/${held.runId}/findings/${finding.id}/retest`, { body: {} })
  const { url } = (await api.send('GET', `/v1/scans/${held.runId}/artifacts/report_pdf/url`)).json()
  await verify(api.db, api.mine.domainId)
  const supposed = { weakness: 'sqli', request: { url: '/?q=1' }, point: { in: 'query', name: 'q' } }
  const hypothesis = (await api.send('POST', `/v1/domains/${api.mine.domainId}/hypotheses`, { body: supposed })).json()
    .id
  const limited = await createKey(api.db, keyWith(api.mine.organisationId, ['scans:read']))
  const artifact = files.at(-1) ?? ''
  for (let count = 0; count < 12; count += 1) made.removeMember.push((await addMember(`p${count}`)).id)
  const { id: member } = await addMember('stays')
  const newAgent = async (name: string) => (await api.send('POST', '/v1/agents', { body: { name } })).json()
  // One to be revoked, and one that calls.
  const [leaving, working] = [await newAgent('leaves'), await newAgent('stays')]
  known = {
    ...{ artifact, member, webhook, schedule, batch, hypothesis, agent: leaving.agent.id, agentToken: working.token },
    run: held.runId,
    finding: finding.id,
    file: url.replace('http://sonde.test', ''),
    cursor: next_cursor,
  }
  keys = [api.mine.secret, api.mine.secret, api.mine.secret, api.other.secret, limited.secret, 'wrong', null]
})
afterAll(() => api.close())

const addMember = async (subject: string): Promise<{ id: string }> => {
  const about = { issuer: 'https://id.example.com', subject, name: subject, email: null }
  const member = await signInMember(api.db, { organisationId: api.mine.organisationId, ...about }, 'reader')
  if (member === null) throw new Error('not added')
  return member
}

interface Request {
  readonly target: Target
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly payload: string | Buffer; readonly type: string } | null
  readonly key: number
}

const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>, weight = 6): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: good, weight }, { arbitrary: bad, weight: 1 })

const parameters = (
  operation: Operation,
  place: 'path' | 'query' | 'header',
): fc.Arbitrary<Record<string, unknown>> => {
  const own = operation.parameters.filter((parameter) => parameter.in === place)
  const values = Object.fromEntries(own.map(({ name, schema }) => [name, mostly(goodValue(name, schema), junk)]))
  const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name)
  return fc.record(values, { requiredKeys }).map((made) => ({ ...made }))
}

const goodValue = (name: string, schema: Json): fc.Arbitrary<unknown> => {
  if (name === 'cursor') return fc.constant('$cursor')
  if (name === 'artifact_id') return fc.constant('$artifact')
  if (name === 'Range') return fc.constantFrom('bytes=0-1', 'bytes=-2', 'bytes=9-')
  if (name === 'Last-Event-ID') return fc.nat({ max: 20 }).map(String)
  return valid(schema, document)
}

const body = (operation: Operation): fc.Arbitrary<Request['body']> => {
  const content = (operation.requestBody?.content ?? {}) as Record<string, { schema: Json }>
  const schema = content['application/json']?.schema
  const type = mostly(
    fc.constant('application/json'),
    fc.constantFrom('text/plain', 'application/xml', '', 'a/b;c'),
    15,
  )
  const asJson = (value: unknown): string => JSON.stringify(value) ?? ''
  if (schema === undefined) {
    const usual = operation.operationId === 'callMcp' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : ''
    const some = fc.record({ payload: mostly(fc.constant(usual), junk.map(asJson)), type })
    return fc.option(some, { freq: 3, nil: null })
  }
  const good = valid(schema, document)
  // Where any JSON is taken, it may be none.
  const parts = good.map((of): object => Object(of ?? {}))
  const mutated = fc.tuple(parts, fc.string(), junk).map(([of, name, value]) => ({ ...of, [name]: value }))
  const replaced = fc.tuple(parts, fc.nat(), junk).map(([of, at, value]) => {
    const names = Object.keys(of)
    return { ...of, [names[at % names.length] ?? 'domain_id']: value }
  })
  const bytes = fc.uint8Array({ maxLength: 60 }).map((given) => Buffer.from(given))
  const payload = fc.oneof(
    { arbitrary: good.map(asJson), weight: 6 },
    { arbitrary: fc.oneof(mutated, replaced, junk).map(asJson), weight: 6 },
    {
      arbitrary: fc.oneof(bytes, fc.string(), fc.constant('['.repeat(50_000)), fc.constant('x'.repeat(70_000))),
      weight: 1,
    },
  )
  return fc.record({ payload, type })
}

const accept = mostly<string | undefined>(
  fc.constantFrom(undefined, '*/*', 'application/json, text/event-stream', '*/*;q=0.5'),
  fc.constantFrom('text/html', '', ';;;,,q=', 'application/json;q=0', 'a'.repeat(3000)),
  10,
)

const request: fc.Arbitrary<Request> = fc.constantFrom(...TARGETS).chain((target) =>
  fc.record({
    target: fc.constant(target),
    path: parameters(target.operation, 'path'),
    query: fc.oneof(
      { arbitrary: parameters(target.operation, 'query'), weight: 6 },
      { arbitrary: fc.constant({}), weight: 3 },
      { arbitrary: fc.dictionary(fc.string({ maxLength: 12 }), junk, { maxKeys: 3 }), weight: 1 },
    ),
    headers: fc
      .tuple(parameters(target.operation, 'header'), accept)
      .map(([own, type]) => ({ ...headersOf(own), ...(type === undefined ? {} : { accept: type }) })),
    body: body(target.operation),
    key: fc.nat(),
  }),
)

/** What HTTP can carry: visible Latin-1. */
const headersOf = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value).replace(/[^\x20-\x7e]/g, '?')]))

const send = ({ target, path, query, headers, body, key }: Request): Promise<LightMyRequestResponse> => {
  const given = keys[key % keys.length]
  const ofAgent = /^\/v1\/agent(?:\/|$)/.test(target.path)
  const secret = ofAgent && given === api.mine.secret ? known.agentToken : given
  const isFile = target.path.startsWith('/files/')
  const route = target.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(knownOr(target, name, path[name], key)))
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(queryValue(value))}`)
  const url = isFile && key % 2 === 0 ? known.file : `${route}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
  return api.app.inject({
    method: target.method.toUpperCase() as 'GET',
    url,
    headers: {
      ...headers,
      ...(secret === null || secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...(body === null || body.type === '' ? {} : { 'content-type': body.type }),
    },
    ...(body === null ? {} : { payload: known === undefined ? body.payload : withKnown(body.payload, key) }),
  })
}

const queryValue = (value: unknown): unknown => {
  if (value === '$cursor') return known.cursor
  if (value === '$artifact') return known.artifact
  return Array.isArray(value) ? value.join() : value
}

/** Objects that the requests themselves made, to be used up by cancels and deletions. */
const made = {
  cancelBatch: [] as string[],
  cancelScan: [] as string[],
  deleteDomain: [] as string[],
  deleteSchedule: [] as string[],
  deleteWebhook: [] as string[],
  deleteMailSubscription: [] as string[],
  revokeKey: [] as string[],
  removeMember: [] as string[],
}
const isUsedUp = (id: string): id is keyof typeof made => Object.hasOwn(made, id)
const remember = ({ target }: Request, response: LightMyRequestResponse): void => {
  const id = target.operation.operationId
  if (id === 'startScan' && response.statusCode === 202) made.cancelScan.push(response.json().id)
  if (id === 'createWebhook' && response.statusCode === 201) made.deleteWebhook.push(response.json().id)
  if (id === 'createDomain' && response.statusCode === 201) made.deleteDomain.push(response.json().id)
  if (id === 'createKey' && response.statusCode === 201) made.revokeKey.push(response.json().key.id)
}

/** Half of the ids name something that is there. A live stream never ends, so a stream's good id is the done run's. */
const knownOr = (target: Target, name: string, value: unknown, key: number): unknown => {
  if (key % 2 === 1) return value
  if (name === 'finding_id') return known.finding
  if (name !== 'id') return value
  const id = target.operation.operationId
  const mine = keys[key % keys.length] === api.mine.secret
  if (mine && isUsedUp(id)) return made[id].pop() ?? value
  if (id === 'readHypothesis') return known.hypothesis
  if (target.path.startsWith('/v1/webhooks')) return known.webhook
  if (target.path.startsWith('/v1/schedules')) return known.schedule
  if (target.path.startsWith('/v1/batches')) return known.batch
  if (target.path.startsWith('/v1/members')) return known.member
  if (target.path.startsWith('/v1/keys')) return value
  if (target.path.startsWith('/v1/agents')) return known.agent
  return target.path.startsWith('/v1/domains') ? api.mine.domainId : known.run
}
const withKnown = (payload: string | Buffer, key: number): string | Buffer =>
  typeof payload === 'string' && key % 2 === 0
    ? payload
        .replace(/"domain_id":"[^"]*"/, `"domain_id":"${api.mine.domainId}"`)
        .replace(/"domain":"[^"]*"/, `"domain":"n${key}.example.com"`)
        .replace(/"domains":\["[^\]]*\]/, `"domains":["n${key}.example.com"]`)
        .replace(/"exclude":\[[^\]]*\]/, '"exclude":["/admin/**"]')
        .replace(/"rhythm":\{[^}]*\}/, '"rhythm":{"every":"day","at":"03:00"}')
        .replace(/"time_zone":"[^"]*"/, '"time_zone":"UTC"')
        .replace(/"quiet_hours":\{[^}]*\}/, '"quiet_hours":null')
        .replace(/"url":"[^"]*"/, '"url":"https://hooks.example.com/"')
        .replace(/"address":"[^"]*"/, `"address":"n${key}@example.com"`)
        .replace(/"api_key":"[^"]*"/, `"api_key":"${api.mine.secret}"`)
        .replace(/"logo":"[^"]*"/, '"logo":"iVBORw0KGgo="')
    : payload

const encode = (value: unknown): string =>
  encodeURIComponent(String(typeof value === 'object' ? JSON.stringify(value) : value).toWellFormed())

const validators = new Map<string, ValidateFunction>()
const validatorOf = (pointer: string): ValidateFunction => {
  const made = validators.get(pointer) ?? ajv.compile({ $ref: `sonde#${pointer}` })
  validators.set(pointer, made)
  return made
}
const escapePointer = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Null when the document allows the answer, else what is wrong with it. */
const wrongWith = ({ target }: Request, response: LightMyRequestResponse): string | null => {
  const status = response.statusCode
  if (status >= 500) return `answered ${status}: ${response.body}`
  for (const name of ['x-request-id', 'ratelimit', 'ratelimit-policy', 'x-content-type-options']) {
    if (response.headers[name] === undefined) return `has no ${name}`
  }
  const type = String(response.headers['content-type'] ?? '').split(';')[0] ?? ''
  // A path that was altered beyond recognition is another path.
  if (type === 'application/problem+json' && ['not_found', 'method_not_allowed'].includes(response.json().code)) {
    return invalid('/components/schemas/Problem', response.json())
  }
  const documented = target.operation.responses[String(status)] as { content?: Record<string, Json> } | undefined
  if (documented === undefined) return `answered ${status}, which is not documented: ${response.body}`
  if (documented.content === undefined) return response.body === '' ? null : 'has a body where none is documented'
  const media = documented.content[type] === undefined ? '*/*' : type
  if (documented.content[media] === undefined) return `answered ${status} as ${type}, which is not documented`
  if (documented.content[media].schema === undefined) return null
  const at = ['paths', target.path, target.method, 'responses', String(status), 'content', media, 'schema']
  return invalid(`/${at.map(escapePointer).join('/')}`, response.json())
}
const invalid = (pointer: string, value: unknown): string | null => {
  const validate = validatorOf(pointer)
  return validate(value) ? null : `${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`
}

test(`${REQUESTS} requests, seed ${SEED}`, { timeout: 120_000 + REQUESTS * 60 }, async () => {
  const seen = new Map<string, Set<number>>()
  await fc.assert(
    fc.asyncProperty(request, async (given) => {
      const response = await send(given)
      remember(given, response)
      const id = given.target.operation.operationId
      seen.set(id, (seen.get(id) ?? new Set()).add(response.statusCode))
      expect(wrongWith(given, response)).toBeNull()
    }),
    { numRuns: REQUESTS, seed: SEED, endOnFailure: true },
  )
  // The requests are no good if they never succeed; by chance some endpoints are missed by the good ones, as what
  // is about one of many needs an id that was given before (up to 19 of 72 seen).
  const leased = TARGETS.flatMap(({ path, operation }) =>
    path.startsWith('/v1/agent/runs/') || path === '/v1/agent/work' ? [operation.operationId] : [],
  )
  const failedOnly = [...seen]
    // What needs the lease of a run, or the version of the service, has none.
    .filter(([id, statuses]) => !leased.includes(id) && ![...statuses].some((status) => status < 300))
    .map(([id]) => id)
  expect(seen.size).toBe(TARGETS.length)
  expect(failedOnly.length, failedOnly.join(', ')).toBeLessThanOrEqual(Math.ceil((TARGETS.length - leased.length) / 3))
})
