import type { Info } from '../template.ts'
import { type Fields, fieldsOf, isMap, type Report } from './fields.ts'
import { splitTags } from './protocols.ts'

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const

export const parseInfo = (fields: Fields, isWorkflow: boolean): Info => {
  const severity = fields.has('severity')
    ? fields.oneOf('severity', SEVERITIES, 'unknown')
    : isWorkflow
      ? 'info'
      : ('unknown' as const)
  const name = fields.text('name') ?? ''
  if (name === '' && fields.given) fields.error('', 'info needs a name')
  const classification = within(fields, 'classification')
  const metadata = within(fields, 'metadata')
  const cve = list(classification('cve-id')).filter((id) => /^CVE-\d{4}-\d{4,}$/i.test(id))
  const cwe = /(\d+)/.exec(list(classification('cwe-id'))[0] ?? '')?.[1]
  const info: Info = {
    name,
    severity,
    tags: splitTags(fields.texts('tags').join(',')),
    description: (fields.text('description') ?? '').trim(),
    remediation: (fields.text('remediation') ?? '').trim(),
    references: fields.texts('reference').filter((reference) => /^https?:\/\//.test(reference)),
    cve: cve.map((id) => id.toUpperCase()),
    cwe: cwe === undefined ? null : Number(cwe),
    cvss: vectorOf(list(classification('cvss-metrics'))[0] ?? ''),
    cpe: list(classification('cpe'))[0] ?? null,
    vendor: list(metadata('vendor'))[0]?.toLowerCase() ?? null,
    product: list(metadata('product'))[0]?.toLowerCase() ?? null,
  }
  for (const field of ['author', 'impact', 'classification', 'metadata']) fields.raw(field)
  fields.finish()
  return info
}

/** Of CVSS 4.0, 3.1 and 3.0 with the version before it; of 2.0 with it, without it, or in parentheses. */
const VECTOR =
  /^(?:CVSS:(?:3\.[01]|4\.0)\/[\w:/.]{10,200}|(?:CVSS:2\.0\/)?AV:[NAL]\/AC:[LMH]\/Au:[NSM]\/[\w:/.]{8,200})$/

const vectorOf = (text: string): string | null => {
  const bare = text.replace(/^\((.*)\)$/, '$1')
  return VECTOR.test(bare) ? bare : null
}

const within = (fields: Fields, name: string) => {
  const map = fields.raw(name)
  return (key: string): unknown => (isMap(map) && Object.hasOwn(map, key) ? map[key] : undefined)
}

const list = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').map((item) => item.trim())
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : []
}

export const infoFields = (value: unknown, report: Report): Fields => {
  if (!isMap(value)) report.error(['info'], 'info is missing')
  return fieldsOf(isMap(value) ? value : {}, ['info'], report)
}
