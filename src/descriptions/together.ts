/** Several documents that were brought at once, as one description. */
import type { Operation } from '../contract/described.ts'
import { type Description, MOST_BYTES, MOST_OPERATIONS, type Refusal } from './operation.ts'

export const together = (descriptions: readonly Description[]): Description => {
  const operations: Operation[] = []
  const beyond: Refusal[] = []
  let size = 0
  for (const operation of descriptions.flatMap((one) => one.operations)) {
    size += JSON.stringify(operation).length
    const reason =
      operations.length >= MOST_OPERATIONS
        ? `only the first ${MOST_OPERATIONS.toLocaleString('en-GB')} operations are taken`
        : size > MOST_BYTES
          ? `its requests are larger than ${MOST_BYTES / 1024 / 1024} MiB together`
          : null
    if (reason === null) operations.push(operation)
    else beyond.push({ where: `${operation.method} ${operation.path}`, line: null, reason })
  }
  return {
    kind: [...new Set(descriptions.map(({ kind }) => kind))].join(', '),
    title: descriptions.find(({ title }) => title !== '')?.title ?? '',
    described: descriptions.reduce((sum, { described }) => sum + described, 0),
    operations,
    refused: [...descriptions.flatMap((one) => one.refused), ...beyond],
    leftOut: descriptions.flatMap((one) => one.leftOut),
  }
}
