/** What was found of `length` things that one statement asked for, each by its number `n`; null where there is none. */
export const inOrder = <Row extends { readonly n: number }>(length: number, rows: readonly Row[]): (Row | null)[] => {
  const found = new Map(rows.map((row) => [row.n, row]))
  return Array.from({ length }, (_, n) => found.get(n) ?? null)
}
