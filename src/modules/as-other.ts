/** Everything that a module asks, as another identity of the run. */
import type { Egress } from '../egress/door/egress.ts'

/**
 * What is asked as nobody, or says as whom it is asked, is so. `as`: as requests name it, of an identity that has begun. What only the run's own
 * session has is absent.
 */
export const egressAs = (egress: Egress, as: string): Egress => {
  const { credentialsFor, carry: _carry, formerCredentialsFor: _former, ...rest } = egress
  return {
    ...rest,
    http: (request) =>
      egress.http(request.authenticated === false || request.as !== undefined ? request : { ...request, as }),
    browserProxy: (options) => egress.browserProxy({ ...options, as }),
    ...(credentialsFor ? { credentialsFor: (url, by = as) => credentialsFor(url, by) } : {}),
  }
}
