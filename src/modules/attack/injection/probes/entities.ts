/** Documents whose entity is a file, where a parser may get them. */
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { ENVELOPES, type Envelope, fileType, STAND } from '../documents.ts'
import type { FileHit } from '../facts.ts'
import { FILES, FOLDERS, NO_FILE, NO_FOLDER } from '../paths.ts'
import { askWay } from './files.ts'

export const envelopesFor = ({ point }: Probe): readonly Envelope[] => ENVELOPES.filter(({ fits }) => fits(point))

/** What an entity names is opened by the parser, and only to be read, whatever becomes of the document. */
export const entityWays = (probe: Probe): readonly (() => Promise<FileHit | null>)[] =>
  envelopesFor(probe)
    .filter(({ calls }) => calls === undefined)
    .map((envelope) => async () => {
      const ask = (path: string): Promise<Reply> => sendWithin(probe, envelope, fileType(path))
      return (
        (await askWay('xxe', envelope.flavour, probe, FILES, NO_FILE, ask)) ??
        askWay('xxe', envelope.flavour, probe, FOLDERS, NO_FOLDER, ask)
      )
    })

/** @throws Unsendable where the place cannot hold a document */
export const sendWithin = (probe: Probe, envelope: Envelope, type: string): Promise<Reply> =>
  probe.send(STAND, {
    change: (request) => {
      const changed = envelope.with(probe.point, request, type)
      if (!changed) throw new Unsendable(`${probe.point.place} cannot hold a document`)
      return changed
    },
  })
