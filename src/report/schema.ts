import { z } from 'zod'
import { FINDINGS_SCHEMA_VERSION, FindingsFile } from '../contract/findings-file.ts'

/** JSON Schema 2020-12 of findings.json, published as docs/findings.schema.json. */
export const renderFindingsSchema = (): string => {
  const schema = z.toJSONSchema(FindingsFile, { target: 'draft-2020-12', reused: 'inline' })
  const { $schema, ...rest } = schema
  return `${JSON.stringify(
    {
      $schema,
      $id: `urn:sonde:findings:${FINDINGS_SCHEMA_VERSION}`,
      title: 'Sonde findings.json',
      description: `The result of a scan, version ${FINDINGS_SCHEMA_VERSION} of its shape. A new field raises the minor number, a break the major one.`,
      ...rest,
    },
    null,
    2,
  )}\n`
}
