/** The built web application. */
import { join } from 'node:path'
import { ensureBuild, hashOf, ROOT } from './builds.ts'

export const WEB_SOURCES = join(ROOT, 'web')

/** Of a build: which packages of others are in it, one place of the lockfile a line. */
export const BUNDLED_LIST = 'packages.txt'

/** Where the build of the present sources lies, or will. */
export const webFolder = (): string =>
  join(
    WEB_SOURCES,
    'dist',
    hashOf(
      [
        ['web', /^(?!dist\/|node_modules\/).*\.(?:tsx?|css|html|svg|png|json)$/],
        ['src/contract', /(?<!\.test)\.ts$/],
      ],
      ['package-lock.json', 'src/main/build-web.ts', 'src/main/packaging/third-party.ts'],
    ),
  )

/** Builds when the present sources have no build; null, with the reason told, where that cannot be done. */
export const ensureWebApp = (tell: (reason: string) => void): Promise<string | null> =>
  ensureBuild({ folder: webFolder(), entry: 'index.html', builder: 'build-web.ts' }, (reason) =>
    tell(`the web application could not be built: ${reason}`),
  )
