/** A server of a real framework for one test, at port 80 of an address of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** @throws where nothing listens there within twenty seconds; `end` kills it */
export const startProgram = async (
  address: string,
  program: string,
  args: readonly string[],
): Promise<{ readonly end: () => Promise<void> }> => {
  const child = spawn(program, args, { stdio: 'ignore' })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  failed.catch(() => undefined) // Told below, or it has ended already.
  for (let at = 0; at < 400; at += 1) {
    if (await Promise.race([answers(address), failed])) return { end: () => ended(child) }
    await sleep(50)
  }
  await ended(child)
  throw new Error(`${program} does not listen at ${address}`)
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    if (!child.kill('SIGKILL')) resolve()
  })

const answers = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port: 80 }, () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })
