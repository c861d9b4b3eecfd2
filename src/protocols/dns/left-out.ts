/** Addresses of name servers that were not asked, in one sentence for coverage. */

export interface LeftOut {
  readonly address: string
  /** no-route: this machine has no way to it · refused: the operator's guard forbids it. */
  readonly why: 'no-route' | 'refused'
}

/** "2 of 4 addresses of name servers were not asked: no IPv6 route from this scanner." Null where all were. */
export const sayLeftOut = (left: readonly LeftOut[], total: number): string | null => {
  if (left.length === 0) return null
  const routeless = left.filter(({ why }) => why === 'no-route')
  const families = [...new Set(routeless.map(({ address }) => (address.includes(':') ? 'IPv6' : 'IPv4')))].toSorted()
  const reasons = [
    ...(routeless.length > 0 ? [`no ${families.join(' or ')} route from this scanner`] : []),
    ...(routeless.length < left.length ? ['not addresses that this service may ask'] : []),
  ]
  const verb = left.length === 1 ? 'was' : 'were'
  return `${left.length} of ${total} addresses of name servers ${verb} not asked: ${reasons.join('; ')}.`
}
