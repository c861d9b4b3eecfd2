/** Every error that leaves the service: RFC 9457 documents, made here alone. */
import { isAway } from '../artifacts/artifacts.ts'
import { PROBLEMS, type Problem, ProblemError } from '../contract/problem.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export const problemDocument = (error: ProblemError, requestId: string, baseUrl: string): Problem => ({
  type: `${baseUrl}/docs/problems#${error.code}`,
  title: PROBLEMS[error.code].title,
  status: PROBLEMS[error.code].status,
  detail: error.message,
  code: error.code,
  request_id: requestId,
  ...(error.errors === undefined ? {} : { errors: error.errors }),
})

/**
 * What a thrown value means to the caller. The detail of a fault of ours stays in the log. `largest`: bytes that a body of this request
 * may have.
 */
export const toProblem = (error: unknown, largest?: number): ProblemError => {
  if (error instanceof ProblemError) return error
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' && largest !== undefined)
    return new ProblemError('payload_too_large', `The body is larger than ${inBytes(largest)}.`, { cause: error })
  const known = BY_CODE[code]
  if (known !== undefined) return known(error)
  if (isAway(error) || UNAVAILABLE.some((pattern) => pattern.test(code))) return unavailable(error)
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500
  if (typeof status === 'number' && status >= 400 && status < 500) return badRequest(messageOf(error), error)
  return new ProblemError('internal', 'The request could not be handled. Its request_id finds the reason in our log.', {
    cause: error,
  })
}

export const unavailable = (cause: unknown): ProblemError =>
  new ProblemError('unavailable', 'The service cannot reach a part of itself right now. Try again shortly.', {
    cause,
    headers: { 'Retry-After': '5' },
  })

export const noPlace = (): ProblemError =>
  new ProblemError('unavailable', 'Too many connections are open. Try again shortly.', {
    headers: { 'Retry-After': '5' },
  })

/** RFC 9110, 15.5.6: the resource takes no method at all that way. */
export const noTunnel = (): ProblemError =>
  new ProblemError('method_not_allowed', 'This is no proxy.', { headers: { Allow: 'GET, HEAD' } })

/** A request that cannot be read at all; `path` names the part that is wrong. */
export const badRequest = (message: string, cause?: unknown, path = 'request'): ProblemError =>
  new ProblemError('validation_failed', 'The request cannot be read.', { errors: [{ path, message }], cause })

/** Errors of the HTTP server, of Fastify and of Node's parser. */
const BY_CODE: Readonly<Record<string, (error: unknown) => ProblemError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => new ProblemError('payload_too_large', 'The body is too large.', { cause }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) =>
    new ProblemError('unsupported_media_type', 'Send the body as Content-Type: application/json.', { cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) => badRequest('is shorter or longer than Content-Length', cause, 'body'),
  FST_ERR_BAD_URL: (cause) => badRequest('has a percent-encoding that cannot be decoded', cause, 'path'),
  HPE_HEADER_OVERFLOW: (cause) =>
    new ProblemError('header_fields_too_large', 'The request headers are over 16 KiB.', { cause }),
  HPE_INVALID_METHOD: (cause) => badRequest('is not a method of HTTP', cause, 'method'),
  HPE_INVALID_URL: (cause) => badRequest('is not a request target', cause, 'path'),
  HPE_INVALID_HEADER_TOKEN: (cause) => badRequest('hold a character that is not allowed', cause, 'headers'),
  ERR_HTTP_REQUEST_TIMEOUT: (cause) =>
    new ProblemError('request_timeout', 'The request did not arrive in time.', { cause }),
}

/** Node's system errors, PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), pg's own words. */
const UNAVAILABLE = [
  /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)$/,
  /^(08...|53...|57P0[123])$/,
]

const inBytes = (bytes: number): string =>
  bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : bytes % 1_024 === 0 ? `${bytes / 1_024} KiB` : `${bytes} bytes`

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
