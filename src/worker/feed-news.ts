/**
 * When feeds bring news, the runs that they touch are judged again from what is stored of them; nothing is sent to a target. Every
 * worker looks; the database lets each step be done by one, and what a worker that was lost left is taken up by the next.
 */
import { json } from 'node:stream/consumers'
import { FindingsFile } from '../contract/findings-file.ts'
import { type Answered, questionsOf, restingModules } from '../engine/judge-anew.ts'
import {
  claimJudgement,
  dropJudgement,
  finishJudgement,
  JUDGEMENT_ATTEMPTS,
  type JudgementJob,
  keepJudgement,
  releaseJudgement,
} from '../store/judgements.ts'
import {
  announceFeeds,
  claimAsking,
  dueComponents,
  endAsking,
  type KnownFeed,
  type ReadRun,
  readNextRun,
  settleComponents,
} from '../store/knowledge-news.ts'
import { loadModules, type ModuleRecord } from '../store/modules.ts'
import { MAX_VERSIONS, storedFindings } from '../store/reports.ts'
import { isDatabaseAway } from './failures.ts'
import type { FeedJudge } from './judge-in-thread.ts'
import { judgedGrade } from './judged-file.ts'
import type { Logger, Timing, WorkerOptions } from './options.ts'
import { type Repeated, repeat } from './repeat.ts'
import { targetOf } from './report-writer.ts'

export interface FeedNews {
  /** Those of this machine that runs are judged by. */
  readonly feeds: () => readonly KnownFeed[]
  readonly judge: FeedJudge
  /** Runs that all workers together judge again in a minute, at most. */
  readonly perMinute: number
}

/** Questions that are asked in one thread. */
const AT_ONCE = 500
/** Seconds after which whoever asks is given up; a thread has two minutes. */
const ASKING = 150

/** Looks until `signal` aborts. */
export const startFeedNews = (
  options: WorkerOptions,
  news: FeedNews,
  timing: Timing,
  signal: AbortSignal,
): Repeated => {
  const { db, logger } = options
  let told = false
  return repeat({ every: timing.news, signal, logger, name: 'news of feeds' }, async () => {
    const feeds = news.feeds()
    await readRuns(options, feeds, signal)
    const state = await announceFeeds(db, feeds, { alone: db.kind === 'embedded' })
    if (state === 'behind' && !told)
      logger.warn(
        { feeds: feeds.map(({ feed }) => feed) },
        'feeds of another worker are newer: it judges stored runs again',
      )
    told = state === 'behind'
    if (state === 'behind') return
    await askFeeds(options, news, signal)
    while (!signal.aborted) {
      const job = await claimJudgement(db, { seconds: timing.lease / 1000, perMinute: news.perMinute })
      if (job === null) return
      await judgeAgain(options, news, timing, job, signal)
    }
  })
}

const readRuns = async ({ db }: WorkerOptions, feeds: readonly KnownFeed[], signal: AbortSignal): Promise<void> => {
  const names = restingModules()
  const read = (stored: readonly ModuleRecord[]): ReadRun | string => {
    const asked = questionsOf(stored)
    if (typeof asked === 'string') return asked
    const by = asked.knowledge
    return { components: asked.questions, outdated: feeds.some(({ feed, version }) => by[feed] !== version) }
  }
  while (!signal.aborted && (await readNextRun(db, names, read)));
}

const askFeeds = async ({ db, logger }: WorkerOptions, { judge }: FeedNews, signal: AbortSignal): Promise<void> => {
  const asking = await claimAsking(db, ASKING)
  if (asking === null) return
  let runs = 0
  try {
    while (!signal.aborted) {
      const due = await dueComponents(db, asking, AT_ONCE)
      if (due.length === 0) break
      const answers = await judge.answers(due, signal)
      const answered = due.map(({ digest }, index) => ({ digest, answer: answers[index] ?? '' }))
      const touched = await settleComponents(db, asking, answered, ASKING)
      if (touched === 'lost') return
      runs += touched
    }
  } finally {
    await endAsking(db, asking)
  }
  if (runs > 0) logger.info({ runs }, 'feeds brought news: runs are judged again')
}

