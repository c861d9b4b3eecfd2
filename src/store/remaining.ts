/**
 * How long a run under way goes on, from how earlier ones went. Progress counts what may take long and not what does, so by
 * itself it tells no time; but runs of one kind go alike: where one stands in the course of another, and how much slower it is
 * by then, says when it ends.
 */
import type { Remaining } from '../contract/remaining.ts'
import type { Queryable } from './database.ts'
import { type GoingOn, type RunRecord, wholeRun } from './run-row.ts'

/** Milliseconds since the beginning at which a run came to each percent; the last is its end. */
export type Course = readonly (readonly [percent: number, ms: number])[]

/** Newest runs of a domain, or of an organisation, that are looked at. */
const LOOKED_AT = { domain: 40, organisation: 200 } as const
/** Of these, as many as an estimate rests on. */
const MOST = 8
/** By what share the least and the most of what others took is widened, by how many they are: a few tell little of the spread. */
const WIDENED = [0, 0.35, 0.3, 0.25, 0.2] as const
/** Of a first run. */
const WIDENED_USUAL = 0.6
/** Of other domains: sites differ more than runs of one. */
const MORE_FOR_OTHERS = 0.25
/** Milliseconds that both are taken to have run longer: of the first seconds nothing is told. */
const GRACE = 15_000
/** A run is taken to be this many times as slow, or as fast, as another at most. */
const MOST_APART = 6
/** Of what a step has taken longer than was to be expected, as much is likely to be still to come. */
const LATE = 0.5

/** Milliseconds by which it may be wrong in any case: nobody plans with less. */
const SLACK = 10_000

/**
 * Of a first run: a small site on a quick line, as measured on the demo shop, and a large one that is asked slowly. Between the two
 * lies nearly everything, and as the run goes on they come together.
 */
const USUAL: Readonly<Record<RunRecord['tier'], readonly Course[]>> = {
  passive: [
    [
      [2, 1_000],
      [30, 6_000],
      [90, 20_000],
      [100, 30_000],
    ],
    [
      [2, 4_000],
      [30, 60_000],
      [90, 250_000],
      [100, 300_000],
    ],
  ],
  active: [
    [
      [2, 2_000],
      [15, 4_000],
      [20, 16_000],
      [33, 31_000],
      [45, 37_000],
      [75, 50_000],
      [90, 90_000],
      [100, 107_000],
    ],
    [
      [2, 5_000],
      [15, 60_000],
      [20, 400_000],
      [33, 900_000],
      [75, 2_000_000],
      [90, 2_900_000],
      [100, 3_000_000],
    ],
  ],
}

/** Nothing is to be said of a run that has not begun, has ended, or asks for one thing alone: see `GOING_ON`. */
export const remainingOf = async (db: Queryable, run: GoingOn): Promise<Remaining> => {
  const at = { elapsed: run.duration_ms, percent: run.progress, reached: run.reached }
  for (const basis of ['domain', 'organisation'] as const) {
    const courses = await coursesLike(db, run, basis)
    if (courses.length > 0) return { ...estimate(courses, at, basis), basis, runs: courses.length }
  }
  return { ...estimate(USUAL[run.tier], at, 'usual'), basis: 'usual', runs: 0 }
}

/** Done runs that were asked for the same, the newest first. */
const coursesLike = async (db: Queryable, run: GoingOn, basis: 'domain' | 'organisation'): Promise<Course[]> => {
  if (basis === 'domain' && run.domainId === null) return []
  const rows = await db.query<{ course: Course }>(
    `select course from (
       select r.course, r.status, r.retest_of, r.options, r.tier, r.dry_run, r.signed_in, r.created_at from runs r
        where r.organisation_id = $1 ${basis === 'domain' ? 'and r.domain_id = $2' : 'and r.domain_id is distinct from $2'}
        order by r.created_at desc, r.id desc limit ${LOOKED_AT[basis]}) as r
      where r.status = 'done' and r.course is not null and ${wholeRun('r')} and r.tier = $3 and r.dry_run = $4
        and r.signed_in = $5 and ${SHAPE('r.options')} = ${SHAPE('$6::jsonb')}
      order by r.created_at desc limit ${MOST}`,
    [run.organisationId, run.domainId, run.tier, run.dry_run, run.signed_in, JSON.stringify(run.options)],
  )
  return rows.map(({ course }) => course).filter(isOneAttempt)
}

/** Of a run that was begun anew nothing can be told. */
const isOneAttempt = (course: Course): boolean =>
  course.every(([percent], at) => at === 0 || percent > (course[at - 1]?.[0] ?? 0))

/** Options that change how long a run takes; an SQL expression. */
const SHAPE = (options: string): string =>
  `jsonb_build_array(${['privacy', 'template_full', 'survey', 'make_pdf', 'requests_per_second']
    .map((name) => `${options} -> '${name}'`)
    .join(', ')})`

interface Standing {
  /** Milliseconds since the beginning. */
  readonly elapsed: number
  readonly percent: number
  /** Milliseconds since the beginning at which it came to this percent. */
  readonly reached: number
}

/** Pure. */
export const estimate = (
  courses: readonly Course[],
  at: Standing,
  basis: Remaining['basis'],
): Pick<Remaining, 'least_ms' | 'most_ms'> => {
  const each = courses.map((course) => remainingBy(course, at))
  const widened =
    basis === 'usual' ? WIDENED_USUAL : (WIDENED[courses.length] ?? 0.15) + (basis === 'domain' ? 0 : MORE_FOR_OTHERS)
  return {
    least_ms: Math.max(0, Math.round(Math.min(...each) * (1 - widened) - SLACK)),
    most_ms: Math.round(Math.max(...each) * (1 + widened) + SLACK),
  }
}

/** If it goes on as the other did, as much slower or faster as it has been. */
const remainingBy = (course: Course, { elapsed, percent, reached }: Standing): number => {
  const end = course.at(-1)?.[1] ?? 0
  const from = course.findLast(([other]) => other <= percent)?.[1] ?? 0
  const until = course.find(([other]) => other > percent)?.[1] ?? end
  const slower = Math.min(MOST_APART, Math.max(1 / MOST_APART, (reached + GRACE) / (from + GRACE)))
  // Since it came to this percent it goes on as fast; what takes longer than that has to be slower.
  const stands = Math.min(until, from + (elapsed - reached) / slower)
  const late = Math.max(0, elapsed - reached - (until - from) * slower)
  return Math.max(0, end - stands) * slower + late * LATE
}

/** SQL: milliseconds since the first lease of the run `r`. */
const SINCE = '(extract(epoch from clock_timestamp() - r.first_leased_at) * 1000)::bigint'

/** SQL, the course of the run `r` that comes to `$5` percent: the time at which it came to each is written down once. */
export const COURSE = `case when least($5::int, 99) > r.progress
  then coalesce(r.course, '[]') || jsonb_build_array(jsonb_build_array(least($5::int, 99), ${SINCE})) else r.course end`

/** SQL, that of the run `r` that is done. */
export const COURSE_ENDS = `coalesce(r.course, '[]') || jsonb_build_array(jsonb_build_array(100, ${SINCE}))`
