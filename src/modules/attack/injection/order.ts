/** In which order a place is asked: by what a way costs and how much it tells. */

import type { Part } from '../insertion-points/plan.ts'
import type { Probe } from '../insertion-points/prober.ts'
import { keyOf } from '../insertion-points/reached.ts'
import { isSerialized } from '../insertion-points/serialized.ts'
import { firstOf } from '../insertion-points/techniques.ts'
import type { InjectionHit, InjectionKind } from './facts.ts'
import { expressionWays, questionWays } from './probes/answers.ts'
import { soonestCommandWays } from './probes/arithmetic.ts'
import { entityWays, openedWays } from './probes/entities.ts'
import { namedBy, namesHost, soonestWaits, speaksOfHosts } from './probes/named.ts'
import { isShownElsewhere } from './probes/shown-elsewhere.ts'

export type Way = () => Promise<InjectionHit | null>

export interface Asked {
  /** An address where the place speaks of one. */
  readonly promised: readonly Way[]
  /** The same, written otherwise. */
  readonly spellings: readonly Way[]
  readonly files: readonly Way[]
  /** Told by an error, of a file that is not there: what may write is asked so, too. */
  readonly opened: readonly Way[]
  /** So many of them are worth more than all else where few may be sent: the place speaks of files. */
  readonly likelyFiles: number
  /** Expressions that stand for the whole value. */
  readonly code: readonly Way[]
  /** Parts of an expression, where the server fails as code does. */
  readonly within: readonly Way[]
  /** Within other code. */
  readonly moreCode: () => Promise<readonly Way[]>
  readonly templates: readonly Way[]
  readonly commands: readonly Way[]
  readonly waits: readonly Way[]
  readonly calls: readonly Way[]
  /** Commands that call or wait: where the page shows nothing of what becomes of the value, they tell most with a request each. */
  readonly unseen: readonly Way[]
  /** A command that waits, of a place that pages or scripts send and that shows nothing: it is not kept for the end of the run. */
  readonly silent: readonly Way[]
  /** Whose parser calls: one request tells, where to show a file takes the words that the program itself looks for. */
  readonly documents: readonly Way[]
  /** Of a value that is made of objects: such as show something by themselves, and those with which they call. */
  readonly objects: readonly Way[]
  readonly built: readonly Way[]
  /** In place of a value by which something is found. */
  readonly operators: readonly Way[]
}

/** Of the ways to files, those that find most that there are. */
const FIRST_OF_FILES = 2
/** Expressions that stand for the whole value, likewise. */
const FIRST_OF_CODE = 2
/** Commands, of a place that names a host. */
const FIRST_OF_HOSTS = 3

/** A name of a file looks like one of a host, and one of a host like one of a file. */
const isHostAlone = ({ point }: Probe, { likelyFiles }: Asked): boolean =>
  namesHost(point) || (likelyFiles === 0 && speaksOfHosts(point))

/**
 * Code before templates: to an interpreter of JavaScript, {{2*3}} is a block. `part`: of many places each is asked first what tells most with
 * a request each.
 */
export const inOrder = async (probe: Probe, asked: Asked, part: Part): Promise<readonly Way[]> => {
  // A product for a shell tells with one request, and to none else is one.
  const first = [
    // What is made of an object builds one from it more often than it does anything else.
    ...(holdsObject(probe) ? asked.built : []),
    ...(holdsTemplate(probe) ? asked.templates : []),
    // A program whose output is shown says nothing of what it was not given as its own.
    ...asked.commands.slice(0, isHostAlone(probe, asked) ? FIRST_OF_HOSTS : 1),
    ...asked.files.slice(0, FIRST_OF_FILES),
    ...asked.code.slice(0, FIRST_OF_CODE),
    ...(holdsTemplate(probe) ? [] : asked.templates.slice(0, 1)),
    ...asked.silent,
  ]
  const all = async (): Promise<readonly Way[]> => [
    ...[...asked.operators, ...asked.commands.slice(0, 1), ...asked.built, ...entityWays(probe), ...openedWays(probe)],
    ...[...asked.files, ...asked.opened, ...asked.code, ...asked.within],
    ...[...(await asked.moreCode()), ...asked.templates, ...(await questionWays(probe)), ...asked.commands.slice(1)],
    ...asked.silent,
  ]
  const isSame = isBegun(probe, asked, part)
  if (part === 'first') return first
  return isSame ? (await all()).filter((way) => !first.includes(way)) : all()
}

/** By run and place: of what its ways were made when a first part of them was asked. */
const begun = new WeakMap<Probe['turns'], Map<string, string>>()

