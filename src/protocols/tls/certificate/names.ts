/**
 * True when a dNSName of a certificate stands for the host (RFC 9525, 6.3): equal without regard to case, or `*` as the
 * whole leftmost label standing for exactly one label. `f*.example` and a bare `*` match nothing.
 * @param host A-labels, as asked for
 */
export const nameMatches = (pattern: string, host: string): boolean => {
  const wanted = labelsOf(host)
  const offered = labelsOf(pattern)
  if (wanted === null || offered === null || wanted.length !== offered.length) return false
  const [first, ...rest] = offered
  if (first === '*') return rest.length >= 2 && rest.every((label, index) => label === wanted[index + 1])
  return !pattern.includes('*') && offered.every((label, index) => label === wanted[index])
}

/** Null for what is no host name: empty labels, or octets outside ASCII. */
const labelsOf = (name: string): readonly string[] | null => {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  return labels.every((label) => /^[\x21-\x7e]+$/.test(label)) ? labels : null
}
