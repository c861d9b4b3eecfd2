/** What is made when it is first asked for: most runs need little of what is known, and each process would make all of it at its start. */
export const lazily = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
