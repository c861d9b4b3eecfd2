/**
 * Statements of PGlite that are asked again and again: parsed and planned once by name, and then one message each way, where its own
 * `query` has four and plans each time. (PostgreSQL 17, "53.2.3. Extended Query", https://www.postgresql.org/docs/17/protocol-flow.html)
 */
import { type messages, type PGlite, protocol } from '@electric-sql/pglite'
import { OID } from './values.ts'

export interface Answered {
  readonly rows: Record<string, unknown>[]
  /** Names of columns that hold bytes. */
  readonly binary: string[]
}

export interface Statements {
  /** Null where it is no statement to be kept, or was not asked before. */
  readonly ask: (sql: string, params: readonly unknown[]) => Promise<Answered | null>
  /** After a change of what tables there are: plans of before may not fit. */
  readonly forget: () => Promise<void>
}

interface Prepared {
  readonly name: string
  readonly parameters: readonly number[]
  readonly columns: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** Each keeps its plan in memory, some ten kilobytes. */
const MOST = 150
/** Texts of statements that were seen once. */
const MOST_SEEN = 1_000
/** One statement that reads or writes rows, or begins or ends doing so; of several in one text none can be prepared. */
const KEPT = /^\s*(?:with|select|insert|update|delete|begin|commit|rollback)\b[^;]*$/i

const { serialize } = protocol

/** Asked one after the other. Rejects with the engine's errors, which have a `code`. */
export const createStatements = (
  engine: Pick<PGlite, 'execProtocolStream' | 'parsers' | 'serializers'>,
): Statements => {
  /** In the order of their last use. */
  const prepared = new Map<string, Prepared>()
  const seen = new Set<string>()
  let count = 0

  const send = (...parts: readonly Uint8Array[]): Promise<messages.BackendMessage[]> =>
    engine.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false })
  const prepare = async (sql: string): Promise<Prepared> => {
    count += 1
    const name = `s${count}`
    const answers = await send(serialize.parse({ name, text: sql }), serialize.describe({ type: 'S', name }))
    const parameters = answers.find((answer) => answer.name === 'parameterDescription')
    const columns = answers.find((answer) => answer.name === 'rowDescription')
    return {
      name,
      parameters: (parameters as messages.ParameterDescriptionMessage | undefined)?.dataTypeIDs ?? [],
      columns: (columns as messages.RowDescriptionMessage | undefined)?.fields ?? [],
    }
  }
  const close = async ({ name }: Prepared): Promise<void> => {
    await send(serialize.close({ type: 'S', name }))
  }
  /** The statement, which is now the last that was used. */
  const keptFor = async (sql: string): Promise<Prepared | null> => {
    const known = prepared.get(sql)
    if (known === undefined && !seen.delete(sql)) {
      if (seen.size >= MOST_SEEN) seen.clear()
      seen.add(sql)
      return null
    }
    const statement = known ?? (await prepare(sql))
    prepared.delete(sql)
    prepared.set(sql, statement)
    const [oldest] = prepared
    if (prepared.size > MOST && oldest !== undefined) {
      prepared.delete(oldest[0])
      await close(oldest[1])
    }
    return statement
  }
  const asText = (value: unknown, type: number | undefined): string | Uint8Array | null => {
    if (value === null || value === undefined) return null
    // As they are, in the binary format.
    if (value instanceof Uint8Array) return value
    const serializer = type === undefined ? undefined : engine.serializers[type]
    return serializer ? serializer(value) : String(value)
  }
  const rowOf = ({ columns }: Prepared, values: readonly (string | null)[]): Record<string, unknown> =>
    Object.fromEntries(
      columns.map(({ name, dataTypeID }, at) => {
        const value = values[at] ?? null
        const parser = engine.parsers[dataTypeID]
        return [name, value === null || parser === undefined ? value : parser(value, dataTypeID)]
      }),
    )
  return {
    ask: async (sql, params) => {
      const statement = KEPT.test(sql) ? await keptFor(sql) : null
      if (statement === null) return null
      const values = params.map((value, at) => asText(value, statement.parameters[at]))
      const answers = await send(serialize.bind({ statement: statement.name, values }), serialize.execute({}))
      return {
        rows: answers
          .filter((answer) => answer.name === 'dataRow')
          .map((answer) => rowOf(statement, (answer as messages.DataRowMessage).fields)),
        binary: statement.columns.filter(({ dataTypeID }) => dataTypeID === OID.bytea).map(({ name }) => name),
      }
    },
    forget: async () => {
      const kept = [...prepared.values()]
      prepared.clear()
      for (const statement of kept) await close(statement)
    },
  }
}
