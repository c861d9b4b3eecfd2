/** Steps of every protocol but http. */
import { bytesOfText } from '../bytes.ts'
import type { DnsStep, HeadlessStep, JavascriptStep, SslStep, TcpStep, WorkflowStep } from '../template.ts'
import { type Fields, fieldsOf, isMap, type Report } from './fields.ts'
import type { Refuse } from './http.ts'
import { parseOperators } from './operators.ts'
import { parsePayloads, type ReadList } from './payloads.ts'
import { checkScript } from './scripts.ts'

const DNS_TYPES = ['A', 'NS', 'DS', 'CNAME', 'SOA', 'PTR', 'MX', 'TXT', 'AAAA', 'CAA', 'TLSA', 'ANY', 'SRV'] as const

export const parseDns = (fields: Fields): DnsStep => {
  const step: DnsStep = {
    protocol: 'dns',
    id: fields.text('id'),
    name: fields.text('name') ?? '{{FQDN}}',
    type: (fields.text('type') ?? 'A').toUpperCase(),
    recursion: !fields.has('recursion') || fields.flag('recursion'),
    retries: fields.number('retries') ?? 1,
    operators: parseOperators(fields, 'raw'),
  }
  if (!DNS_TYPES.some((type) => type === step.type)) fields.error('type', `"${step.type}" is no type of record`)
  for (const name of ['class', 'resolvers', 'trace', 'trace-max-recursion', 'threads', 'attack', 'payloads'])
    fields.raw(name)
  fields.finish()
  return step
}

export const parseSsl = (fields: Fields): SslStep => {
  const version = (name: string): string | null => fields.text(`${name}_version`) ?? fields.text(`${name}-version`)
  const step: SslStep = {
    protocol: 'ssl',
    id: fields.text('id'),
    address: fields.text('address') ?? '{{Host}}:{{Port}}',
    minVersion: version('min')?.toLowerCase() ?? null,
    maxVersion: version('max')?.toLowerCase() ?? null,
    cipherSuites: [...fields.texts('cipher_suites'), ...fields.texts('cipher-suites')],
    operators: parseOperators(fields, 'response'),
  }
  for (const name of ['scan_mode', 'tls_version_enum', 'tls_cipher_enum', 'tls_cipher_types']) fields.raw(name)
  fields.finish()
  return step
}

export const parseTcp = (fields: Fields, readList: ReadList): TcpStep => {
  const ports = (fields.text('port') ?? '')
    .split(',')
    .map((port) => port.trim())
    .filter((port) => port !== '')
    .map(Number)
  if (ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535)) {
    fields.error('port', 'port has to be numbers from 1 to 65535')
  }
  const step: TcpStep = {
    protocol: 'tcp',
    id: fields.text('id'),
    hosts: fields.texts('host'),
    ports,
    inputs: fields.maps('inputs').map((input) => {
      const hex = input.oneOf('type', ['hex', 'text'], 'text') === 'hex'
      const data = input.text('data') ?? ''
      const read = {
        data: hex ? data : bytesOfText(data),
        hex,
        read: input.number('read') ?? 0,
        name: input.text('name'),
      }
      input.finish()
      return read
    }),
    readSize: Math.min(fields.number('read-size') ?? 1_024, 1024 * 1024),
    readAll: fields.flag('read-all'),
    ...parsePayloads(fields, readList),
    stopAtFirstMatch: fields.flag('stop-at-first-match'),
    operators: parseOperators(fields, 'data'),
  }
  if (step.hosts.length === 0) fields.error('', 'host is missing')
  for (const name of ['exclude-ports', 'threads', 'name']) fields.raw(name)
  fields.finish()
  return step
}

export const ACTIONS: ReadonlySet<string> = new Set(
  'navigate script click rightclick text screenshot time select files waitdom waitfcp waitfmp waitidle waitload waitstable waitdialog getresource extract setmethod addheader setheader deleteheader setbody waitevent keyboard debug sleep waitvisible dialog'.split(
    ' ',
  ),
)

export const parseHeadless = (fields: Fields, readList: ReadList, refuse: Refuse): HeadlessStep => {
  if (fields.has('fuzzing')) refuse('fuzzing', 'fuzzing')
  const step: HeadlessStep = {
    protocol: 'headless',
    id: fields.text('id'),
    actions: fields.maps('steps').map((action) => {
      const kind = action.text('action') ?? 'null'
      if (kind !== 'null' && !ACTIONS.has(kind)) action.error('action', `there is no action "${kind}"`)
      const read = { action: kind, name: action.text('name'), args: Object.fromEntries(action.pairs('args')) }
      action.raw('description')
      action.finish()
      return read
    }),
    ...parsePayloads(fields, readList),
    stopAtFirstMatch: fields.flag('stop-at-first-match'),
    operators: parseOperators(fields, 'resp'),
  }
  if (step.actions.length === 0) fields.error('', 'steps is missing')
  for (const name of [
    'fuzzing',
    'user_agent',
    'custom_user_agent',
    'disable-cookie',
    'self-contained',
    'cookie-reuse',
  ]) {
    fields.raw(name)
  }
  fields.finish()
  return step
}

export const parseJavascript = (fields: Fields, readList: ReadList): JavascriptStep => {
  const step: JavascriptStep = {
    protocol: 'javascript',
    id: fields.text('id'),
    code: fields.text('code') ?? '',
    init: fields.text('init'),
    preCondition: fields.text('pre-condition'),
    args: fields.pairs('args'),
    ...parsePayloads(fields, readList),
    stopAtFirstMatch: fields.flag('stop-at-first-match'),
    operators: parseOperators(fields, 'response'),
  }
  for (const script of ['code', 'init', 'pre-condition']) checkScript(fields, script)
  if (step.code === '' && step.preCondition === null) fields.error('', 'code is missing')
  for (const name of ['threads', 'timeout', 'engine']) fields.raw(name)
  fields.finish()
  return step
}

/** Of a `workflows:` list; `subtemplates` nest. */
export const parseWorkflow = (list: unknown, path: readonly (string | number)[], report: Report): WorkflowStep[] => {
  if (!Array.isArray(list)) {
    report.error(path, 'a workflow is a list')
    return []
  }
  if (path.length > 40) {
    report.error(path, 'a workflow is nested too deeply')
    return []
  }
  return list.flatMap((item: unknown, index) => {
    const at = [...path, index]
    if (!isMap(item)) {
      report.error(at, 'an item of a workflow has to be a map')
      return []
    }
    const fields = fieldsOf(item, at, report)
    const nested = (from: Fields): WorkflowStep[] =>
      from.has('subtemplates') ? parseWorkflow(from.raw('subtemplates'), [...from.path, 'subtemplates'], report) : []
    const step: WorkflowStep = {
      template: fields.text('template'),
      tags: splitTags(fields.text('tags')),
      matchers: fields.maps('matchers').map((matcher) => {
        const read = {
          names: matcher.texts('name'),
          condition: matcher.oneOf('condition', ['and', 'or'], 'or'),
          subtemplates: nested(matcher),
        }
        matcher.finish()
        return read
      }),
      subtemplates: nested(fields),
    }
    if (step.template === null && step.tags.length === 0) fields.error('', 'an item names a template or tags')
    fields.finish()
    return [step]
  })
}

export const splitTags = (text: string | null): readonly string[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .map((tag) => tag.trim().toLowerCase())
      .filter((tag) => tag !== ''),
  ),
]
