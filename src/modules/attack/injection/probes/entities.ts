/** Documents whose entity is a file, where a parser may get them. */
import { randomInt } from 'node:crypto'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { ENVELOPES, type Envelope, fileType, STAND, withType } from '../documents.ts'
import type { AnswersHit, FileHit } from '../facts.ts'
import { BY_LENGTH, FILES, FOLDERS, NO_FILE, NO_FOLDER, NO_TEXT, TEXTS } from '../paths.ts'
import { endingsAccepted } from '../uploads.ts'
import { askThrough, type Way } from './answers.ts'
import { askWay } from './files.ts'

/** Those first that the field says it takes. */
export const envelopesFor = ({ point }: Probe): readonly Envelope[] => {
  const fitting = ENVELOPES.filter(({ fits }) => fits(point))
  const taken = fitting.filter((one) => isTaken(point, one))
  return [...taken, ...fitting.filter((one) => !taken.includes(one))]
}

const isTaken = ({ accept = '' }: Probe['point'], { ending }: Envelope): boolean =>
  ending !== undefined && endingsAccepted(accept).includes(ending)

/** What an entity names is opened by the parser, and only to be read, whatever becomes of the document. */
export const entityWays = (probe: Probe): readonly (() => Promise<FileHit | null>)[] =>
  envelopesFor(probe)
    .filter((one) => one.calls === undefined || isTaken(probe.point, one))
    .map((envelope) => async () => {
      const ask = (path: string): Promise<Reply> => sendWithin(probe, envelope, fileType(path))
      return (
        (await askWay('xxe', envelope.flavour, probe, FILES, NO_FILE, ask)) ??
        (await askWay('xxe', envelope.flavour, probe, FOLDERS, NO_FOLDER, ask)) ??
        askWay('xxe', `${envelope.flavour}${BY_LENGTH}`, probe, TEXTS, NO_TEXT, ask)
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

/**
 * A parser that shows nothing of what it opens may end in an error where there is nothing to open: names of files, and names beside them that
 * are none, in an element more of a body that is taken as it is. Parsers that leave entities alone answer both alike.
 */
export const openedWays = (probe: Probe): readonly (() => Promise<AnswersHit | null>)[] => {
  const { point, request } = probe
  const body = request.body ?? ''
  if (point.place !== 'xml' || point.members || withElement(body, '') === null) return []
  const ask = (path: string, reference: string): Promise<Reply> =>
    probe.send(point.value, {
      change: (sent) => ({ ...sent, body: withElement(withType(body, fileType(path)), reference) ?? body }),
    })
  const way: Way = {
    kind: 'xxe',
    flavour: 'external entity, told by what is there',
    mode: 'narrows',
    ask: async (truth) => {
      const there = THERE[randomInt(THERE.length)] ?? 'hosts'
      const path = `/etc/${truth ? there : `${there.slice(0, -1)}q`}`
      return { question: path, reply: await ask(path, '&q;') }
    },
    // Of no such name.
    malformed: () => ask('/etc/hosts', '&qz;'),
  }
  return [() => askThrough(probe, way)]
}

/** Of every Linux, for everybody to read, with nothing of people in them, and text of which no parser takes a part for markup. */
const THERE = ['hosts', 'hostname', 'resolv.conf']

/** Before the end of the whole; null where that is not found. */
const withElement = (document: string, content: string): string | null => {
  const end = /<\/[\w:.-]+\s*>\s*$/.exec(document)
  return end === null ? null : `${document.slice(0, end.index)}<q>${content}</q>${document.slice(end.index)}`
}