/**
 * Of a rest, whether its ways are made of the same as those of the first part: where another page has begun to show the value meanwhile, or the place is
 * answered otherwise, they are others, and all are asked. Notes it of a first part.
 */
const isBegun = (probe: Probe, asked: Asked, part: Part): boolean => {
  const ways = Object.values(asked).map((one) => (Array.isArray(one) ? one.length : typeof one === 'number' ? one : 0))
  const made = [isShownElsewhere(probe), ...ways].join(' ')
  const places = begun.get(probe.turns) ?? new Map<string, string>()
  begun.set(probe.turns, places)
  if (part === 'first') places.set(keyOf(probe.point), made)
  return part === 'rest' && places.get(keyOf(probe.point)) === made
}

/** Those of the languages that name themselves. */
const named = async (probe: Probe, asked: Asked): Promise<readonly Way[]> => {
  const kinds = await namedBy(probe)
  const of = (kind: InjectionKind, ways: readonly Way[]): readonly Way[] => (kinds.has(kind) ? ways : [])
  const questions = kinds.has('ldap') || kinds.has('xpath') ? await questionWays(probe, kinds) : []
  return [...questions, ...of('template', asked.templates), ...of('command', asked.commands)]
}

/** Each place that may be sent a few times only is asked first by so many ways. */
const FIRST_OF_FEW = 6

/** Where few may be sent, those first that tell with one or two of them, and those before them that the place itself speaks of. */
export const soonest = (probe: Probe, asked: Asked, shown: boolean, part: Part): readonly Way[] => {
  const all = soonestOf(probe, asked, shown)
  const isSame = isBegun(probe, asked, part)
  if (part === 'first') return all.slice(0, FIRST_OF_FEW)
  return isSame ? all.slice(FIRST_OF_FEW) : all
}

/** What the site itself fills in is a template: `Dear {{ name }}`, `${total}`, `<%= title %>`. */
const IS_TEMPLATE = /\{\{.{0,200}\}\}|\{%.{0,200}%\}|[$#]\{.{0,200}\}|<%.{0,200}%>/
const holdsTemplate = ({ point: { value, members } }: Probe): boolean =>
  (members ?? [{ value }]).some((one) => IS_TEMPLATE.test(one.value))

const holdsObject = ({ point: { value, members } }: Probe): boolean =>
  (members ?? [{ value }]).some((one) => isSerialized(one.value))

const soonestOf = (probe: Probe, asked: Asked, shown: boolean): readonly Way[] => {
  if (holdsTemplate(probe)) {
    const others = usuallySoonest(probe, { ...asked, templates: [] }, shown)
    return [...asked.templates, ...others]
  }
  return usuallySoonest(probe, asked, shown)
}

const usuallySoonest = (probe: Probe, asked: Asked, shown: boolean): readonly Way[] => {
  const byProduct = shown && (probe.point.members !== undefined || isShownElsewhere(probe))
  const [early, late] = soonestWaits(probe, asked.waits, shown)
  const first = byProduct ? soonestCommandWays(probe) : shown ? asked.commands.slice(0, 1) : []
  // What is asked here is not asked again below.
  const isHost = isHostAlone(probe, asked)
  const ofHost = isHost ? [...first, ...asked.unseen, ...early] : []
  const behind = (ways: readonly Way[]): readonly Way[] => (isHost ? [] : ways)
  return [
    ...[
      ...asked.objects,
      ...ofHost,
      ...asked.promised,
      ...asked.documents,
      ...asked.opened,
      // A file is handed to a parser more often than to anything else.
      ...(probe.point.place === 'file' ? entityWays(probe) : []),
      ...asked.files.slice(0, asked.likelyFiles),
      // A product for a shell; of several places as one, and of what another page shows, in another way than the usual one, with quotes, which is not
      // asked beside it.
      ...behind(first),
      // One text for most engines: where the page shows what it is sent, it tells with a request or two.
      ...(shown ? asked.templates.slice(0, 1) : []),
      ...asked.operators,
    ],
    ...[
      ...asked.within,
      ...behind(asked.unseen),
      async () => firstOf<InjectionHit>(await named(probe, asked)),
      ...behind(early),
      ...(probe.point.place === 'file' ? [] : entityWays(probe)),
      ...openedWays(probe),
      ...asked.code,
      ...expressionWays(probe),
      ...asked.commands.slice(byProduct || shown ? 1 : 0),
      ...asked.spellings,
      ...late,
      ...asked.templates.slice(shown ? 1 : 0),
    ],
    ...asked.files.slice(asked.likelyFiles),
    async () => firstOf<InjectionHit>([...(await asked.moreCode()), ...(await questionWays(probe)), ...asked.calls]),
  ]
}
