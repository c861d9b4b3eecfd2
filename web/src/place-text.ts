import type { Location } from '../../src/contract/finding.ts'

/** A place in one line. */
export const placeText = ({ url, method, parameter, host, port }: Location): string => {
  const where = url ?? (host === undefined ? '' : port === undefined ? host : `${host}:${port}`)
  return [method === 'GET' ? undefined : method, where, parameter === undefined ? undefined : `(${parameter})`]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}
