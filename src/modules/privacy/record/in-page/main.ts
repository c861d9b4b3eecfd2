/**
 * Runs inside pages, frames and workers before their first script, and tells what they do that the network does not show.
 * It is one text of its own (see in-page.ts). What it tells is never trusted, a page can forge it.
 */
import { watchCanvas } from './canvas.ts'
import { watchGraphics, watchSound } from './media.ts'
import { watchProperties } from './properties.ts'
import { watchSent } from './sent.ts'
import { watchStorage } from './storage.ts'
import { openTeller } from './tell.ts'
import { openUses } from './uses.ts'
import { watchVisitor } from './visitor.ts'
import { watchWorkers } from './workers.ts'

/** `name`: in a page the binding to tell by, in a worker the channel that a page of the same origin listens to. */
export const main = (name: string, isWorker: boolean): void => {
  const tell = openTeller(name, isWorker)
  const uses = openUses(tell)
  watchCanvas(uses.used)
  watchGraphics(uses.used)
  watchSound(uses.used)
  watchProperties(uses.used)
  watchStorage(tell)
  watchSent(tell)
  watchWorkers(name, tell)
  if (!isWorker) watchVisitor(tell, uses)
}
