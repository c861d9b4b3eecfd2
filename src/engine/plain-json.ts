/** What a target sends ends up in facts; not every JavaScript string can be stored as JSON text in a database. */

/**
 * The value as plain JSON: what is judged is exactly what is stored and judged again. NUL and lone surrogates, which
 * PostgreSQL's jsonb refuses, become U+FFFD; undefined members vanish. @throws on a cycle or a BigInt.
 */
export const plainJson = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? storable(inner) : inner)))

export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
