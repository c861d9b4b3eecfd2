/** The file in which the first organisation's key lies, mode 0600. */
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivate } from './private-file.ts'

const FirstKey = z.object({ organisation_id: z.uuid(), api_key: z.string() })
export type FirstKey = z.infer<typeof FirstKey>

export const firstKeyPath = (dataDir: string): string => join(dataDir, 'first-key.json')

/** Null when there is no such file. */
export const readFirstKey = (dataDir: string): FirstKey | null => {
  const text = readPrivate(firstKeyPath(dataDir))
  return text === null ? null : FirstKey.parse(JSON.parse(text))
}
