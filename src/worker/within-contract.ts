/** What only adorns a result never costs it: what breaks the contract is left out of the file, and the operator is told. */
import type { z } from 'zod'
import { FactTable, type FindingsFile } from '../contract/findings-file.ts'
import { Reach } from '../contract/reach.ts'
import { Sending } from '../contract/sending.ts'

export const withinContract = (file: FindingsFile, failed: (error: unknown, what: string) => void): FindingsFile => {
  const isSound = (schema: z.ZodType, value: unknown, what: string): boolean => {
    const { error } = schema.safeParse(value)
    if (error !== undefined) failed(error, what)
    return error === undefined
  }
  const { reach, sending, tables, ...result } = file
  return {
    ...result,
    tables: tables.filter((table) => isSound(FactTable, table, 'a table')),
    ...(reach !== undefined && isSound(Reach, reach, 'how far the run came') ? { reach } : {}),
    ...(sending !== undefined && isSound(Sending, sending, 'what was sent and written') ? { sending } : {}),
  }
}
