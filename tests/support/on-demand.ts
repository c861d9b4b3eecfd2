/** Servers that a whole run of tests shares, each started when the first test asks for it. */
import { createConnection, createServer } from 'node:net'

export interface Started {
  /** What whoever asks is told, in one piece: an address, or JSON. */
  readonly told: string
  readonly stop: () => Promise<void>
}

/** Listens on a socket; the first who connects makes it start. Each is told how to reach it, or `error: …`. Gives its end. */
export const onDemand = async (socket: string, start: () => Promise<Started>): Promise<() => Promise<void>> => {
  let started: Promise<Started> | null = null
  const server = createServer((connection) => {
    started ??= start()
    started.then(
      ({ told }) => connection.end(told),
      (error: unknown) => connection.end(`error: ${error instanceof Error ? error.message : String(error)}`),
    )
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return async () => {
    server.close()
    // What did not start has told those who asked.
    await started?.then(
      ({ stop }) => stop(),
      () => undefined,
    )
  }
}

/** Asks for the server behind a socket. @throws what it was told where it did not start */
export const askFor = (socket: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    createConnection(socket)
      .setEncoding('utf8')
      .on('data', (chunk) => {
        text += chunk
      })
      .on('error', reject)
      .on('end', () => (text.startsWith('error: ') ? reject(new Error(text.slice(7))) : resolve(text)))
  })
