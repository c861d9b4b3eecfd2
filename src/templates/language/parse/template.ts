/** One file of a catalogue: a template, a refusal by policy, or the list of what is wrong with it. */
import { createHash } from 'node:crypto'
import { classify } from '../../../safety/templates.ts'
import { functionNamed } from '../expression/functions.ts'
import { hasMarkers } from '../interpolate.ts'
import type { Step, Template, Variable } from '../template.ts'
import { namesWanted } from '../wanted.ts'
import { createReport, type Fields, fieldsOf, isMap, type Report } from './fields.ts'
import { parseHttp, type Refuse } from './http.ts'
import { infoFields, parseInfo } from './info.ts'
import { NETWORKED } from './operators.ts'
import type { ReadList } from './payloads.ts'
import type { Problem, Refusal, RefusalCode } from './problem.ts'
import { parseDns, parseHeadless, parseJavascript, parseSsl, parseTcp, parseWorkflow } from './protocols.ts'
import { checkFlow } from './scripts.ts'
import { readSource, type Source } from './source.ts'

export type Parsed =
  | {
      readonly kind: 'template'
      readonly template: Template
      /** `info.metadata` as it stands: its fields are free. */
      readonly metadata: Readonly<Record<string, unknown>>
      readonly warnings: readonly Problem[]
    }
  | { readonly kind: 'refused'; readonly id: string; readonly refusal: Refusal; readonly warnings: readonly Problem[] }
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }

const REASONS: Readonly<Record<RefusalCode, string>> = {
  code: 'code templates run programs on this machine',
  file: 'file templates read files of this machine',
  race: 'races load the target on purpose',
  pipeline: 'pipelined requests load the target on purpose',
  fuzzing: 'fuzzing of the site’s own inputs is done by the modules for it, at their pace and with their proof',
  signature: 'signed cloud requests need keys of an account',
  whois: 'registries are not the target',
  websocket: 'conversations over WebSocket are not carried on here',
  function: 'it uses a function that opens connections of its own or builds an attack’s payload',
}

export const parseTemplate = (text: string, file: string, readList: ReadList = () => null): Parsed => {
  const source = readSource(text)
  if (!('value' in source)) return { kind: 'broken', problems: [source] }
  const problems: Problem[] = []
  const report = createReport(source, problems)
  const refusals: Refusal[] = []
  const refuse = (code: RefusalCode, path: readonly (string | number)[]): void => {
    refusals.push({ code, line: source.lineOf(path), reason: REASONS[code] })
  }
  const read = readTemplate(source, file, report, refuse, readList)
  const used = networkedFunction(text)
  if (used !== null) refusals.push({ code: 'function', line: used.line, reason: `${REASONS.function} (${used.name})` })
  const errors = problems.filter(({ level }) => level === 'error')
  const warnings = problems.filter(({ level }) => level !== 'error')
  const [refusal] = refusals
  if (refusal !== undefined) return { kind: 'refused', id: read.id, refusal, warnings: problems }
  if (errors.length > 0) return { kind: 'broken', problems }
  if (read.workflow === null && read.steps.every(({ operators }) => findsNothing(operators))) {
    const message = 'it has neither matchers nor extractors, so it can never find anything'
    warnings.push({ level: 'defect', line: source.lineOf([]), path: '', message })
  }
  const wanted = namesWanted(read)
  if (wanted.length > 0) {
    const [first = ''] = wanted
    const line = text.slice(0, Math.max(0, text.indexOf(first, text.indexOf('{{')))).split('\n').length
    const message = `nothing in it gives a value to ${wanted.join(', ')}: it runs with --var ${first}=… alone`
    warnings.push({ level: 'warning', line, path: '', message })
  }
  const whole = { ...read, hash: createHash('sha256').update(text).digest('hex') }
  return { kind: 'template', template: { ...whole, ...classify(whole) }, metadata: metadataOf(source), warnings }
}

const metadataOf = ({ value: { info } }: Source): Readonly<Record<string, unknown>> =>
  isMap(info) && isMap(info.metadata) ? info.metadata : {}