/** Never rejects but where the database is away. */
const judgeAgain = async (
  options: WorkerOptions,
  news: FeedNews,
  timing: Timing,
  job: JudgementJob,
  drained: AbortSignal,
): Promise<void> => {
  const { db, logger } = options
  const about = { run: job.runId, domain: job.run.domain }
  if (job.attempts >= JUDGEMENT_ATTEMPTS) {
    logger.error(about, 'the workers that judged a run again were lost each time: it is left as it is')
    await dropJudgement(db, job, { reason: 'the processes that judged it ended each time', components: null })
    return
  }
  const lost = new AbortController()
  const beat = setInterval(() => {
    keepJudgement(db, job, timing.lease / 1000).then(
      (answer) => answer === 'lost' && lost.abort(),
      (error: unknown) => logger.warn({ ...about, err: error }, 'the lease of a judgement could not be extended'),
    )
  }, timing.heartbeat)
  try {
    await judgeOnce(options, news, job, AbortSignal.any([drained, lost.signal]))
  } catch (error) {
    if (lost.signal.aborted) return
    if (isDatabaseAway(error)) throw error
    if (drained.aborted) return await releaseJudgement(db, job, { seconds: 0, counts: false })
    const again = job.attempts + 1 < JUDGEMENT_ATTEMPTS
    logger.error({ ...about, err: error }, again ? 'a run is judged again later' : 'a run could not be judged again')
    if (again) await releaseJudgement(db, job, { seconds: timing.reportRetry / 1000, counts: true })
    else
      await dropJudgement(db, job, { reason: 'a fault of the scanner; the operator’s log says what', components: null })
  } finally {
    clearInterval(beat)
  }
}

const judgeOnce = async (
  options: WorkerOptions,
  { judge }: FeedNews,
  job: JudgementJob,
  signal: AbortSignal,
): Promise<void> => {
  const { db, logger } = options
  const { run } = job
  const drop = async (reason: string | null, components: readonly Answered[] | null): Promise<void> => {
    await dropJudgement(db, job, { reason, components })
  }
  const file = await newestFile(options, job.runId)
  if (file === null || run.started_at === null)
    return drop('its findings were deleted after their retention ended', null)
  const spec = { target: targetOf(run), options: run.options, now: Date.parse(run.started_at) }
  const judged = await judge.anew(await loadModules(db, job.runId), spec, Date.now(), signal)
  if (typeof judged === 'string') return drop(judged, null)
  refuseFaults(judged.failures, logger)
  if (Object.keys(judged.because).length === 0) return drop(null, judged.questions)
  const { modules, knowledge, because, questions: components } = judged
  const parts = { modules: modules.map(({ module }) => module), coverage: modules.flatMap(({ coverage }) => coverage) }
  signal.throwIfAborted()
  const done = await finishJudgement(db, job, {
    ...{ modules, knowledge, because, components },
    grade: (findings) => judgedGrade(file, parts, findings),
  })
  if (done === 'full') await drop(`it has ${MAX_VERSIONS} versions, which is as many as there may be`, components)
  else if (done === 'late') await drop(null, null)
  else if (done !== 'lost') logger.info({ run: job.runId, domain: run.domain, version: done, because }, 'judged again')
}

/** A judgement with holes is none: what it lost would look as if it had gone. */
const refuseFaults = (failures: readonly string[], logger: Logger): void => {
  for (const failure of failures) logger.error({ failure }, 'a check failed on our side')
  if (failures.length > 0) throw new Error(`${failures.length} checks failed on our side`)
}

/** Null once it was deleted. */
const newestFile = async ({ db, storage }: WorkerOptions, runId: string): Promise<FindingsFile | null> => {
  const key = await storedFindings(db, runId, MAX_VERSIONS)
  return key === null ? null : FindingsFile.parse(await json((await storage.get(key)).stream))
}
