/** Where Chromium is, and what to say when it is nowhere. */
import { access, constants } from 'node:fs/promises'
import { ModuleEnding } from '../../modules/endings.ts'

/** The program itself first: Debian's wrapper in /usr/bin stays a process of its own and would not die with us. */
const PLACES: readonly string[] = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
]

/** No browser is there at all. `doctor` has the command that installs one, whole and to be copied. */
export class NotInstalled extends ModuleEnding {
  constructor() {
    super('skipped', 'no Chromium is installed; see "sonde doctor"')
  }
}

/** Whether that is why something could not be done. */
export const isNotInstalled = (error: unknown): boolean =>
  error instanceof NotInstalled || (error instanceof Error && error.cause instanceof NotInstalled)

/** `SONDE_CHROMIUM` names another one. Null when none can be executed. */
export const findBrowser = async (env: Readonly<Record<string, string | undefined>>): Promise<string | null> => {
  const places = env.SONDE_CHROMIUM ? [env.SONDE_CHROMIUM] : PLACES
  for (const place of places) {
    const found = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return place
  }
  return null
}
