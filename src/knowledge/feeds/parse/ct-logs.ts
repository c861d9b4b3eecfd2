/**
 * Lists of certificate transparency logs in the format that Chrome and Apple publish (log_list.json, version 3):
 * `{operators: [{name, logs: [{description, key, state}], tiled_logs: […]}]}`. Keys are the identifiers, hexadecimal.
 */
import { z } from 'zod'
import { type CtLog, logId } from '../../tls/ct-logs.ts'
import { FeedError } from '../feed.ts'
import type { Item } from '../items.ts'
import { checked } from './checked.ts'

const Log = z.object({
  description: z.string().max(200).default('unnamed'),
  log_id: z.base64(),
  key: z.base64().max(2_000),
  state: z.object({ retired: z.object({ timestamp: z.iso.datetime() }).optional() }).optional(),
})
const List = z.object({
  operators: z
    .array(
      z.object({
        name: z.string().max(200),
        logs: z.array(z.unknown()).default([]),
        tiled_logs: z.array(z.unknown()).default([]),
      }),
    )
    .min(1),
})

export function* parseCtLogs(value: unknown, file: string): Generator<Item> {
  for (const { name: operator, logs, tiled_logs } of checked(List, value, file, null).operators) {
    for (const [index, one] of [...logs, ...tiled_logs].entries()) {
      const record = `log ${index + 1} of ${operator}`
      const { description, log_id, key, state } = checked(Log, one, file, record)
      const id = logId(key)
      if (Buffer.from(log_id, 'base64').toString('hex') !== id) {
        throw new FeedError(file, record, 'log_id: is not the hash of the key')
      }
      const retired = state?.retired ? Date.parse(state.retired.timestamp) : null
      const item: CtLog = { operator, name: description, key, retired }
      yield { key: id, value: item }
    }
  }
}
