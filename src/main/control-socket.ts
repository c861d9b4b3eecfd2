/**
 * The operator's way into a running service: HTTP with JSON over a Unix socket in the data folder. Whoever may open the
 * socket (mode 0600 in a folder of mode 0700) is the operator; there is no other credential.
 */
import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { OPERATOR_VERBS, type Operator, OperatorError, type OperatorVerb } from '../contract/operator.ts'

const NAME = 'control.sock'
/** A logo is at most 1 MiB, a third more in base64. */
const MAX_BODY = 2 * 1024 * 1024
/** Milliseconds; judging a large run again takes the longest. */
const CALL_TIMEOUT = 120_000

const Refusal = z.strictObject({ error: z.string(), blame: z.enum(['operator', 'us']) })

/** The caller holds the lock of the folder, so a socket found here is left over from a killed process. */
export const serveControl = async (
  folder: string,
  operator: Operator,
  onFault: (error: unknown) => void,
): Promise<{ readonly close: () => Promise<void> }> => {
  const server = createServer((message, response) => {
    answer(message, operator).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => {
        const known = error instanceof OperatorError
        if (!known) onFault(error)
        const body = {
          error: known ? error.message : 'The service failed; its log says why',
          blame: known ? 'operator' : 'us',
        }
        response.writeHead(known ? 400 : 500, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      },
    )
  })
  // Stays open as long as the server: closing the server removes the file by this very path.
  const handle = openFolder(folder)
  const path = shortPath(handle)
  rmSync(path, { force: true })
  try {
    await listen(server, path)
  } catch (error) {
    closeSync(handle)
    throw error
  }
  chmodSync(path, 0o600)
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
    closeSync(handle)
  }
  return { close }
}

/** Null when no service listens in this folder. @throws OperatorError where the folder is another user's */
export const connectControl = async (folder: string): Promise<Operator | null> => {
  const call: Operator['call'] = async (verb, input) => {
    const reply = await askIn(folder, verb, input)
    const body: unknown = JSON.parse(reply.body)
    if (reply.status !== 200) {
      const refusal = Refusal.parse(body)
      throw refusal.blame === 'operator' ? new OperatorError(refusal.error) : new Error(refusal.error)
    }
    return OPERATOR_VERBS[verb].output.parse(body) as never
  }
  try {
    await call('service', {})
  } catch (error) {
    if (isAbsent(error)) return null
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      throw new OperatorError(othersFolder(folder))
    throw error
  }
  return { call, close: async () => undefined }
}

const othersFolder = (folder: string): string =>
  `${folder} may not be read by this user. Set SONDE_URL and SONDE_API_KEY to use its service, or become its owner (sudo).`

const answer = async (message: IncomingMessage, operator: Operator): Promise<unknown> => {
  const verb = (message.url ?? '').slice(1)
  if (message.method !== 'POST' || !isVerb(verb)) throw new OperatorError(`There is no verb "${verb}"`)
  if (Number(message.headers['content-length'] ?? Number.NaN) <= MAX_BODY === false) {
    throw new OperatorError(`A request has at most ${MAX_BODY} bytes and says how many`)
  }
  const body = await json(message).catch((cause: unknown) => {
    throw new OperatorError('The request is not JSON', { cause })
  })
  const input = OPERATOR_VERBS[verb].input.safeParse(body)
  if (!input.success) throw new OperatorError(z.prettifyError(input.error))
  return operator.call(verb, input.data as never)
}

const isVerb = (text: string): text is OperatorVerb => Object.hasOwn(OPERATOR_VERBS, text)

const ask = (socketPath: string, verb: string, input: unknown): Promise<{ status: number; body: string }> => {
  const body = JSON.stringify(input)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const outgoing = request({
    socketPath,
    path: `/${verb}`,
    method: 'POST',
    // No kept connection: the short path means another folder next time.
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.timeout(CALL_TIMEOUT),
  })
  outgoing.on('error', reject).on('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response
      .on('data', (chunk: string) => {
        text += chunk
      })
      .on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      .on('error', reject)
  })
  outgoing.end(body)
  return promise
}

/** A socket's path has at most 107 bytes; through an open folder any folder is near. Linux only, as the product. */
const shortPath = (handle: number): string => `/proc/self/fd/${handle}/${NAME}`
const openFolder = (folder: string): number => openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)

const askIn = async (folder: string, verb: string, input: unknown): Promise<{ status: number; body: string }> => {
  const handle = openFolder(folder)
  try {
    return await ask(shortPath(handle), verb, input)
  } finally {
    closeSync(handle)
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => resolve())
  })

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'].includes(String(error.code))