/** A call of one of them anywhere in the text, also inside a request. */
const networkedFunction = (text: string): { readonly name: string; readonly line: number } | null => {
  const match = /\b(public_ip|publicip|llm_prompt|generate_java_gadget)\(/.exec(text)
  if (!match?.[1] || !NETWORKED.has(match[1]) || functionNamed(match[1]) !== null) return null
  return { name: match[1], line: text.slice(0, match.index).split('\n').length }
}

const PROTOCOLS = ['http', 'requests', 'dns', 'ssl', 'tcp', 'network', 'headless', 'javascript'] as const

const readTemplate = (
  source: Source,
  file: string,
  report: Report,
  refuse: (code: RefusalCode, path: readonly (string | number)[]) => void,
  readList: ReadList,
): Omit<Template, 'hash' | 'tiers' | 'requests'> => {
  const fields = fieldsOf(source.value, [], report)
  const id = fields.text('id') ?? ''
  if (!/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/.test(id)) {
    report.error(['id'], id === '' ? 'id is missing' : `id may hold letters, digits, "-" and "_" alone; it is "${id}"`)
  }
  const isWorkflow = fields.has('workflows')
  const info = parseInfo(infoFields(fields.raw('info'), report), isWorkflow)
  if (fields.has('code')) refuse('code', ['code'])
  if (fields.has('file')) refuse('file', ['file'])
  if (fields.has('whois')) refuse('whois', ['whois'])
  if (fields.has('websocket')) refuse('websocket', ['websocket'])
  if (fields.has('signature')) refuse('signature', ['signature'])
  const steps = stepsOf(source, report, (code, path) => refuse(code, path), readList)
  for (const name of [...PROTOCOLS, 'code', 'file', 'whois', 'websocket', 'signature']) fields.raw(name)
  checkFlow(fields, steps)
  const workflow = isWorkflow ? parseWorkflow(fields.raw('workflows'), ['workflows'], report) : null
  if (steps.length === 0 && !isWorkflow && !['code', 'file', 'whois', 'websocket'].some(fields.has)) {
    report.error([], 'a template needs http, dns, ssl, tcp, headless, javascript or workflows')
  }
  const read = {
    id,
    file,
    info,
    steps,
    workflow,
    flow: fields.text('flow'),
    variables: variablesOf(fields, 'variables'),
    constants: variablesOf(fields, 'constants'),
    selfContained: fields.flag('self-contained'),
    stopAtFirstMatch: fields.flag('stop-at-first-match'),
  }
  fields.finish()
  return read
}

const findsNothing = ({ matchers, extractors }: Step['operators']): boolean =>
  matchers.length === 0 && extractors.every(({ internal }) => internal)

const variablesOf = (fields: Fields, name: string): readonly Variable[] => {
  const written = fields.raw(name)
  const lists = isMap(written) ? Object.entries(written).filter(([, value]) => isList(value)) : []
  const single = fields.pairs(name, isList).map(([key, value]): Variable => {
    const given = isMap(written) ? written[key] : undefined
    // A number stays one, so that expressions can calculate with it.
    return [key, typeof given === 'number' && !hasMarkers(value) ? given : value]
  })
  return [...single, ...lists.map(([key, value]): Variable => [key, value as readonly (string | number | boolean)[]])]
}

const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => ['string', 'number', 'boolean'].includes(typeof item))

/** Steps in the order in which their blocks stand in the file. */
const stepsOf = (
  source: Source,
  report: Report,
  refuse: (code: RefusalCode, path: readonly (string | number)[]) => void,
  readList: ReadList,
): readonly Step[] =>
  Object.keys(source.value).flatMap((key) => {
    const protocol = PROTOCOLS.find((one) => one === key)
    if (protocol === undefined) return []
    const top = fieldsOf(source.value, [], report)
    return top.maps(protocol).map((fields) => stepOf(protocol, fields, refuse, readList))
  })

const stepOf = (
  protocol: (typeof PROTOCOLS)[number],
  fields: Fields,
  refuse: (code: RefusalCode, path: readonly (string | number)[]) => void,
  readList: ReadList,
): Step => {
  const refuseHere: Refuse = (code, field) => refuse(code, [...fields.path, field])
  switch (protocol) {
    case 'http':
    case 'requests':
      return parseHttp(fields, readList, refuseHere)
    case 'dns':
      return parseDns(fields)
    case 'ssl':
      return parseSsl(fields)
    case 'tcp':
    case 'network':
      return parseTcp(fields, readList)
    case 'headless':
      return parseHeadless(fields, readList, refuseHere)
    case 'javascript':
      return parseJavascript(fields, readList)
  }
}
