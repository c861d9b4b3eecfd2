/** Software of Debian and npm as somebody installed it, once as templates find it and once mended. */
import { readFileSync } from 'node:fs'
import { parseTemplate } from '../../../src/templates/language/parse/template.ts'
import type { Template } from '../../../src/templates/language/template.ts'
import type { Place, RealService } from '../../support/services.ts'

export type How = 'exposed' | 'mended'

export interface Installation {
  readonly id: string
  /** Debian package, said where the program is missing. */
  readonly needs: string
  readonly program: string
  /** Templates of the files here, each with the port where what it is about listens. */
  readonly finds: Readonly<Record<string, number>>
  /** Templates of the public catalogue, where the machine has one; they fire as those here do, and stay silent at the mended set-up. */
  readonly public?: Readonly<Record<string, number>>
  /** Ports that are closed by the remedy. */
  readonly closedBy?: readonly number[]
  readonly run: (place: Place, how: How) => ReturnType<RealService['prepare']>
}

export const serviceOf = (installation: Installation, how: How): RealService => {
  const { id, needs, program, finds, closedBy = [], run } = installation
  const all = [...new Set(Object.values(finds))]
  return {
    ...{ id, needs, program, truth: [] },
    ports: how === 'exposed' ? all : all.filter((port) => !closedBy.includes(port)),
    prepare: (place) => run(place, how),
  }
}

/** As the public catalogue writes them, several in a file. */
export const templatesHere = (): ReadonlyMap<string, Template> =>
  new Map(
    ['web.yaml', 'network.yaml'].flatMap((file) =>
      readFileSync(new URL(file, import.meta.url), 'utf8')
        .split(/^---$/m)
        .map((text) => {
          const parsed = parseTemplate(text, file, () => null)
          if (parsed.kind !== 'template') throw new Error(`${file}: ${JSON.stringify(parsed)}`)
          return [parsed.template.id, parsed.template] as const
        }),
    ),
  )
