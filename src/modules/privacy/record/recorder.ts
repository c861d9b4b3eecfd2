/** The recorder's text, for pages and for workers. */
import { inPageScript } from '../../in-page.ts'

const SCRIPT = new URL('./in-page/main.ts', import.meta.url)

/** To be run before the first script of every document. */
export const pageRecorder = (name: string): string => `(${inPageScript(SCRIPT)})(${JSON.stringify(name)}, false)`

/** To be put before a worker's own script. */
export const workerRecorder = (name: string): string => `;(${inPageScript(SCRIPT)})(${JSON.stringify(name)}, true);\n`
